"""The checker and the core agree on generated certificates; the million is a command."""

import pytest

from licet_proofs import malformed, tampering
from licet_proofs.checked import compare, main

# What these change is what is certified, whatever else is mended.
NEVER_TRUE = (
    "wrong_conclusions wrong_maximal forged_hash other_spelling other_sum swapped_route other_lack"
).split()


@pytest.mark.slow
def test_they_agree_on_a_sample() -> None:
    tally = compare("sample", 6_000)
    assert tally.disagreements == []
    assert tally.cases == 6_000
    assert len(tally.distinct) > 5_000
    assert tally.refused["genuine"] == 0 < tally.accepted["genuine"]
    for tamper in tampering.KINDS:
        assert (tally.refused[tamper.__name__] > 20) != (tamper is tampering.renamed_record)
        assert (tally.accepted[tamper.__name__] == 0) == (tamper.__name__ in NEVER_TRUE)
    for broken in malformed.KINDS:
        assert tally.refused[broken.__name__] > 20
        assert tally.accepted[broken.__name__] == 0


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "200", "--workers", "1", "--seed", "7"]) == 0
    *rows, last = capsys.readouterr().out.splitlines()
    assert last.startswith("200 certificates, ")
    assert ": 0 disagreements; " in last
    assert sum(int(row.split()[1]) for row in rows[1:]) == 200


def test_a_disagreement_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("licet_proofs.checked.could_be_issued", lambda stated: True)
    monkeypatch.setattr("licet_proofs.checked.chunks", lambda *_: [compare("shown", 100)])
    assert main(["--cases", "100"]) == 1
    assert "to be accepted; the checker: " in capsys.readouterr().out
