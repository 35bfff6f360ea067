"""What the bindings certify: every review that the kernel can run, and nothing else."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from licet import (
    Atom,
    Check,
    Commitment,
    Conclusion,
    Entry,
    InvalidInput,
    Program,
    Review,
    Specification,
    Unavailable,
    commit,
    own_checks,
)
from licet_bindings import certificates, certified_events
from licet_bindings.certificates import certificate_line, certificate_of, certificate_of_review
from licet_bindings.documents import commit_document, read_document
from licet_proofs import checker
from licet_proofs.certified import Ran, random_review
from licet_proofs.certified_programs import random_commitment
from tests.bindings.commands import licet, lines

EXAMPLES = Path(__file__).parents[2] / "examples"
DOMAINS = ("advisories", "filings", "recalls", "trials")


def without_derivations(certificate: Mapping[str, object]) -> dict[str, object]:
    """Return all but what may be shown in several ways."""
    return {k: v for k, v in certificate.items() if k not in ("models", "closures")}


def reviews(count: int) -> list[Ran]:
    random = Random("emission")
    programs = [random_commitment(random) for _ in range(count // 5)]
    return [random_review(program, random) for program in programs for _ in range(5)]


@pytest.mark.slow
def test_what_is_emitted_is_what_the_outcome_says() -> None:
    versions = set()
    for ran in reviews(400):
        made = certificate_of(ran.outcome, ran.completion, ran.history, "a record", ran.verified)
        assert without_derivations(made) == without_derivations(ran.certificate)
        checker.judged(certificate_line(made), {ran.outcome.commitment.sha256})
        versions.add(made["licet_certificate"])
    assert versions == {1, 2, 3}


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_examples(domain: str, tmp_path: Path) -> None:
    program, file = EXAMPLES / domain / "program.json", tmp_path / "certificates.jsonl"
    records = EXAMPLES / domain / "records"
    result = licet("review", program, records, "--json", "--certificates", file)
    assert result.exit_code == 0, result.output
    reports = lines(result)
    written = file.read_text(encoding="ascii").splitlines()
    assert len(written) == len(reports) > 5
    for report, line in zip(reports, written, strict=True):
        made = json.loads(line)
        checker.judged(line, {commit_document(read_document(program)).sha256})
        for key in ("record", "program_sha256", "conclusions", "ended"):
            assert made[key] == report[key]
        assert list(made["holding"]) == report["authorized"]
        assert made["unresolved"].keys() == report["unresolved"].keys()
        assert Fraction(made["spent"]) == report["spent"]
    assert checker.main([str(file)]) == 0


def test_the_example_of_judged_texts(tmp_path: Path) -> None:
    folder, file = EXAMPLES / "advisories", tmp_path / "certificates.jsonl"
    result = licet(
        *("review", folder / "text_judgements.json", folder / "records", "--certificates", file),
        *("--attestations", folder / "text_judgements.jsonl", "--json"),
    )
    assert result.exit_code == 0, result.output
    written = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    assert {made["licet_certificate"] for made in written} == {2}
    answers = {event["answer"] for made in written for event in made["events"]}
    assert answers >= {"recorded", "admitted"}
    assert [made["conclusions"] for made in written] == [r["conclusions"] for r in lines(result)]
    assert checker.main([str(file)]) == 0


@pytest.mark.parametrize("options", [[], ["--no-complete"], ["--budget", "2.5"], ["--budget", "0"]])
def test_one_record(options: list[str], program: Path, record: Path, tmp_path: Path) -> None:
    file = tmp_path / "certificates"
    result = licet("review", program, record, "--certificates", file, *options)
    assert result.exit_code == 0, result.output
    assert len(file.read_text(encoding="ascii").splitlines()) == 1
    assert checker.main([str(file)]) == 0


def test_a_record_that_cannot_be_read_has_no_certificate(
    program: Path, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "certificates"
    result = licet("review", program, folder, "--certificates", file)
    assert result.exit_code == 2
    written = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    assert [Path(made["record"]).name for made in written] == ["a.json", "c.json"]
    assert checker.main([str(file)]) == 0


def test_a_file_that_cannot_be_written(program: Path, record: Path, tmp_path: Path) -> None:
    result = licet("review", program, record, "--certificates", tmp_path)
    assert result.exit_code == 2
    assert "--certificates" in result.stderr
    assert "cannot be written" in result.stderr
    assert result.stdout == ""


def small(cost: Fraction = Fraction(1)) -> Commitment:
    atoms = (Atom("a", "a condition"), Atom("b", "another"))
    specification = Specification(
        (Conclusion("ready", "It is.", 1),), atoms, own_checks(atoms, (Check("b", ("b",), cost),))
    )
    return commit(specification, Program.of({"ready": [["a", "!b"]]}))


def test_what_a_resolver_says_is_kept_as_text() -> None:
    answers = {"a": {"a": Unavailable("half \ud800\n")}, "b": {"b": 1}}
    review = Review(small(), lambda check: answers[check.identifier], budget=5)  # type: ignore[arg-type,return-value]
    review.check("a")
    review.check("b")
    review.check("nonsense")
    review.check("nonsense")
    review.close()
    made = certificate_of_review(review, "\udfff")
    assert [event["answer"] for event in made["events"]] == ["recorded", "failed", "unrecognized"]
    assert made["events"][0]["unavailable"] == {"a": "half \\ud800\n"}
    assert made["record"] == "\\udfff"
    checker.judged(certificate_line(made), set())


def test_an_open_review_has_no_certificate() -> None:
    review = Review(small(), lambda check: {}, budget=5)
    with pytest.raises(InvalidInput, match="has ended"):
        certificate_of_review(review)


def test_the_history_must_be_the_outcomes() -> None:
    for ran in reviews(60):
        for history in (ran.history[:-1], ran.history[1:], (*ran.history, *ran.history)):
            try:
                made = certificate_of(
                    ran.outcome, ran.completion, history, "a record", ran.verified
                )
            except InvalidInput as fault:
                assert fault.place.startswith("history")
            else:
                # What was left out or came too late had no price and changed nothing.
                assert without_derivations(made) == without_derivations(ran.certificate)


def test_an_entry_of_another_review_is_found() -> None:
    ran = next(ran for ran in reviews(50) if ran.certificate["events"])
    other: tuple[Entry, ...] = ()
    with pytest.raises(InvalidInput, match="whole history of this outcome"):
        certificate_of(ran.outcome, ran.completion, other)


def test_the_limits_are_the_checkers() -> None:
    assert certificates.SIZE == checker.SIZE
    assert tuple(certificates.MOST.values()) == checker.MOST
    for made, form in (
        (certificates.ReviewCertificate, checker.CERTIFICATE),
        (certified_events.CertifiedEvent, checker.EVENT),
    ):
        assert list(made.__annotations__) == [key.rstrip("?") for key in form]
        optional = [k for k, said in made.__annotations__.items() if "NotRequired" in str(said)]
        assert optional == [key[:-1] for key in form if key.endswith("?")]
    assert checker.AMOUNT.fullmatch("1/" + "9" * certified_events.DIGITS)
    assert not checker.AMOUNT.fullmatch("1/1" + "0" * certified_events.DIGITS)


def test_a_program_that_no_certificate_can_hold() -> None:
    atoms = tuple(Atom(f"a{number}", "") for number in range(1_001))
    specification = Specification((Conclusion("ready", "", 1),), atoms, own_checks(atoms))
    commitment = commit(specification, Program.of({"ready": [["a0"]]}))
    review = Review(commitment, lambda check: {}, budget=0)
    review.close()
    with pytest.raises(InvalidInput, match=r"program\.atoms: .*1,000, found 1,001"):
        certificate_of_review(review)


def test_charges_that_no_certificate_can_hold() -> None:
    atoms = (Atom("a", ""), Atom("b", ""))
    costs = [Fraction(1, 10**39 + step) for step in (1, 7)]
    checks = tuple(
        Check(x.identifier, (x.identifier,), c) for x, c in zip(atoms, costs, strict=True)
    )
    commitment = commit(
        Specification((Conclusion("ready", "", 1),), atoms, checks), Program.of({"ready": [["a"]]})
    )
    review = Review(commitment, lambda check: {check.identifier: False}, budget=5)
    review.check("b")
    review.check("a")
    review.close()
    with pytest.raises(InvalidInput, match="at most 40 digits"):
        certificate_of_review(review)


def test_a_certificate_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    review = Review(small(), lambda check: {}, budget=0)
    review.close()
    made = certificate_of_review(review)
    size = len(certificate_line(made))
    monkeypatch.setattr(certificates, "SIZE", size)
    assert certificate_line(made)
    monkeypatch.setattr(certificates, "SIZE", size - 1)
    with pytest.raises(InvalidInput, match="at most"):
        certificate_line(made)
