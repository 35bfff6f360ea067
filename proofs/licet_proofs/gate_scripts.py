"""Episodes of a gate, written out: one for each rule of what outlives a step, and what does not."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from licet import Candidate, Claim, FailureMode, Loss, Premise, Verifier

from .bookkeeper import GREEDY, TWO_STEP
from .gate_sessions import Session

FOUR: Final = Fraction(4)
LOSS: Final = Loss(1, 0.1, harm_loss=2, max_harm_probability=0.05, invalidation=0.95)
ADDRESS: Final = Claim("address", 0.04, sentence="ship to Rome")
SAFE: Final = Candidate(
    "ship",
    (ADDRESS,),
    (Premise("deliverable", "address"),),
    (FailureMode(("deliverable",), 8, "g"),),
    (
        Verifier.symmetric("ask", 1, ("address",), 0.95, uses=2),
        Verifier.symmetric("look", 1, ("address",), 0.99),
    ),
    LOSS,
)
"""Proceeding is within the screens, until somebody refutes."""

DOUBTED: Final = replace(SAFE, claims=(replace(ADDRESS, error=0.28),))
"""The same with a memory that is doubted; some checks are worth their price."""

BOTH: Final = replace(
    SAFE,
    claims=(ADDRESS, Claim("stock", 0.04)),
    premises=(*SAFE.premises, Premise("available", "stock")),
    failure_modes=(*SAFE.failure_modes, FailureMode(("available",), 8, "h")),
    verifiers=(
        Verifier.symmetric("audit", 1, ("address", "stock"), 0.9, uses=2),
        Verifier.symmetric("ask", 1, ("address",), 0.9),
    ),
)
"""Two memories, and a verifier of both."""

DRAWN: Final = replace(BOTH, claims=tuple(replace(claim, draw="import") for claim in BOTH.claims))
"""The same, of one draw: an answer about one is about both."""

TORN: Final = replace(
    SAFE,
    claims=(Claim("address", 0.9),),
    premises=(Premise("moved", "address"), Premise("old", "address", False, True)),
    failure_modes=(FailureMode(("old",), 5, "g"),),
    verifiers=(
        Verifier.symmetric("ask", 1, ("address",), 0.8, uses=2),
        Verifier.symmetric("look", 9, ("address",), 0.9),
    ),
)
"""Support makes proceeding look worse, and the required premise look better."""

UNEVEN: Final = replace(
    SAFE,
    claims=(Claim("address", 0.5), Claim("stock", 0.4)),
    premises=(
        Premise("deliverable", "address"),
        Premise("moved", "address", contradicts=True),
        Premise("available", "stock"),
    ),
    failure_modes=(
        FailureMode(("deliverable",), 2, "g"),
        FailureMode(("moved", "available"), 4, "h"),
    ),
    verifiers=(Verifier.symmetric("look", 1, ("address",), 0.9),),
    loss=Loss(1.9, 0.1, harm_loss=2, max_harm_probability=0.3),
)
"""A wrong address costs 2, which is no harm; a right one 4 in four of ten cases, else nothing."""


def re_estimated(candidate: Candidate, name: str, error: float) -> Candidate:
    """Return the candidate with another error probability of one claim."""
    return replace(
        candidate,
        claims=tuple(
            replace(c, error=error) if c.identifier == name else c for c in candidate.claims
        ),
    )


def an_answer_belongs_to_the_candidate_that_it_was_about() -> None:
    """Answers about a second memory are kept while that is there, and those about the first not."""
    session = Session(SAFE, FOUR)
    session.report("look", False)
    session.replan(DOUBTED)
    session.report("ask", True)
    session.replan(DOUBTED)
    session.replan(replace(DOUBTED, verifiers=DOUBTED.verifiers[::-1]))
    session.replan(SAFE)
    session.replan(DOUBTED)


def a_failed_call_is_about_all_that_its_verifier_covers() -> None:
    """Its use comes back as soon as one of the claims is another memory."""
    session = Session(BOTH, FOUR, GREEDY)
    session.report("audit", None)
    session.replan(re_estimated(BOTH, "stock", 0.3))
    session.report("audit", None)
    session.report("audit", None)
    session.replan(re_estimated(BOTH, "stock", 0.3))
    session.report("audit", None)


def what_was_rejected_stays_so() -> None:
    """Two answers reject the candidate; a third takes back why; a new plan changes nothing."""
    wavering = replace(
        re_estimated(SAFE, "address", 0.5),
        verifiers=(Verifier.symmetric("ask", 1, ("address",), 0.9, uses=3),),
    )
    session = Session(wavering, FOUR)
    for refutes in (True, True, False):
        session.report("ask", refutes)
    session.replan(wavering)
    session.replan(replace(wavering, verifiers=()))
    session.replan(re_estimated(wavering, "address", 0.4))


def what_was_spent_stays_spent() -> None:
    """Also on what the new candidate does not keep, on failures, and on what contradicts."""
    session = Session(SAFE, FOUR, TWO_STEP)
    session.report("ask", True)
    session.report("look", None)
    session.replan(SAFE)
    session.replan(DOUBTED)
    session.report("ask", False)
    session.replan(replace(DOUBTED, verifiers=(replace(DOUBTED.verifiers[0], cost=3),)))
    session.report("ask", False)


def what_was_used_stays_used() -> None:
    """Also where the verifier has other rates now, or is listed elsewhere."""
    session = Session(DOUBTED, FOUR, GREEDY)
    session.report("look", True)
    session.report("ask", None)
    session.replan(replace(DOUBTED, verifiers=DOUBTED.verifiers[::-1]))
    session.report("look", False)
    other = tuple(replace(q, sensitivity=0.9) for q in DOUBTED.verifiers)
    session.replan(replace(DOUBTED, verifiers=other))
    session.report("look", False)
    session.report("ask", False)
    session.report("ask", False)


def a_refused_answer_bars_over_a_new_plan() -> None:
    """It is heard against proceeding, whatever supports are refused after it."""
    session = Session(SAFE, Fraction(1))
    session.report("ask", False)
    session.report("look", True)
    session.replan(SAFE)
    for _ in range(3):
        session.report("look", False)
    session.replan(replace(SAFE, verifiers=()))
    session.replan(re_estimated(SAFE, "address", 0.03))


def harm_and_loss_of_a_refused_answer_are_heard() -> None:
    """Where the loss falls and harm grows, and the other way round."""
    for refutes in (False, True):
        session = Session(UNEVEN, Fraction(0))
        session.report("look", refutes)
        session.replan(UNEVEN)


def every_answer_may_invalidate() -> None:
    """Also where a refused one, which counts only against proceeding, speaks for the premise."""
    session = Session(TORN, FOUR)
    session.report("look", False)
    session.report("ask", True)
    session.report("ask", False)
    session.replan(TORN)
    session.replan(replace(TORN, loss=replace(LOSS, invalidation=None)))


def a_refused_answer_may_invalidate() -> None:
    """Also where no loss hangs on it, so that it bars nothing."""
    harmless = replace(SAFE, failure_modes=(FailureMode(("deliverable",), 0, "g"),))
    session = Session(re_estimated(harmless, "address", 0.3), Fraction(0))
    session.report("look", True)
    session.report("look", False)


def another_error_or_sentence_is_another_memory() -> None:
    """What was answered about the old one is taken to be in the new number."""
    session = Session(DOUBTED, FOUR)
    session.report("ask", True)
    session.replan(re_estimated(DOUBTED, "address", 0.3))
    session.replan(DOUBTED)
    oslo = replace(DOUBTED, claims=(replace(DOUBTED.claims[0], sentence="ship to Oslo"),))
    session.replan(oslo)
    session.report("ask", False)
    session.replan(DOUBTED)
    session.replan(oslo)


def errors_that_are_clipped_alike_are_alike() -> None:
    """What is below 1/100 is 1/100."""
    session = Session(re_estimated(SAFE, "address", 0.001), FOUR)
    session.report("look", True)
    session.replan(re_estimated(SAFE, "address", 0.002))
    session.replan(re_estimated(SAFE, "address", 0.02))


def claims_that_an_answer_ties_are_kept_together() -> None:
    """Those that one verifier covers, and those of one draw, with it; or none of them."""
    for candidate in (BOTH, DRAWN):
        session = Session(candidate, FOUR)
        session.report("audit" if candidate is BOTH else "ask", True)
        session.replan(re_estimated(candidate, "stock", 0.3))
        session.replan(re_estimated(re_estimated(candidate, "stock", 0.3), "address", 0.3))
        session.replan(replace(candidate, claims=(candidate.claims[0], Claim("stock", 0.04))))
        session.replan(candidate)
        session.replan(replace(candidate, claims=candidate.claims[::-1]))


def claims_may_join_a_draw() -> None:
    """An answer is about the claims that shared the draw when it was given."""
    session = Session(BOTH, FOUR)
    session.report("ask", True)
    session.replan(DRAWN)
    session.replan(re_estimated(BOTH, "stock", 0.3))


def what_contradicts_bars_over_a_new_plan() -> None:
    """As long as the memory is there."""
    sure = replace(
        DOUBTED, verifiers=tuple(replace(q, sensitivity=1, specificity=1) for q in SAFE.verifiers)
    )
    session = Session(sure, FOUR)
    session.report("ask", True)
    session.report("look", False)
    session.report("ask", True)
    session.replan(sure)
    session.replan(replace(sure, verifiers=()))
    session.replan(re_estimated(sure, "address", 0.01))
    session.report("look", False)


def what_contradicts_what_was_refused_bars_too() -> None:
    """A refused answer of a verifier that never errs excludes what is charged after it."""
    sure = tuple(replace(q, sensitivity=1, specificity=1) for q in SAFE.verifiers)
    dear = replace(SAFE, verifiers=(sure[0], replace(sure[1], cost=9)))
    session = Session(dear, FOUR)
    session.report("look", True)
    session.report("ask", False)
    session.replan(dear)


def who_is_not_there_reports_nothing() -> None:
    """Neither who never was, nor who is gone; and no report is noted."""
    session = Session(SAFE, FOUR)
    session.report("nobody", True)
    session.report("look", False)
    session.replan(replace(SAFE, verifiers=SAFE.verifiers[:1]))
    session.report("look", True)
    session.garble("ask")
    session.replan(SAFE)


def a_report_that_is_cut_off_must_come_again() -> None:
    """Over other reports, new plans and interrupts; each of several."""
    for where in ("affordable", "step", "update", "GateEntry"):
        session = Session(SAFE, FOUR)
        session.report("look", True, where)
        session.report("ask", False)
        session.replan(DOUBTED)
        session.replan(SAFE)
        session.report("look", False)
        session.report("look", True)
    session = Session(SAFE, FOUR)
    session.report("ask", False, "step")
    session.report("look", True, "step")
    session.report("look", True, "GateEntry")
    session.report("ask", False)
    session.report("ask", None, "affordable")
    session.report("look", True)
    session.report("ask", None)


def what_is_cut_off_changes_nothing_else() -> None:
    """A new plan that an interrupt hits is not taken; a decision may be asked for again."""
    session = Session(SAFE, FOUR, GREEDY)
    session.report("ask", True)
    for where in ("compile_candidate", "start", "with_verifier", "update"):
        session.replan(replace(SAFE, verifiers=()), where)
    session.interrupt_a_decision("decide")
    session.report("ask", False)


def a_policy_cannot_ask_its_own_gate() -> None:
    """Neither while it decides nor while it is opened, whether it lets that out or not."""
    for policy in (GREEDY, TWO_STEP):
        session = Session(DOUBTED, FOUR, policy)
        session.meddle(lets_out=False)
        session.meddle(lets_out=True)
        session.report("ask", True)
        session.meddle(lets_out=True)


SCRIPTS: Final[tuple[Callable[[], None], ...]] = (
    an_answer_belongs_to_the_candidate_that_it_was_about,
    a_failed_call_is_about_all_that_its_verifier_covers,
    what_was_rejected_stays_so,
    what_was_spent_stays_spent,
    what_was_used_stays_used,
    a_refused_answer_bars_over_a_new_plan,
    harm_and_loss_of_a_refused_answer_are_heard,
    every_answer_may_invalidate,
    a_refused_answer_may_invalidate,
    another_error_or_sentence_is_another_memory,
    errors_that_are_clipped_alike_are_alike,
    claims_that_an_answer_ties_are_kept_together,
    claims_may_join_a_draw,
    what_contradicts_bars_over_a_new_plan,
    what_contradicts_what_was_refused_bars_too,
    who_is_not_there_reports_nothing,
    a_report_that_is_cut_off_must_come_again,
    what_is_cut_off_changes_nothing_else,
    a_policy_cannot_ask_its_own_gate,
)
