"""Each planted bug is caught by the property named for it, and by nothing else."""

import pytest

from licet_proofs.catalogue import catalogue
from licet_proofs.planted import BUGS, NotPlanted, Verdict, catch, control, kernel_copy
from licet_proofs.planted_bug import Bug

FIVE = {
    "a polarity is flipped",
    "a conflict is read as true",
    ">= for > in the hold indicator",
    "a charge is forgotten",
    "a weaker conclusion's route is used for a stronger one",
}


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_bug_is_caught(bug: Bug) -> None:
    finding = catch(bug)
    print(f"{bug.name}: {finding.property} {finding.verdict.value}: {finding.seen}")
    assert finding.verdict is Verdict.FALLS, finding


@pytest.mark.slow
def test_the_unchanged_kernel_has_every_property() -> None:
    findings = control()
    assert findings
    assert [finding for finding in findings if finding.verdict is not Verdict.HOLDS] == []


def test_every_property_is_broken_by_some_bug() -> None:
    assert set(catalogue()) == {bug.falls for bug in BUGS}


def test_the_bugs_that_must_be_among_them_are() -> None:
    names = [bug.name for bug in BUGS]
    assert set(names) >= FIVE
    assert len(set(names)) == len(names)


MISPLACED = (
    Bug("absent", "decisions.py", "no such passage", "", ""),
    Bug("ambiguous", "decisions.py", "return", "", ""),
)


@pytest.mark.parametrize("bug", MISPLACED, ids=lambda bug: bug.name)
def test_a_bug_that_cannot_be_planted_exactly_is_an_error(bug: Bug) -> None:
    with pytest.raises(NotPlanted, match=bug.name), kernel_copy(bug):
        pytest.fail("it was planted")
