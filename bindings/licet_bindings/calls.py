"""The calls of a program: those that a document states, and those that its atoms bring with them.

Atoms that are judged on one text share one read of it. An atom with candidate fields has a call of
its own, which reads one of them at a time. Any other atom that no stated call settles is a call of
its own too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from licet import Atom, Check, CheckKind, Fault, InvalidInput, Specification, own_checks
from licet.objects import identifier
from licet_bindings.amounts import MAX_CHECKS
from licet_bindings.models import CheckModel
from licet_bindings.records.field_tests import AtomTest, CandidateTests, JudgedText
from licet_bindings.records.paths import Path, path_text
from licet_bindings.strict import Misplaced

MAX_SETTLED: Final = 10_000
"""Entries in the lists `settles` of one program, at most."""

TEXT_PREFIX: Final = "text:"
"""What the name of a text's read begins with where no stated call names it."""


def registered_checks(
    stated: Mapping[str, CheckModel], tests: Mapping[str, AtomTest], atoms: tuple[Atom, ...]
) -> tuple[Check, ...]:
    """Return all calls of a program.

    Args:
        stated: the calls that the document states.
        tests: for each atom what is done for it.
        atoms: the atoms.

    Raises:
        Misplaced: a stated call mixes what one call cannot do, has another's name, or there are too
            many calls.
    """
    _require_few_entries(stated)
    _require_one_call_each(stated, tests)
    texts = _texts(tests)
    checks = [_stated_check(name, call, tests, texts) for name, call in stated.items()]
    settled = {atom for call in stated.values() for atom in call.settles}
    for path, judged in texts.items():
        if not settled & set(judged):
            checks.append(_text_read(path, judged, stated, tests))
    for atom, test in tests.items():
        if isinstance(test, CandidateTests) and atom not in settled:
            checks.append(_looking(Check(atom, (atom,)), test))
    registered = own_checks(atoms, tuple(checks))
    _require_few_calls(registered)
    return registered


def unfit_checks(specification: Specification, tests: Mapping[str, AtomTest]) -> Iterator[Fault]:
    """Yield the checks that are not what their atoms' tests say: another kind, or other places."""
    for check in specification.checks:
        found = [tests[atom] for atom in check.settles if atom in tests]
        place = f"checks.{check.identifier}"
        judged = {test.path for test in found if isinstance(test, JudgedText)}
        if judged and (len(judged) > 1 or not all(isinstance(t, JudgedText) for t in found)):
            yield Fault(place, "expected atoms that are judged on one text, or none of them")
        elif (check.kind is CheckKind.TEXT) is not bool(judged):
            yield Fault(place, "expected a text read exactly where its atoms are judged on a text")
        for test in found:
            wanted: tuple[tuple[str, ...], bool | None] = ((), None)
            if isinstance(test, CandidateTests):
                wanted = test.candidates, test.exhausted
            if (check.candidates, check.exhausted) != wanted:
                yield Fault(place, "expected the candidates that its atom's test states")


def _texts(tests: Mapping[str, AtomTest]) -> dict[Path, tuple[str, ...]]:
    """Return for each text the atoms that are judged on it, by name."""
    texts: dict[Path, list[str]] = {}
    for atom in sorted(tests):
        test = tests[atom]
        if isinstance(test, JudgedText):
            texts.setdefault(test.path, []).append(atom)
    return {path: tuple(atoms) for path, atoms in texts.items()}


def _stated_check(
    name: str,
    call: CheckModel,
    tests: Mapping[str, AtomTest],
    texts: Mapping[Path, tuple[str, ...]],
) -> Check:
    place = ("checks", name, "settles")
    if name in tests and name not in call.settles:
        raise Misplaced(
            f"expected a name of its own, or a call that settles the atom {name!r}, whose name"
            " it has",
            place[:2],
        )
    # An atom that nobody knows is a fault that the kernel names.
    found = {atom: tests[atom] for atom in call.settles if atom in tests}
    check = Check(name, tuple(call.settles), call.cost)
    for atom, test in found.items():
        if isinstance(test, CandidateTests):
            if len(call.settles) > 1:
                raise Misplaced(
                    f"{atom!r} has several candidate fields; expected it in no call with others",
                    place,
                )
            return _looking(check, test)
    paths: dict[Path, str] = {}
    for atom, test in found.items():
        if isinstance(test, JudgedText):
            paths.setdefault(test.path, atom)
    if not paths:
        return check
    _require_one_text(found, paths, place)
    ((path, _),) = paths.items()
    missing = [atom for atom in texts[path] if atom not in found]
    if missing:
        raise Misplaced(
            f"expected every atom that is judged on the text {path_text(path)!r}, for they share"
            f" its read; {missing[0]!r} is not there",
            place,
        )
    return Check(name, check.settles, check.cost, CheckKind.TEXT)


def _require_one_call_each(stated: Mapping[str, CheckModel], tests: Mapping[str, AtomTest]) -> None:
    """Refuse two calls that read the same candidates: each would read, and be charged for, all."""
    calls: dict[str, str] = {}
    for name, call in stated.items():
        for atom in call.settles:
            if isinstance(tests.get(atom), CandidateTests) and calls.setdefault(atom, name) != name:
                raise Misplaced(
                    f"{atom!r} has several candidate fields; expected one call of it, found also"
                    f" {calls[atom]!r}",
                    ("checks", name, "settles"),
                )


def _require_one_text(
    found: Mapping[str, AtomTest], paths: Mapping[Path, str], place: tuple[str, ...]
) -> None:
    (path, judged), *others = paths.items()
    read = next((atom for atom, test in found.items() if not isinstance(test, JudgedText)), None)
    other = others[0][1] if others else read
    if other is not None:
        where = f"on {path_text(others[0][0])!r}" if others else "at a field"
        raise Misplaced(
            f"expected atoms of one text, or of fields; {judged!r} is judged on the text"
            f" {path_text(path)!r}, and {other!r} is {'judged' if others else 'read'} {where}",
            place,
        )


def _looking(check: Check, test: CandidateTests) -> Check:
    return Check(
        check.identifier,
        check.settles,
        check.cost,
        candidates=test.candidates,
        exhausted=test.exhausted,
    )


def _text_read(
    path: Path,
    judged: tuple[str, ...],
    stated: Mapping[str, CheckModel],
    tests: Mapping[str, AtomTest],
) -> Check:
    name = TEXT_PREFIX + path_text(path)
    try:
        identifier(name, "")
    except InvalidInput:
        raise Misplaced(
            f"expected a call in `checks` that settles it and names the read of the text, for the"
            f" path can name none: {name!r} is no identifier",
            ("atoms", judged[0], "text"),
        ) from None
    taken = "checks" if name in stated else "atoms" if name in tests else ""
    if taken and name not in judged:
        raise Misplaced(
            f"expected another name: this is that of the read of the text {path_text(path)!r}",
            (taken, name),
        )
    return Check(name, judged, kind=CheckKind.TEXT)


def _require_few_entries(stated: Mapping[str, CheckModel]) -> None:
    entries = sum(len(call.settles) for call in stated.values())
    if entries > MAX_SETTLED:
        raise Misplaced(
            f"expected at most {MAX_SETTLED:,} atoms in all lists `settles`, found {entries:,}",
            ("checks",),
        )


def _require_few_calls(checks: Iterable[Check]) -> None:
    count = sum(
        max(1, len(check.candidates)) + (len(check.settles) if check.kind is CheckKind.TEXT else 0)
        for check in checks
    )
    if count > MAX_CHECKS:
        raise Misplaced(
            f"expected at most {MAX_CHECKS:,} in one program, each atom in none counted as one,"
            f" and each candidate field and each judged atom; found {count:,}",
            ("checks",),
        )
