"""`licet export`, `licet import` and `licet verify`: what they print, and how they end."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from licet_bindings.durable.ledgers import DurableLedger
from licet_bindings.durable.sqlite_store import SqliteStore
from tests.bindings.commands import licet
from tests.bindings.test_entry_point import absent
from tests.bindings.test_entry_point import licet as licet_process
from tests.durable.stated import TIME, Keys, committed, keys, write_review


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.ledger"
    with SqliteStore.open(path) as store:
        write_review(store)
        write_review(store, "second")
        DurableLedger(store, clock=lambda: TIME).review(
            committed(), lambda check: {}, name="open", budget=1
        )
    return path


@pytest.fixture
def pair(tmp_path: Path) -> Keys:
    return keys(tmp_path, "own")


@pytest.fixture
def exported(ledger: Path, tmp_path: Path) -> Path:
    path = tmp_path / "entries.jsonl"
    assert licet("export", ledger, "--output", path).exit_code == 0
    return path


@pytest.fixture
def signed(ledger: Path, pair: Keys, tmp_path: Path) -> Path:
    path = tmp_path / "signed.jsonl"
    options = ("--format", "in-toto", "--key", pair.private, "--output", path)
    done = licet("export", ledger, *options)
    assert (done.exit_code, done.stdout) == (0, "")
    assert (
        done.stderr
        == 'licet: left out: nothing can be stated of "open": the review has not ended\n'
    )
    return path


def head(ledger: Path) -> str:
    with SqliteStore.read(ledger) as store:
        last = store.head()
    return f"{last.sequence}:{last.digest.hex()}"


def test_a_ledger_goes_out_and_comes_back(ledger: Path, exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    done = licet("import", exported, copy)
    assert (done.exit_code, done.stdout) == (0, f"16 entries; the head is {head(ledger)}\n")
    with SqliteStore.read(ledger) as old, SqliteStore.read(copy) as new:
        assert tuple(new.entries()) == tuple(old.entries())
    again = licet("export", copy)
    assert (again.exit_code, again.stdout) == (0, exported.read_text(encoding="utf-8"))


def test_an_import_goes_on_as_the_ledger_would(exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ledger"
    assert licet("import", exported, copy).exit_code == 0
    with DurableLedger.open(copy, create=False) as opened:
        review = opened.resume("open", lambda check: {check.identifier: True})
        assert review.check("details").values == (("details", True),)


def test_standard_output_may_be_named(ledger: Path, exported: Path) -> None:
    done = licet("export", ledger, "--output", "-")
    assert done.stdout == exported.read_text(encoding="utf-8")


def test_a_ledger_is_verified(ledger: Path, exported: Path) -> None:
    done = licet("verify", exported)
    said = f"a ledger of 16 entries from the first, with the head {head(ledger)}"
    assert (done.exit_code, done.stdout) == (0, f"holds: {exported}: {said}\n")


def test_one_episode_is_verified_but_not_imported(ledger: Path, tmp_path: Path) -> None:
    path, copy = tmp_path / "one.jsonl", tmp_path / "copy.ledger"
    assert licet("export", ledger, "--episode", "second", "--output", path).exit_code == 0
    done = licet("verify", path)
    assert done.exit_code == 0
    assert 'one episode, "second", 8 entries, with its outcome; ' in done.stdout
    assert "so it is no ledger" in done.stdout
    refused = licet("import", path, copy)
    assert refused.exit_code == 1
    assert ":2: expected entry 2 of a ledger from its first, found entry 9" in refused.stderr
    assert not list(tmp_path.glob("copy.ledger*"))


def test_a_changed_line_is_a_finding(exported: Path, tmp_path: Path) -> None:
    text = exported.read_text(encoding="utf-8")
    exported.write_text(text.replace('"position":3', '"position":4', 1), encoding="utf-8")
    for command in (("verify", exported), ("import", exported, tmp_path / "copy.ledger")):
        done = licet(*command)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.endswith(":5: its digest is not that of its content\n")
    assert not list(tmp_path.glob("copy.ledger*"))


def test_nothing_is_imported_over_anything(exported: Path, ledger: Path, tmp_path: Path) -> None:
    before = head(ledger)
    link = tmp_path / "link.ledger"
    link.symlink_to(tmp_path / "nowhere")
    for place in (ledger, exported, tmp_path, link):
        done = licet("import", exported, place)
        assert done.exit_code == 2
        assert "LEDGER: expected a path where nothing is" in done.stderr
    assert head(ledger) == before
    assert licet("import", exported, tmp_path / "none" / "a.ledger").exit_code == 2


def test_a_broken_chain_is_not_exported(ledger: Path, pair: Keys, tmp_path: Path) -> None:
    with sqlite3.connect(ledger) as connection:
        connection.execute("UPDATE entries SET time = time || '0' WHERE sequence = 12")
    connection.close()
    output = tmp_path / "out.jsonl"
    for options in ((), ("--format", "in-toto"), ("--format", "in-toto", "--episode", "first")):
        done = licet("export", ledger, *options, "--output", output)
        assert (done.exit_code, done.stdout) == (1, "")
        assert "entry 12: its digest is not that of its content" in done.stderr
        assert not output.exists()


def test_signed_statements_are_verified(ledger: Path, pair: Keys, signed: Path) -> None:
    done = licet("verify", signed, "--key", pair.public)
    first, second = done.stdout.splitlines()
    assert done.exit_code == 0
    assert first.startswith(f"holds: {signed}:1: review \"first\" reports ['described'], program ")
    assert 'record "a record", entry 8 of a ledger with the head ' + head(ledger) in first
    assert "; signed by " in second


def test_each_statement_is_judged_for_itself(pair: Keys, signed: Path, tmp_path: Path) -> None:
    first, second = signed.read_text(encoding="utf-8").splitlines(keepends=True)
    signed.write_text(first.replace('"sig":"', '"sig":"AAAA', 1) + second, encoding="utf-8")
    done = licet("verify", signed, "--key", pair.public)
    assert done.exit_code == 1
    assert done.stdout.startswith(f'holds: {signed}:2: review "second"')
    assert f"{signed}:1: signatures.0: expected a signature by" in done.stderr
    signed.write_text(first + "{}\n", encoding="utf-8")
    assert licet("verify", signed, "--key", pair.public).exit_code == 2
    other = keys(tmp_path, "other")
    signed.write_text(second, encoding="utf-8")
    done = licet("verify", signed, "--key", other.public)
    assert (done.exit_code, done.stdout) == (1, "")
    done = licet("verify", signed, "--key", other.public, "--key", pair.public)
    assert done.exit_code == 0


def test_without_a_key_a_bare_statement_says_so(ledger: Path, pair: Keys, tmp_path: Path) -> None:
    done = licet("export", ledger, "--format", "in-toto", "--episode", "first")
    assert (done.exit_code, done.stderr) == (0, "licet: nobody signed this: no --key was given\n")
    assert json.loads(done.stdout)["_type"] == "https://in-toto.io/Statement/v1"
    path = tmp_path / "bare.json"
    path.write_text(done.stdout, encoding="utf-8")
    verified = licet("verify", path)
    assert verified.exit_code == 0
    assert verified.stdout.endswith("; nobody signed this\n")
    trusted = licet("verify", path, "--key", pair.public)
    assert (trusted.exit_code, trusted.stdout) == (1, "")
    assert "expected a signed envelope; nobody signed this" in trusted.stderr


def test_a_signed_statement_needs_a_key(signed: Path) -> None:
    done = licet("verify", signed)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--key: expected the key of whom you trust" in done.stderr


def test_entries_need_none(exported: Path, pair: Keys) -> None:
    done = licet("verify", exported, "--key", pair.public)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "has entries, which nobody signs" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "csv"), "--format: expected one of jsonl, in-toto"),
        (("--episode", "third"), "--episode: "),
        (("--episode", "open", "--format", "in-toto"), "--episode: nothing can be stated of"),
        (("--key", "{private}"), "--key: expected --format in-toto"),
        (("--format", "in-toto", "--key", "{public}"), "expected a private key in PEM"),
        (("--format", "in-toto", "--key", "{folder}"), "cannot be read"),
        (("--format", "in-toto", "--key", "{folder}/none"), "cannot be read: No such file"),
        (("--output", "{ledger}"), "--output: expected another file"),
        (("--output", "{ledger}-wal"), "--output: expected another file"),
        (
            ("--format", "in-toto", "--key", "{private}", "--output", "{private}"),
            "--output: expected another file",
        ),
    ],
)
def test_bad_input(
    ledger: Path, pair: Keys, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    names = {**pair._asdict(), "folder": tmp_path, "ledger": ledger}
    private = pair.private.read_bytes()
    with SqliteStore.open(ledger):  # While somebody has it open, there is a log beside it.
        done = licet("export", ledger, *(option.format(**names) for option in options))
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert pair.private.read_bytes() == private


def test_other_keys(ledger: Path, signed: Path, pair: Keys, tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        PublicFormat,
    )

    made = ec.generate_private_key(ec.SECP256R1())
    private, public = tmp_path / "ec.pem", tmp_path / "ec.pub.pem"
    private.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(
        made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    locked = keys(tmp_path, "locked", b"secret").private
    for key, message in (
        (private, "expected an Ed25519 key"),
        (locked, "expected a private key without a password"),
    ):
        done = licet("export", ledger, "--format", "in-toto", "--key", key)
        assert (done.exit_code, done.stderr) == (2, f"licet: {key}: {message}\n")
    for key, message in (
        (public, "expected an Ed25519 key"),
        (pair.private, "expected a public key in PEM"),
        (tmp_path / "none", "cannot be read: No such file or directory"),
    ):
        done = licet("verify", signed, "--key", key)
        assert (done.exit_code, done.stderr) == (2, f"licet: {key}: {message}\n")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_keys_that_openssl_made(ledger: Path, tmp_path: Path) -> None:
    private, public = tmp_path / "a.pem", tmp_path / "a.pub.pem"
    for command in (
        f"openssl genpkey -algorithm ed25519 -out {private}",
        f"openssl pkey -in {private} -pubout -out {public}",
    ):
        subprocess.run(command.split(), check=True, capture_output=True)
    path = tmp_path / "signed.jsonl"
    options = ("--format", "in-toto", "--episode", "first", "--key", private, "--output", path)
    assert licet("export", ledger, *options).exit_code == 0
    assert licet("verify", path, "--key", public).exit_code == 0


def test_what_is_no_export(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for content, message in (
        ("", "expected lines of JSON, found nothing"),
        ("[]\n", "expected an object"),
        ("{\n", "not JSON"),
        ("{}\n", "sequence: expected this key"),
    ):
        path.write_text(content, encoding="utf-8")
        done = licet("verify", path)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr


@pytest.mark.parametrize("missing", ["securesystemslib", "cryptography"])
def test_a_missing_package_names_the_extra(ledger: Path, pair: Keys, missing: str) -> None:
    options = ("--format", "in-toto", "--key", str(pair.private))
    done = licet_process(absent(missing), "export", str(ledger), *options)
    assert (done.returncode, done.stdout) == (2, "")
    expected = f"licet: signing and verifying needs {missing}: pip install 'licet[attest]'\n"
    assert done.stderr == expected


def test_without_the_extra_the_rest_works(ledger: Path, tmp_path: Path) -> None:
    setup = absent("securesystemslib", "cryptography")
    path = tmp_path / "bare.jsonl"
    options = ("--format", "in-toto", "--episode", "first", "--output", str(path))
    assert licet_process(setup, "export", str(ledger), *options).returncode == 0
    assert licet_process(setup, "verify", str(path)).returncode == 0


def test_names_are_told_in_full(tmp_path: Path) -> None:
    path, out, one = tmp_path / "reviews.licet", tmp_path / "bare.jsonl", tmp_path / "one.jsonl"
    name = "records/" + "a" * 150 + ".json"
    with SqliteStore.open(path) as store:
        write_review(store)
        write_review(store, name)
    assert licet("export", path, "--format", "in-toto", "--output", out).exit_code == 0
    assert licet("export", path, "--episode", name, "--output", one).exit_code == 0
    for file, said in ((out, f'review "{name}" reports'), (one, f'one episode, "{name}", ')):
        assert said in licet("verify", file).stdout
