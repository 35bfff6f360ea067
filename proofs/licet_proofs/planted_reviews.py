"""Bugs to plant in how a review runs and ends: messages, episode, outcome, renderer, review."""

from typing import Final

from .planted_bug import Bug

BUGS: Final = (
    Bug(
        "a charge is forgotten",
        "episode.py",
        "    charged = charge(episode, units)\n",
        "    charged = episode\n",
        "a_report_is_always_charged",
    ),
    Bug(
        "a check is charged twice",
        "episode.py",
        "running = replace(charge(episode, cost), pending=index, candidate=place, seal=SEAL)",
        "running = replace(charge(episode, 2 * cost), pending=index, candidate=place, seal=SEAL)",
        "an_agent_that_checks_only_what_matters_loses_nothing",
    ),
    Bug(
        "a repeat is charged",
        "episode.py",
        "return Transition(episode, _cached(episode, index, place))",
        """paid = charge(episode, program.calls[index].cost)
        return Transition(paid, _cached(episode, index, place))""",
        "a_repeat_is_free",
    ),
    Bug(
        "a request that was refused is charged again",
        "episode.py",
        "    if key in episode.refused:\n",
        "    if not key:\n",
        "a_repeat_is_free",
    ),
    Bug(
        "a check that cannot be paid runs",
        "episode.py",
        "    if cost > episode.left:\n",
        "    if cost > episode.left + cost:\n",
        "the_budget_is_never_exceeded",
    ),
    Bug(
        "a check that costs all that is left cannot be paid",
        "episode.py",
        "    if cost > episode.left:\n",
        "    if cost >= episode.left:\n",
        "an_exact_tie_with_the_budget_is_paid",
    ),
    Bug(
        "nothing is completed after a request that cannot be paid",
        "episode.py",
        """    if cost > episode.left:
        return end_checking(episode,""",
        """    if cost > episode.left:
        return end_checking(replace(episode, completion=False, seal=SEAL),""",
        "completion_reaches_it_at_any_cost",
    ),
    Bug(
        "a report is judged before it is charged",
        "episode.py",
        "    if hold_now(charged):\n",
        "    if hold_now(episode):\n",
        "a_report_is_judged_by_what_its_charge_leaves",
    ),
    Bug(
        "no report is held",
        "episode.py",
        "    if hold_now(charged):\n",
        "    if not charged:\n",
        "completion_reaches_the_strongest_supported_conclusion",
    ),
    Bug(
        "reminders have no end",
        "episode.py",
        "if episode.reminders < REMINDERS and hold_now(episode):",
        "if hold_now(episode):",
        "four_stops_end_every_review",
    ),
    Bug(
        "a failed call is cached",
        "episode.py",
        "            answer = Answer(AnswerKind.FAILED,",
        """            settled = replace(settled, answered=settled.answered | 1 << index, seal=SEAL)
            answer = Answer(AnswerKind.FAILED,""",
        "every_step_is_that_of_the_algorithm",
    ),
    Bug(
        "completion tries a check again and again",
        "completion.py",
        "left = runnable(episode) & ~episode.tried &",
        "left = runnable(episode) &",
        "every_step_is_that_of_the_algorithm",
    ),
    Bug(
        "completion runs when it is off",
        "completion.py",
        "if not episode.completion or aim is None or",
        "if aim is None or",
        "every_step_is_that_of_the_algorithm",
    ),
    Bug(
        "completion never runs",
        "completion.py",
        "if not episode.completion or aim is None or",
        "if True or",
        "each_origin_of_error_occurs_alone",
    ),
    Bug(
        "completion gives up after one check",
        "episode.py",
        "    return complete(settled) if episode.completing else",
        """    if episode.completing:
        return Transition(replace(settled, completing=False, seal=SEAL), answer)
    return complete(settled) if episode.completing else""",
        "completion_reaches_the_strongest_supported_conclusion",
    ),
    Bug(
        "whatever is not None is a truth value",
        "messages.py",
        "        if not is_value(given[atom]):\n",
        "        if given[atom] is None:\n",
        "a_failed_check_is_never_a_pass",
    ),
    Bug(
        "a further atom in an answer is overlooked",
        "messages.py",
        "or given.keys() != set(check.settles):",
        "or not given.keys() >= set(check.settles):",
        "a_failed_check_is_never_a_pass",
    ),
    Bug(
        "a resolver that raises passes the check",
        "resolving.py",
        'return Failed(f"the {who} raised {described(error)}")',
        "return Resolved(tuple((a, True) for a in pending_check(episode).settles))",
        "a_failed_check_is_never_a_pass",
    ),
    Bug(
        "an interrupted call runs again, uncharged",
        "review.py",
        "if self._begun == length:",
        "if self._begun > length:",
        "an_interrupted_check_is_charged_and_forgotten",
    ),
    Bug(
        "an outage certifies the atom unavailable",
        "resolving.py",
        'return Failed(f"the {who} raised {described(error)}")',
        "return Resolved(tuple((a, Unavailable()) for a in pending_check(episode).settles))",
        "an_outage_is_told_from_a_refusal",
    ),
    Bug(
        "a call that failed is not shown",
        "episode.py",
        "            failures = (*episode.failures, Failure(check.identifier, reason))\n",
        "            failures = (Failure(check.identifier, reason),)\n",
        "every_failed_call_is_shown",
    ),
    Bug(
        "the last request of a turn runs",
        "review.py",
        "return self.request(requests[0])",
        "return self.request(requests[-1])",
        "only_the_first_request_of_a_turn_runs",
    ),
    Bug(
        "requests are not serialized",
        "review.py",
        """        with self._lock:
            if self._busy:""",
        """        with RLock():
            if self._busy:""",
        "one_request_from_many_threads_runs_once",
    ),
    Bug(
        "charges of several threads are lost",
        "review.py",
        """        with self._lock:
            if self._busy:""",
        """        with RLock():
            if asked is None:""",
        "threads_never_overdraw_the_budget",
    ),
    Bug(
        "a replay always completes",
        "history.py",
        "episode = begin(commitment, budget, completion, verified)",
        "episode = begin(commitment, budget, True, verified)",
        "a_history_replays_to_the_same_outcome",
    ),
    Bug(
        "the first route is shown, whether or not it holds",
        "outcome.py",
        "        if holds(route, settled):\n",
        "        if holds(route, settled) or index == 0:\n",
        "every_authorized_conclusion_shows_a_route_that_holds",
    ),
    Bug(
        "what waits for a repair is shown as missing",
        "outcome.py",
        "missing = having(LiteralStatus.OPEN)",
        "missing = having(LiteralStatus.OPEN, LiteralStatus.REPAIRABLE)",
        "an_unresolved_conclusion_shows_what_its_target_route_lacks",
    ),
    Bug(
        "an unresolved conclusion stands among the findings",
        "renderer.py",
        "    lines = [AUTHORIZED, *_findings(outcome)]\n",
        """    lines = [AUTHORIZED, *_findings(outcome)]
    lines += [f"[{u.conclusion}] is authorized as well." for u in outcome.unresolved[:1]]
""",
        "a_report_asserts_what_is_authorized",
    ),
    Bug(
        "an abstention states a conclusion",
        "renderer.py",
        "        return [ABSTENTION]\n",
        "        return [f'[{outcome.unresolved[0].conclusion}] is reported: by default']\n",
        "user_error_comes_from_the_program_or_a_resolver",
    ),
    Bug(
        "a slot takes line breaks and brackets",
        "renderer.py",
        "[A-Za-z0-9 (),.;:/_'-]{1,200}",
        r"[^\x22]{1,200}",
        "hostile_texts_forge_nothing",
    ),
    Bug(
        "a slot takes one character too many",
        "renderer.py",
        "[A-Za-z0-9 (),.;:/_'-]{1,200}",
        "[A-Za-z0-9 (),.;:/_'-]{1,201}",
        "a_text_is_quoted_whole_or_withheld",
    ),
    Bug(
        "a text is cleaned instead of withheld",
        "renderer.py",
        "    match = _SPAN.fullmatch(text)\n",
        '    match = _SPAN.fullmatch("".join(re.findall("[a-z]", text)) or text)\n',
        "a_text_is_quoted_whole_or_withheld",
    ),
    Bug(
        "the whole text asserts",
        "renderer.py",
        'zone = lines[1 : lines.index("")] if "" in lines else lines[1:]',
        "zone = lines[1:]",
        "only_the_first_zone_asserts",
    ),
    Bug(
        "the first record of an atom is named, whatever it says",
        "renderer.py",
        "value for value in outcome.ledger.admitted if value.atom == literal.atom",
        "Observation(r.atom, True, r.check) for r in outcome.ledger.records"
        " if r.atom == literal.atom",
        "every_shown_condition_names_a_check_that_established_it",
    ),
    Bug(
        "an outcome is rendered without a look at its ledger",
        "renderer.py",
        "    require_authorized(outcome)\n",
        "",
        "what_is_tampered_with_is_not_rendered",
    ),
    Bug(
        "no seal is asked for",
        "_seal.py",
        "if seal is not SEAL:",
        "if seal is SEAL and seal is None:",
        "only_the_kernel_builds_what_is_sealed",
    ),
    Bug(
        "a state can be restored",
        "_seal.py",
        "        cls.__setstate__ = Sealed.__setstate__  # type: ignore[method-assign]\n",
        "",
        "only_the_kernel_builds_what_is_sealed",
    ),
)
