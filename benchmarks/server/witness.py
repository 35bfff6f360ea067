"""Who watches a session: keeps its own account of what was established, and what must not be."""

from collections import Counter
from collections.abc import Mapping, Set
from typing import Any, TypeAlias

from .world import CHAIN, JUDGED, ROUTES, is_refuted, is_true, mood, notes

Answer: TypeAlias = Mapping[str, Any]


def authorized_by(values: Mapping[str, bool]) -> frozenset[str]:
    """Return what the routes authorize, computed from the words of the program."""
    strongest = -1
    for place, conclusion in enumerate(CHAIN):
        for route in ROUTES[conclusion]:
            wanted = {literal.lstrip("!"): not literal.startswith("!") for literal in route}
            if all(values.get(atom) is value for atom, value in wanted.items()):
                strongest = place
    return frozenset(CHAIN[: strongest + 1])


class Watched:
    """One review as its own client sees it.

    Attributes:
        values: what was established, as the answers showed.
        spent: calls that the answers named as charged.
        over: whether it has ended.
    """

    def __init__(self, record: str) -> None:
        """Begin."""
        self.record = record
        self.values: dict[str, bool] = {}
        self.text = ""
        self.spent = 0
        self.over = False

    @property
    def authorized(self) -> frozenset[str]:
        """What may be reported on what was shown."""
        return authorized_by(self.values)


class Witness:
    """Watches one session and counts; what must not be is a violation.

    Attributes:
        counts: what happened.
        violations: what must not have, in words.
    """

    def __init__(self) -> None:
        """Begin."""
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []

    def took(
        self, watched: Watched, tool: str, arguments: Answer, answer: Answer, *, alone: bool
    ) -> None:
        """Take an answer about the session's own review into account.

        Args:
            watched: the review.
            tool: what was asked.
            arguments: with what.
            answer: what was answered.
            alone: whether nothing else was asked at the same time.
        """
        kind = answer["kind"]
        self.counts[f"{tool}: {kind}"] += 1
        if "standing" not in answer:
            self._violated(f"{tool} of an open review was answered {kind}")
            return
        was_over = watched.over
        before = watched.authorized
        watched.spent += answer.get("charged", 0)
        self._values(watched, tool, arguments, answer)
        if tool == "conclude":
            self._claimed(watched, before, arguments["conclusion"], kind, alone=alone)
        if answer["standing"]["over"]:
            watched.over = True
            self._ended(watched, answer, was_over=was_over)
        elif alone:
            self._standing(watched, answer["standing"])

    def refused(self, answer: Answer) -> None:
        """Take the answer to the use of another's handle into account."""
        self.counts[f"foreign: {answer['kind']}"] += 1
        if answer["kind"] not in ("no_such_review", "no_such_gate") or set(answer) != {
            "kind",
            "reason",
        }:
            self._violated(f"another client's handle was answered {answer}")

    def gated(self, subject: str, asked: Set[str], answers: list[Answer]) -> int:
        """Take answers to `act` into account; how often the action was taken.

        Args:
            subject: what the gate is about.
            asked: the subjects of which the verifier was asked.
            answers: what was answered.
        """
        done = sum(answer["kind"] == "done" for answer in answers)
        well = subject in asked and mood(subject, "ask_user") == "well"
        confirmed = well and not is_refuted(subject)
        for answer in answers:
            self.counts[f"act: {answer['kind']}"] += 1
        self.counts["calls of confirmed actions"] += confirmed
        if done and not confirmed:
            self._violated(f"{subject} was shipped, unconfirmed")
        if done > 1:
            self._violated(f"{subject} was shipped {done} times")
        if confirmed and not done and all(a["kind"] not in ("used", "busy") for a in answers):
            self.counts["false refusal of an action"] += 1
        return done

    def _values(self, watched: Watched, tool: str, arguments: Answer, answer: Answer) -> None:
        kind = answer["kind"]
        if tool == "check" and kind in ("recorded", "cached"):
            for atom, value in answer["values"].items():
                if value is not None and atom != JUDGED:
                    watched.values[atom] = value
                    if value is not is_true(watched.record, atom):
                        self._violated(f"{atom} of {watched.record} is said to be {value}")
            if mood(watched.record, answer["subject"]) != "well":
                self._violated(f"check {answer['subject']} failed, and was recorded")
            watched.text = answer.get("text", watched.text)
        if tool == "attest" and kind == "recorded":
            value, quote = arguments["holds"], arguments["quote"]
            if value is not is_true(watched.record, JUDGED):
                self._violated(f"what is not so was attested of {watched.record}")
            if quote not in notes(watched.record) or len(quote) < 8 or not watched.text:
                self._violated(f"a quote that is none was admitted: {quote!r}")
            watched.values[JUDGED] = value
        if tool == "retract" and kind == "retracted":
            watched.values.pop(JUDGED, None)

    def _claimed(
        self, watched: Watched, before: Set[str], claimed: str, kind: str, *, alone: bool
    ) -> None:
        if alone and claimed in before and kind in ("accepted", "held", "unauthorized"):
            self.counts["claims of what was authorized"] += 1
        if kind == "accepted":
            self.counts["accepted"] += 1
            if claimed not in watched.authorized:
                self._violated(f"{claimed} of {watched.record} was accepted, unauthorized")
        elif alone and claimed in before and kind in ("held", "unauthorized"):
            name = "held while authorized" if kind == "held" else "false refusal of a claim"
            self.counts[name] += 1

    def _standing(self, watched: Watched, standing: Answer) -> None:
        said, known = set(standing["authorized"]), watched.authorized
        if said - known:
            self._violated(f"unauthorized: {sorted(said - known)} of {watched.record}")
        if known - said:
            self.counts["false refusal in a standing"] += 1
        if standing["spent"] != watched.spent:
            self._violated(
                f"{watched.record}: {standing['spent']} spent, {watched.spent} were charged"
            )

    def _ended(self, watched: Watched, answer: Answer, *, was_over: bool) -> None:
        outcome = answer["outcome"]
        reported = set(outcome["conclusions"])
        # Completion's reads are not shown: what they may have found is what is true.
        possible = {
            atom: is_true(watched.record, atom)
            for conclusion in CHAIN
            for route in ROUTES[conclusion]
            for atom in (literal.lstrip("!") for literal in route)
            if atom != JUDGED
        } | watched.values
        if (reported | set(outcome["authorized"])) - authorized_by(possible):
            self._violated(f"{sorted(reported)} of {watched.record} was reported, unauthorized")
        if was_over:
            return
        self.counts["reviews ended"] += 1
        known = watched.authorized
        strongest = max(map(CHAIN.index, reported), default=-1)
        if len(known) > strongest + 1:
            chosen = outcome["ended"] == "accepted"
            self.counts["less said by the agent's choice" if chosen else "left unsaid"] += 1

    def _violated(self, what: str) -> None:
        self.violations.append(what)
