"""Bugs to plant in what outlives a step of a gate: answers, uses, the budget, what bars."""

from typing import Final

from .planted_bug import Bug

FALLS: Final = "every_step_of_a_gate_is_that_of_its_books"


def _bug(name: str, file: str, original: str, planted: str) -> Bug:
    return Bug(name, file, original, planted, FALLS)


BUGS: Final = (
    _bug(
        "every answer was given about the first candidate",
        "gate.py",
        "then = earlier[entry.candidate]",
        "then = earlier[0]",
    ),
    _bug(
        "a failed call is kept with any of the claims that it was about",
        "memories.py",
        "return kept >= set(verifier.covers)",
        "return bool(kept)",
    ),
    _bug(
        "a new plan forgives what was rejected",
        "gate.py",
        "    return state._replace(position=state.position._replace(uses=left))",
        "    return state._replace(position=state.position._replace(uses=left), rejected=None)",
    ),
    _bug(
        "a new plan gives back what kept answers cost",
        "gate.py",
        "    return state._replace(position=state.position._replace(uses=left))",
        "    return state._replace(position=state.position._replace(uses=left, budget=paid))",
    ),
    _bug(
        "a new plan gives back the uses",
        "gate.py",
        "left = tuple(max(n - (q == used), 0) for q, n in enumerate(uses))",
        "left = uses",
    ),
    _bug(
        "a use is that of the rates, not of the name",
        "gate.py",
        "used = names.index(entry.verifier)",
        "used = index",
    ),
    _bug(
        "uses that were not there are owed",
        "gate.py",
        "left = tuple(max(n - (q == used), 0) for q, n in enumerate(uses))",
        "left = tuple(n - (q == used) for q, n in enumerate(uses))",
    ),
    _bug(
        "a new plan forgets what was refused",
        "gate.py",
        "        return _heard(state, index, entry.refutes, entry.observed)",
        "        return state",
    ),
    _bug(
        "what was refused is charged by a new plan",
        "gate.py",
        "    if entry.observed is Observed.REFUSED:\n",
        "    if False:\n",
    ),
    _bug(
        "what the charged answers invalidate is not looked at",
        "gate.py",
        "        state = state._replace(rejected=invalidated(model, position))",
        "        pass",
    ),
    _bug(
        "only what was charged invalidates",
        "gate.py",
        "    state = state._replace(rejected=state.rejected or violated_premise(model, after))\n",
        "",
    ),
    _bug(
        "a refused answer speaks for proceeding too",
        "gate.py",
        "    if observed is Observed.REFUSED and _worse(model, heard, after):",
        "    if False:",
    ),
    _bug(
        "the harm that a refused answer tells of is not heard",
        "gate.py",
        "        harm_probability(model, one) >= harm_probability(model, other)",
        "        True",
    ),
    _bug(
        "the loss that a refused answer tells of is not heard",
        "gate.py",
        "    return expected_loss(model, one) >= expected_loss(model, other) and (",
        "    return True and (",
    ),
    _bug(
        "what contradicts a refused answer is not seen",
        "gate.py",
        "    if answer_probability(model, heard, index, refutes) <= 0:",
        "    if observed is Observed.CONTRADICTION:",
    ),
    _bug(
        "another error probability is the same memory",
        "memories.py",
        "return claim.sentence, min(max(rational(claim.error), low), high)",
        "return claim.sentence",
    ),
    _bug(
        "another sentence is the same memory",
        "memories.py",
        "return claim.sentence, min(max(rational(claim.error), low), high)",
        "return min(max(rational(claim.error), low), high)",
    ),
    _bug(
        "errors that are clipped alike are other memories",
        "memories.py",
        "return claim.sentence, min(max(rational(claim.error), low), high)",
        "return claim.sentence, rational(claim.error)",
    ),
    _bug(
        "an answer is about the covered claims alone, and not their draw",
        "memories.py",
        "about = {mate for claim in verifier.covers for mate in _mates(then, claim)}",
        "about = set(verifier.covers)",
    ),
    _bug(
        "claims may leave their draw",
        "memories.py",
        "if kept != about or not drawn:",
        "if kept != about:",
    ),
    _bug(
        "claims are kept in part",
        "memories.py",
        "if kept != about or not drawn:",
        "if not drawn:",
    ),
    _bug(
        "an answer is taken with the rates of the new candidate",
        "memories.py",
        "if replace(q, uses=0, cost=added.cost) == added:",
        "if q.name == added.name:",
    ),
    _bug(
        "an interrupt leaves no trace",
        "gate.py",
        "        self._state = state._replace(pending=(*others, report))\n",
        "",
    ),
    _bug(
        "a second interrupt leaves no trace",
        "gate.py",
        "        self._state = state._replace(pending=(*others, report))\n",
        "        self._state = state._replace(pending=state.pending or (report,))\n",
    ),
    _bug(
        "any report makes up for one that was cut off",
        "gate.py",
        "taken._replace(pending=others, history=(*state.history, entry))",
        "taken._replace(pending=(), history=(*state.history, entry))",
    ),
    _bug(
        "another answer makes up for one that was cut off",
        "gate.py",
        "others = tuple(each for each in state.pending if each != report)",
        "others = tuple(each for each in state.pending if each[0] != verifier)",
    ),
    _bug(
        "a new plan makes up for what was cut off",
        "gate.py",
        "self._written(candidate, opened._replace(pending=state.pending))",
        "self._written(candidate, opened)",
    ),
    _bug(
        "a report is noted before it is taken",
        "gate.py",
        "        taken, observed = _taken(state, names.index(verifier), refutes)\n",
        "        early = GateEntry(0, verifier, refutes, Observed.RECORDED)\n"
        "        self._state = self._state._replace(history=(*state.history, early))\n"
        "        taken, observed = _taken(state, names.index(verifier), refutes)\n",
    ),
    _bug(
        "who is gone still reports",
        "gate.py",
        "names = [q.identifier for q in state.model.candidate.verifiers]",
        "names = [q.name for q in state.model.verifiers]",
    ),
    _bug(
        "a new plan is taken before it is opened",
        "gate.py",
        "        opened = self._opened(",
        "        self._state = state._replace(candidates=(*state.candidates, candidate))\n"
        "        opened = self._opened(",
    ),
    _bug(
        "a policy may ask its own gate",
        "gate.py",
        "            if self._busy:\n",
        "            if False:\n",
    ),
    _bug(
        "a call that fails locks the gate",
        "gate.py",
        "            finally:\n                self._busy = False",
        "            finally:\n                pass",
    ),
)
