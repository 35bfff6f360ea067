"""Runs the tests of the premises and lays them out as the paper's Table 7."""

from collections.abc import Mapping
from time import perf_counter
from typing import Final

from ..processes import in_chunks
from ..report import Json, Result, Table, figure
from .battery import Figures, run_chunk
from .committing import SEEDS, Compared, compare
from .evidence import PERTURBATIONS
from .inputs import LEAKY, PRODUCTION
from .rendering import Rendered, check_renderer
from .scripted import run_script
from .witness import COUNTERS, MORE

CHUNK: Final = 500

_HEADER: Final = (
    *("mask", "fail-open", "premature", "strengthened", "retraction"),
    *("withheld", "other"),
)
"""The counters, and what is counted besides, in short."""

_NOTES: Final = (
    "*Mask* violations: conclusions that are authorized, reported, accepted or supported, and are"
    " not in Auth of the ledger. Conflict *fail-open*: those of them that would be in it if a"
    " conflict, or a contradiction with the constraints, were overlooked; and atoms in conflict"
    " that are taken for true or false. *Premature* conclusions: accepted before the ledger"
    " authorized them, or while a stronger one is within reach (mu = 1); or reported without"
    " authorization. Renderer *strengthened*: reports that assert more than Auth, that state"
    " anything else than their outcome says, or that name for a condition what did not establish"
    " it. *Retraction* failure: a retraction that is refused or charged, or whose attestation still"
    " counts, in an atom's state or in what is authorized. Two columns more than in the paper:"
    " *withheld*, what is authorized by the definitions but refused; and every *other* difference"
    " from the books (charges, answers, maximal conclusions).",
    "The judge is a bookkeeper of its own. It is told what was asked, and what resolvers, attesters"
    " and the second judge said; decides by the paper's rules what of it is admitted; and works on"
    " names and sets: states from the admitted values, the closure by looking at every assignment"
    " that satisfies the constraints, Auth and the hold from their definitions. Reports are read by"
    " a reader with its own templates. Neither shares code with the kernel's ledger, closure,"
    " decisions or renderer. Every counter is shown to count: for each there are bugs, planted in"
    " the kernel, that it must object to (`tests/benchmarks_conformance`).",
    "The scripted episode has the size of the paper's: 3 conclusions, 4 atoms, 1 conflict and 1"
    " retraction; its answers are written down by hand. Generated ones are drawn from the seed: 1"
    " to 4 conclusions in a chain or a partial order over 1 to 8 atoms; constraints; overlapping"
    " call classes, texts, candidate places; resolvers that lie, disagree, fail or find nothing;"
    " four attesters, two of one name; a second judge that disagrees or fails; agents that quote"
    " what is not there, retract, and report what they may not; any budget. Kernel contracts are"
    " off in these unless the settings say otherwise.",
    "*Renderer*. A round trip is a template in the report of one case: what its lines are read as"
    " is what the outcome says, line by line, and `denote` gives what is asserted. A strengthening"
    " mutation changes a report, or an outcome by force, so that it says more; it is rejected where"
    " `denote` finds what is not authorized, or the statements are not the outcome's, or nothing is"
    " rendered. An injection fills a slot with a text that would end a line, open a zone or forge a"
    " finding; it is blocked where the report withholds it and states what it otherwise would, or"
    " the name is refused.",
    "*Commitment*. A pair is one of the example programs with two pieces of evidence: a bundled"
    " record, and another record or that one altered. Every pair is committed twice from each input"
    " by three generators, which use all that they are told, ask resolvers, and adapt to answers."
    " From the specification alone the programs, and the hashes, must be equal; the other inputs"
    " leak on purpose, and must be seen to. Their shares are those of these generators and records,"
    " not the paper's. A generator that was made where the record was open can always carry it"
    " along: no kernel can look into it, and this comparison is what notices.",
)


def conformance(
    episodes: int = 20_000, seed: int = 7, processes: int = 2, contracts: bool = False
) -> Result:
    """Run all of it; the same seed gives the same episodes, whatever the number of processes."""
    started = perf_counter()
    compared, rendered, script = compare(), check_renderer(), run_script()
    generated = _run(episodes, seed, processes, contracts)
    seconds = perf_counter() - started
    undetected = [leaks.name for leaks in LEAKY if not compared.by_input[leaks.name]]
    failed = bool(
        (script.objections + generated.objections).total()
        or rendered.strengthened
        or (compared.by_input[PRODUCTION.name] or compared.hashes)
        or (compared.answered or compared.ran)
        or undetected
    )
    examples = [*script.examples, *generated.examples]
    return Result(
        name="conformance",
        title="PRIME's conformance tests",
        settings={
            "episodes": episodes,
            "seed": seed,
            "processes": processes,
            "contracts": "on" if contracts else "off",
        },
        figures={
            "violations": {
                "scripted": _by_counter(script),
                "generated": _by_counter(generated),
                "examples": examples,
            },
            "renderer": _renderer(rendered),
            "commitment": _commitment(compared),
            "generated_episodes": dict(sorted(generated.counts.items())),
            "answers": dict(sorted(generated.answers.items())),
            "seconds": round(seconds, 1),
        },
        tables=(
            _violations(script, generated),
            _renderer_table(rendered),
            _commitment_table(compared),
            _pairs(compared),
            _reached(generated),
        ),
        notes=(
            *_NOTES,
            *(f"Violation in {example}" for example in examples),
            *(f"The renderer fails on {name}" for name in _failures(rendered)),
            *(f"Not detected: {name}" for name in undetected),
        ),
        failed=failed,
    )


def _run(episodes: int, seed: int, processes: int, contracts: bool) -> Figures:
    sizes = [min(CHUNK, episodes - first) for first in range(0, episodes, CHUNK)]
    return in_chunks(
        "generated episodes",
        "episodes",
        sizes,
        run_chunk,
        seed,
        processes,
        Figures(),
        contracts=contracts,
    )


def _by_counter(figures: Figures) -> dict[str, Json]:
    return {kind: figures.objections[kind] for kind in (*COUNTERS, *MORE)}


def _failures(rendered: Rendered) -> list[str]:
    return [*rendered.inexact, *rendered.accepted, *rendered.forged]


def _renderer(rendered: Rendered) -> dict[str, Json]:
    return {
        "cases": rendered.cases,
        "round_trips": rendered.round_trips.total(),
        "round_trips_by_template": dict(sorted(rendered.round_trips.items())),
        "mutations": rendered.mutations,
        "injections": rendered.injections,
        "inexact": list(rendered.inexact),
        "mutations_accepted": list(rendered.accepted),
        "injections_not_blocked": list(rendered.forged),
    }


def _commitment(compared: Compared) -> dict[str, Json]:
    return {
        "pairs": compared.pairs,
        "pairs_in_which_a_check_answers_otherwise": compared.answers_differ,
        "perturbation_types": len(PERTURBATIONS),
        "seeds": len(SEEDS),
        "pairs_with_different_programs": {
            leaks.name: compared.by_input[leaks.name] for leaks in (PRODUCTION, *LEAKY)
        },
        "by_generator": {
            f"{name}: {generator}": count
            for (name, generator), count in sorted(compared.by_generator.items())
        },
        "pairs_with_different_hashes": compared.hashes,
        "questions_answered": compared.answered,
        "resolvers_run_for_a_generator": compared.ran,
    }


def _violations(script: Figures, generated: Figures) -> Table:
    rows: Mapping[str, Figures] = {
        "scripted": script,
        f"generated, {figure(generated.counts['episodes'])}": generated,
    }
    return Table(
        "Violations",
        ("episodes", *_HEADER),
        (
            *(
                (name, *(figure(of.objections[kind]) for kind in (*COUNTERS, *MORE)))
                for name, of in rows.items()
            ),
            ("in the paper, scripted", *["0"] * len(COUNTERS), *["-"] * len(MORE)),
        ),
    )


def _renderer_table(rendered: Rendered) -> Table:
    trips = rendered.round_trips.total()
    exact = trips - sum(": " in name for name in rendered.inexact)
    whole = rendered.cases - sum(": " not in name for name in rendered.inexact)
    refused = rendered.mutations - len(rendered.accepted)
    blocked = rendered.injections - len(rendered.forged)
    return Table(
        "Renderer",
        ("", "here", "in the paper"),
        (
            ("templates", figure(len(rendered.round_trips)), "13"),
            ("round trips exact", _of(exact, trips), "52 of 52"),
            ("strengthening mutations rejected", _of(refused, rendered.mutations), "9 of 9"),
            ("slot injections blocked", _of(blocked, rendered.injections), "8 of 8"),
            ("renderer cases exact", _of(whole, rendered.cases), "27"),
        ),
    )


def _of(some: int, whole: int) -> str:
    return f"{figure(some)} of {figure(whole)}"


def _commitment_table(compared: Compared) -> Table:
    papers = ("0.000", "0.429", "0.786", "-", "-")
    return Table(
        f"Commitment: share of the {compared.pairs} pairs with different committed programs",
        ("input", "here", "in the paper, of 70"),
        tuple(
            (leaks.name, f"{compared.share(leaks.name):.3f}", paper)
            for leaks, paper in zip((PRODUCTION, *LEAKY), papers, strict=True)
        ),
    )


def _pairs(compared: Compared) -> Table:
    return Table(
        "Commitment: the pairs",
        ("", "here", "in the paper"),
        (
            ("pairs", figure(compared.pairs), "70"),
            ("seeds", figure(len(SEEDS)), "5"),
            ("types of perturbation", figure(len(PERTURBATIONS)), "14"),
            ("pairs in which a check answers otherwise", figure(compared.answers_differ), "-"),
            ("production: pairs with different hashes", figure(compared.hashes), "-"),
            ("production: questions of a generator answered", figure(compared.answered), "-"),
            ("production: resolvers run for a generator", figure(compared.ran), "-"),
        ),
    )


def _reached(generated: Figures) -> Table:
    counts = sorted(generated.counts.items(), key=lambda item: (-item[1], item[0]))
    answers = sorted(generated.answers.items(), key=lambda item: (-item[1], item[0]))
    named = [*counts, *((f"answers: {name}", count) for name, count in answers)]
    return Table(
        "What the generated episodes reached",
        ("", "count"),
        tuple((name, figure(count)) for name, count in named),
    )
