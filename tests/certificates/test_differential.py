"""The checker and the core agree on generated certificates; the million is a command."""

import pytest

from licet_proofs import malformed, tampering
from licet_proofs.checked import TAMPERS, compare, main

# What these change is what is certified, whatever else is mended.
NEVER_TRUE = (
    "wrong_conclusions wrong_maximal forged_hash other_spelling other_sum swapped_route other_lack"
    " other_keys invented_closure"
).split()

# It mostly does not matter who attests, nor whether there was a second judge; a derivation that is
# changed is rarely right.
RARELY_WRONG = ("other_attester", "other_mode", "other_quote", "other_text", "dropped_retraction")
RARELY_TRUE = ("other_derivation",)


@pytest.mark.slow
def test_they_agree_on_a_sample() -> None:
    tally = compare("sample", 15_000)
    assert tally.disagreements == []
    assert tally.cases == 15_000
    assert len(tally.distinct) > 13_500
    assert tally.refused["genuine"] == 0 < tally.accepted["genuine"]
    for tamper in TAMPERS:
        least = 1 if tamper.__name__ in RARELY_WRONG else 10
        assert (tally.refused[tamper.__name__] >= least) != (tamper is tampering.renamed_record)
        if tamper.__name__ not in RARELY_TRUE:
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
