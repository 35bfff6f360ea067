"""Certificates of the third version: digests of what was read, what has expired, and refusals."""

from collections.abc import Callable
from typing import Any, TypeAlias

from tests.certificates.samples import event
from tests.certificates.samples_evidence import AGENT, TEXT, attested, evidence

Json: TypeAlias = Any

NEWER = "A crash in libfoo 1.2. Nothing is fixed."


def expired(check: str, digest: str, charged: str = "0", **values: bool) -> Json:
    return {**event(check, "expired", charged, **values), "digest": digest}


def watched(alter: Callable[[Json], object] | None = None) -> Json:
    """Return the certificate in which the details and the text have a digest, `v1`."""

    def name(made: Json) -> None:
        made["licet_certificate"] = 3
        for place in (1, 2):
            made["events"][place]["digest"] = "v1"
        if alter is not None:
            alter(made)

    return evidence(name)


def changed_details(alter: Callable[[Json], object] | None = None) -> Json:
    """Return the one in which the details change at last: all that rested on them is gone."""

    def change(made: Json) -> None:
        made["events"].append(expired("details", "v2"))
        made["closures"].append(made["closures"][-1])
        made["models"].append(["known", "package", "reference", "url"])
        made.update(conclusions=["linked"], holding={"linked": ["known", "reference"]})
        made["unresolved"] = {
            "described": [["details"]],
            "located": [["details"]],
            "patched": [["details", "fixed"]],
        }
        if alter is not None:
            alter(made)

    return watched(change)


def changed_text(alter: Callable[[Json], object] | None = None) -> Json:
    """Return the one in which the text changes, is read again and is judged again."""

    def change(made: Json) -> None:
        text = {**event("text", "recorded", "2"), "text": NEWER, "digest": "v2"}
        again = attested("package", "admitted", True, "crash in libfoo", AGENT)
        made["events"] += [expired("text", "v2"), text, again]
        made.update(spent="16")
        if alter is not None:
            alter(made)

    return watched(change)


def read_again(alter: Callable[[Json], object] | None = None) -> Json:
    """Return the one in which the details change and are read again, with what they were."""

    def change(made: Json) -> None:
        made["events"] += [expired("details", "v2"), event("details", "recorded", details=True)]
        made.update(spent="14")
        if alter is not None:
            alter(made)

    return watched(change)


def at_last(**changed: Json) -> Json:
    """Return the one in which the details change at last, with another last event."""
    return changed_details(lambda c: c["events"][-1].update(changed))


def of_event(place: int, **changed: Json) -> Json:
    return watched(lambda c: c["events"][place].update(changed))


def text_with_values() -> Json:
    """Return a certificate that is right but for this: what read a text gave values."""

    def alter(made: Json) -> None:
        made["events"] = [event("text", "recorded", "2", fixed=True, package=True)]
        made["models"].append(["cwe", "fixed", "known", "package"])
        made.update(spent="2", conclusions=[], holding={}, closures=made["closures"][:1])
        made["unresolved"] = {
            "described": [["details"]],
            "located": [["details", "!cwe"]],
            "linked": [["reference"]],
            "patched": [["details"]],
        }

    return evidence(alter)


def field_with_text() -> Json:
    """Return a certificate that is right but for this: what reads a field gave a text."""

    def alter(made: Json) -> None:
        made["events"] = [{**event("details", "recorded"), "text": TEXT}]
        made.update(spent="1", conclusions=[], holding={}, closures=made["closures"][:1])
        made["unresolved"] = {
            "described": [["details"]],
            "located": [["details", "package", "!cwe"]],
            "linked": [["reference"]],
            "patched": [["details", "fixed"]],
        }

    return evidence(alter)


FRESH = (watched(), changed_details(), changed_text(), read_again())
"""What must be accepted."""

FRESHNESS_REFUSALS: dict[str, tuple[Json, str]] = {
    "values of what reads a text": (text_with_values(), "events.0"),
    "a text of what reads a field": (field_with_text(), "events.0"),
    "digests in the second version": (
        watched(lambda c: c.update(licet_certificate=2)),
        "licet_certificate",
    ),
    "the third version without a digest": (
        evidence(lambda c: c.update(licet_certificate=3)),
        "licet_certificate",
    ),
    "an empty digest": (of_event(1, digest=""), "certificate.events.1.digest"),
    "a digest of two words": (of_event(1, digest="v 1"), "certificate.events.1.digest"),
    "a digest that is too long": (of_event(1, digest="v" * 201), "certificate.events.1.digest"),
    "a digest that is no text": (of_event(1, digest=1), "certificate.events.1.digest"),
    "a failed read with a digest": (of_event(9, digest="v1"), "events.9"),
    "an attestation with a digest": (of_event(4, digest="v1"), "events.4"),
    "a retraction with a digest": (of_event(7, digest="v1"), "events.7"),
    "a report with a digest": (of_event(0, digest="v1"), "events.0"),
    "an expiration of the same digest": (at_last(digest="v1"), "events.13"),
    "an expiration of what named none": (at_last(subject="links"), "events.13"),
    "an expiration of what was not read": (at_last(subject="others"), "events.13"),
    "an expiration of no check": (at_last(subject="zz"), "events.13"),
    "an expiration of nothing": (at_last(subject=""), "events.13"),
    "an expiration of another's digest": (
        at_last(subject="links", digest="v1"),
        "events.13",
    ),
    "an expiration without a digest": (
        changed_details(lambda c: c["events"][-1].pop("digest")),
        "events.13",
    ),
    "an expiration with a value": (at_last(values={"details": True}), "events.13"),
    "an expiration with what was unavailable": (at_last(unavailable={"details": ""}), "events.13"),
    "an expiration with a text": (at_last(text=TEXT), "events.13"),
    "an expiration that is charged": (
        changed_details(lambda c: (c["events"][-1].update(charged="1"), c.update(spent="14"))),
        "events.13",
    ),
    "an expiration twice": (
        changed_details(lambda c: c["events"].append(expired("details", "v3"))),
        "events.14",
    ),
    "a conclusion that rests on what expired": (
        watched(lambda c: c["events"].append(expired("details", "v2"))),
        "closures",
    ),
    "what an expiration left is not closed": (
        changed_details(lambda c: c["closures"].pop()),
        "closures",
    ),
    "a check that has not expired and answers again": (
        read_again(lambda c: c["events"].pop(13)),
        "events.13",
    ),
    "an attestation on an expired text": (
        changed_text(lambda c: (c["events"].pop(14), c.update(spent="14"))),
        "events.14",
    ),
    "an attestation that expired with its text": (
        changed_text(lambda c: (c["events"].pop(15), c.update(spent="15"))),
        "closures",
    ),
    "a retraction of what has expired": (
        changed_text(
            lambda c: c["events"].insert(
                14, {**event("package", "retracted", "0"), "attester": AGENT}
            )
        ),
        "events.14",
    ),
    "a quote of the text that expired": (
        changed_text(lambda c: c["events"][15].update(quote="Fixed in version 1.3.")),
        "events.15",
    ),
    "an expiration after an accepted report": (
        changed_details(lambda c: c["events"][12].update(answer="accepted")),
        "events.13",
    ),
}
