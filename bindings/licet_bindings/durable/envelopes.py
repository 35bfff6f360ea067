"""Signed envelopes (DSSE) around in-toto statements, and the Ed25519 keys for them.

The envelope, its encoding for signatures, the keys and the signers are those of securesystemslib,
which the extra `attest` brings; it is imported where it is used. No key is ever written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from licet_bindings.durable.errors import NotVerified
from licet_bindings.durable.jsonl import BASE64, LONGEST, base64_bytes
from licet_bindings.errors import DocumentError, dotted, expected_one_of, printable, shown
from licet_bindings.files import open_regular
from licet_bindings.strict import Misplaced
from licet_bindings.syntax import decode, read_record_text

if TYPE_CHECKING:
    from securesystemslib.signer import Key, Signer

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
"""The media type of what an envelope holds."""

_ENVELOPE_KEYS: Final = ("payload", "payloadType", "signatures")
_SIGNATURE_KEYS: Final = ("keyid", "sig")
_SIGNATURES: Final = 100
_LONGEST_KEY: Final = 100_000


class Opened(NamedTuple):
    """What was signed, and by which keys.

    Attributes:
        payload: the signed bytes.
        keys: the identifier of each key that signed it, in the order of the signatures.
    """

    payload: bytes
    keys: tuple[str, ...]


def read_signer(path: str | Path) -> Signer:
    """Return what signs with the Ed25519 private key in a PEM file (PKCS #8, without a password).

    Raises:
        DocumentError: the file cannot be read, or holds no such key; the key is not shown.
        ModuleNotFoundError: the extra `attest` is not installed.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key
    from securesystemslib.signer import CryptoSigner

    content = _key_file(path)
    try:
        key = load_pem_private_key(content, None)
    except TypeError:
        raise _no_key(path, "a private key without a password") from None
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key(path, "a private key in PEM") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path, "an Ed25519 key")
    return CryptoSigner(key)


def read_key(path: str | Path) -> Key:
    """Return the Ed25519 public key in a PEM file.

    Raises:
        DocumentError: the file cannot be read, or holds no such key.
        ModuleNotFoundError: the extra `attest` is not installed.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.signer import SSlibKey

    content = _key_file(path)
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key(path, "a public key in PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise _no_key(path, "an Ed25519 key")
    return SSlibKey.from_crypto(key)


def sealed(payload: bytes, signer: Signer) -> str:
    """Return a statement in a signed envelope, as one line of JSON that ends in a line feed."""
    from securesystemslib.dsse import Envelope

    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return json.dumps(envelope.to_dict(), sort_keys=True, separators=(",", ":")) + "\n"


def opened(line: str | bytes, keys: Sequence[Key], name: str = "envelope") -> Opened:
    """Return what an envelope holds, once each of its signatures is verified by one of the keys.

    Args:
        line: the envelope.
        keys: the public keys that are trusted.
        name: what messages call the envelope.

    Raises:
        DocumentError: it is no envelope of an in-toto statement, in one line of JSON without
            spaces.
        NotVerified: nobody signed it, or a signature is by none of the keys.
        ModuleNotFoundError: the extra `attest` is not installed.
    """
    from securesystemslib.dsse import Envelope

    content = _envelope(line, name)
    payload = _bytes(name, "payload", content["payload"])
    listed = content["signatures"]
    if not isinstance(listed, list) or len(listed) > _SIGNATURES:
        raise DocumentError(name, "signatures", f"expected a list of at most {_SIGNATURES}")
    if not listed:
        raise NotVerified(name, "expected a signature, found none")
    signed = Envelope(payload, PAYLOAD_TYPE, {}).pae()
    signers = tuple(_signed_by(name, i, each, signed, keys) for i, each in enumerate(listed))
    if len(set(signers)) != len(signers):
        raise NotVerified(name, "expected one signature by each key, found two by one")
    return Opened(payload, signers)


def _envelope(line: str | bytes, name: str) -> dict[str, object]:
    """Return an envelope's keys and values; the payload's type is the one that is known here."""
    if len(line) > LONGEST:
        raise DocumentError(name, "", f"expected at most {LONGEST:,} bytes")
    try:
        text = decode(line) if isinstance(line, bytes) else line
        tree = read_record_text(text)
    except Misplaced as fault:
        raise DocumentError(name, dotted(fault.path), fault.problem) from None
    # Space between the parts is signed by nobody: where none is, no byte can change unnoticed.
    # Nor is any escape needed, and each would be another way to write the same character.
    if set(" \t\r\n\\") & set(text.removesuffix("\n")):
        raise DocumentError(name, "", "expected an envelope in one line without spaces or escapes")
    content = _object(name, (), tree, _ENVELOPE_KEYS)
    for key in _ENVELOPE_KEYS:
        if key not in content:
            raise DocumentError(name, key, "expected this key, found none")
    if content["payloadType"] != PAYLOAD_TYPE:
        found = shown(content["payloadType"])
        raise DocumentError(name, "payloadType", f"expected {PAYLOAD_TYPE}, found {found}")
    return content


def _signed_by(name: str, index: int, given: object, signed: bytes, keys: Sequence[Key]) -> str:
    """Return the identifier of the key that made a signature; where it names one, only that."""
    from securesystemslib.exceptions import UnverifiedSignatureError
    from securesystemslib.signer import Signature

    signature = _object(name, ("signatures", index), given, _SIGNATURE_KEYS)
    place = f"signatures.{index}"
    made = _bytes(name, f"{place}.sig", signature.get("sig"))
    named = signature.get("keyid", "")
    for key in keys:
        if named in ("", key.keyid):
            try:
                key.verify_signature(Signature(key.keyid, made.hex()), signed)
            except UnverifiedSignatureError:
                continue
            return key.keyid
    by = f"the key {printable(named)}" if isinstance(named, str) and named else "a key"
    trusted = ", ".join(key.keyid for key in keys) or "no key"
    problem = f"expected a signature by {trusted}; found one of {by} that these do not verify"
    raise NotVerified(f"{name}: {place}", problem)


def _object(
    name: str, path: tuple[str | int, ...], tree: object, keys: tuple[str, ...]
) -> dict[str, object]:
    if not isinstance(tree, dict):
        raise DocumentError(name, dotted(path), f"expected an object, found {shown(tree)}")
    for key in tree:
        if key not in keys:
            problem = f"unknown key; {expected_one_of(key, keys)}"
            raise DocumentError(name, dotted((*path, key)), problem)
    return tree


def _bytes(name: str, place: str, value: object) -> bytes:
    found = base64_bytes(value) if isinstance(value, str) else None
    if found is None:
        raise DocumentError(name, place, BASE64)
    return found


def _key_file(path: str | Path) -> bytes:
    name = fspath(path)
    try:
        with open_regular(Path(path)) as file:
            content = file.read(_LONGEST_KEY + 1)
    except OSError as error:
        raise DocumentError(name, "", f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # A NUL character in the path.
        raise DocumentError(name, "", f"cannot be read: {error}") from None
    if len(content) > _LONGEST_KEY:
        raise DocumentError(name, "", f"expected a key of at most {_LONGEST_KEY:,} bytes")
    return content


def _no_key(path: str | Path, expected: str) -> DocumentError:
    return DocumentError(fspath(path), "", f"expected {expected}")
