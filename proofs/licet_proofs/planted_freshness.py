"""Bugs to plant in how what a check read expires when its source has changed."""

from typing import Final

from .planted_bug import Bug

STEP: Final = "every_step_on_evidence_that_expires_is_that_of_the_algorithm"
NOTHING: Final = "nothing_that_rests_on_what_expired_is_reported"
AGAIN: Final = "an_old_outcome_is_judged_again_without_what_changed"
EXPIRES: Final = "every_short_ledger_that_expires_is_as_defined"

LEDGER: Final = (
    Bug(
        "an expiration is forgotten",
        "ledger.py",
        "standing = [each for each in standing if not expires(record, each)]",
        "standing = list(standing)",
        NOTHING,
    ),
    Bug(
        "what was judged on an expired text stands",
        "ledger.py",
        "return record.atom in expiration.judged",
        "return False",
        NOTHING,
    ),
    Bug(
        "an expiration takes out what other checks gave",
        "ledger.py",
        "return record.check == expiration.check",
        "return True",
        STEP,
    ),
    Bug(
        "what the ledger says counts what has expired",
        "ledger.py",
        "    for record in ledger.standing:\n        if isinstance(record, Certificate):",
        "    for record in ledger.records:\n        if isinstance(record, Certificate):",
        NOTHING,
    ),
    Bug(
        "an expired text is quoted",
        "state.py",
        "for record in episode.ledger.standing:",
        "for record in episode.ledger.records:",
        STEP,
    ),
    Bug(
        "a text that was unavailable stays so",
        "attestations.py",
        "standing = episode.ledger.standing",
        "standing = episode.ledger.records",
        STEP,
    ),
)

REFRESHES: Final = (
    Bug(
        "an expired check counts as answered",
        "freshness.py",
        "answered=episode.answered & ~(1 << index)",
        "answered=episode.answered",
        STEP,
    ),
    Bug(
        "an expired candidate counts as read",
        "freshness.py",
        "read=read, judgements=kept",
        "judgements=kept",
        STEP,
    ),
    Bug(
        "a judgement of an expired text is answered from the cache",
        "freshness.py",
        "read=read, judgements=kept",
        "read=read",
        STEP,
    ),
    Bug(
        "a refresh clears what was judged on other texts",
        "freshness.py",
        "if j.request.atom not in found.judged)",
        "if False)",
        STEP,
    ),
    Bug(
        "what named no digest expires",
        "freshness.py",
        'r.digest not in ("", digest)',
        "r.digest != digest",
        STEP,
    ),
    Bug(
        "what is unchanged expires",
        "freshness.py",
        'r.digest not in ("", digest)',
        'r.digest != ""',
        STEP,
    ),
    Bug(
        "only the last read of a check can have changed",
        "freshness.py",
        "    changed = any(r.check == check.identifier and",
        "    reads = [r for r in reads if r.check == check.identifier][-1:]\n"
        "    changed = any(r.check == check.identifier and",
        STEP,
    ),
    Bug(
        "an agent says what has changed",
        "messages.py",
        "    if type(asked) is StopRequest:\n",
        "    if type(asked) is RefreshRequest:\n        return asked\n"
        "    if type(asked) is StopRequest:\n",
        STEP,
    ),
    Bug(
        "a resolver's digest is lost",
        "resolving.py",
        "return usable_answer(check, Resolved(values, digest))",
        "return usable_answer(check, Resolved(values))",
        STEP,
    ),
    Bug(
        "a text's digest is lost",
        "resolving.py",
        "return usable_answer(check, Read(given, digest))",
        "return usable_answer(check, Read(given))",
        STEP,
    ),
    Bug(
        "an empty place has no digest",
        "episode.py",
        "Inconclusive(atom, check.identifier, name, value.reason, digest)",
        "Inconclusive(atom, check.identifier, name, value.reason)",
        STEP,
    ),
    Bug(
        "an old outcome is believed whatever has changed",
        "freshness.py",
        "ledger = ledger if found is None else ledger.with_records((found,))",
        "ledger = ledger",
        AGAIN,
    ),
    Bug(
        "what an old outcome did not authorize is still authorized",
        "freshness.py",
        "return tuple(name for name in outcome.authorized if name in now)",
        "return tuple(name for name in program.conclusions if name in now)",
        AGAIN,
    ),
)

BUGS: Final = (*LEDGER, *REFRESHES)
