"""The commands `licet gate`, `licet plan` and `licet regimes`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import fspath
from pathlib import Path
from typing import Annotated, Final

import typer

from licet import InvalidInput, ObservationModel
from licet_bindings.console import (
    AsJson,
    answering,
    budget_option,
    complain,
    example,
    option_number,
    options_named,
    print_plainly,
)
from licet_bindings.documents import ReviewDocument, document_of
from licet_bindings.errors import expected_one_of
from licet_bindings.gate.deciding import Observation, decide_candidate
from licet_bindings.gate.documents import candidate_of, placed_in, read_candidate
from licet_bindings.gate.pictures import check_picture, draw_plan, draw_regimes
from licet_bindings.gate.planning import plan_candidate
from licet_bindings.gate.policies import DEFAULT_POLICY, GATE_POLICIES
from licet_bindings.gate.regimes import regime_diagram
from licet_bindings.gate.reports import gate_report, plan_report, regimes_report
from licet_bindings.gate.rounding import rounded
from licet_bindings.gate.tables import gate_text, plan_text, regimes_text
from licet_bindings.kinds import Kind, kind_of
from licet_bindings.outputs import OutputFile
from licet_bindings.plan_reports import program_plan_report, program_plan_text
from licet_bindings.planned import plan_program
from licet_bindings.reviewing import budget_of
from licet_bindings.trees import read_tree

_ANSWERS: Final = {"support": False, "refute": True, "fail": None}
_MODELS: Final = {model.value: model for model in ObservationModel}

CandidatePath = Annotated[
    Path, typer.Argument(help="A gate candidate: .json, .toml or .yaml.", show_default=False)
]
Budget = Annotated[
    str | None,
    typer.Option(
        help="Verification cost, or a review's calls. Left out: the document's budget, and where"
        " it states none, what every check costs.",
        show_default=False,
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(help="Draw it to this file, .svg or .png.", show_default=False),
]


@answering()
def gate(
    candidate: CandidatePath,
    policy: Annotated[
        str, typer.Option(help=f"How checks are chosen: {', '.join(GATE_POLICIES)}.")
    ] = DEFAULT_POLICY,
    budget: Budget = None,
    observe: Annotated[
        list[str] | None,
        typer.Option(
            help="What a verifier answered, as VERIFIER=support, =refute, or =fail where it gave no"
            " answer; once for each answer, in order.",
            show_default=False,
        ),
    ] = None,
    observation_model: Annotated[
        str,
        typer.Option(
            help="How the answer of a verifier that covers several claims is modelled:"
            f" {', '.join(_MODELS)}."
        ),
    ] = ObservationModel.EXACT.value,
    as_json: AsJson = False,
) -> None:
    """Decide whether an action may commit: proceed, verify, abstain, or replan.

    The exit code is 0 whatever is decided: read the decision.

    always-proceed and never are baselines for evaluation: they override the gate, and say so.
    """
    document = read_candidate(candidate)
    with placed_in(document.name), options_named("policy", "observe"):
        decided = decide_candidate(
            document,
            policy=_named("--policy", policy, GATE_POLICIES),
            budget=None if budget is None else budget_option(budget, "cost units"),
            observations=[_observation(text) for text in observe or ()],
            model=_MODELS[_named("--observation-model", observation_model, _MODELS)],
        )
    if as_json:
        print(json.dumps(gate_report(decided)))
    else:
        print_plainly(gate_text(decided))


@answering()
def plan(
    document: Annotated[
        Path,
        typer.Argument(
            help="A gate candidate or a review program: .json, .toml or .yaml.", show_default=False
        ),
    ],
    budget: Budget = None,
    picture: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Plan an action's verification, or a review's checks, exactly.

    Shown are the plan as a tree, what it is worth, and what bounded policies lose to it. For a
    program that is the expected utility of what is reported, under the priors of its atoms.
    """
    if picture is not None:
        check_picture(picture)
        OutputFile(picture, "--picture").require_apart([document])
    tree, name = read_tree(document), fspath(document)
    if kind_of(tree) is Kind.PROGRAM:
        if picture is not None:
            raise InvalidInput("--picture", "expected a gate candidate; a program has no picture")
        _plan_program(document_of(tree, name), budget, as_json)
        return
    planned_document = candidate_of(tree, name)
    limit = None if budget is None else budget_option(budget, "cost units")
    with placed_in(name):
        planned = plan_candidate(planned_document, limit)
    if picture is not None:
        if planned.root is None:
            raise InvalidInput(
                "--picture", f"the tree has {planned.exact.nodes:,} nodes: too many to draw"
            )
        action, exact = planned.document.candidate.action, planned.exact
        title = f"{action}: objective {rounded(exact.value)}, expected cost {rounded(exact.cost)}"
        draw_plan(planned.root, title, picture)
        _say_written(picture)
    if as_json:
        print(json.dumps(plan_report(planned)))
    else:
        print_plainly(plan_text(planned))


def _plan_program(program: ReviewDocument, budget: str | None, as_json: bool) -> None:
    calls = budget_of(program) if budget is None else budget_option(budget, "calls")
    planned = plan_program(program, calls)
    if as_json:
        print(json.dumps(program_plan_report(planned)))
    else:
        print_plainly(program_plan_text(planned))


@answering()
def regimes(
    error: Annotated[
        str, typer.Option(help="p, the probability that the memory is wrong.", show_default=False)
    ],
    reliability: Annotated[
        str,
        typer.Option(help="r, the verifier's sensitivity and specificity.", show_default=False),
    ],
    abstain: Annotated[str, typer.Option(help="kappa, the loss of abstaining.")] = "1",
    cost: Annotated[
        str, typer.Option(help="c, what asking the verifier costs, in units of loss.")
    ] = "0",
    picture: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Show for which consequences one memory is to be trusted, verified, or left alone."""
    if picture is not None:
        check_picture(picture)
    with options_named("error", "abstain", "reliability", "cost"):
        diagram = regime_diagram(
            option_number(error, "--error"),
            option_number(abstain, "--abstain"),
            option_number(reliability, "--reliability"),
            option_number(cost, "--cost"),
        )
    if picture is not None:
        draw_regimes(diagram, picture)
        _say_written(picture)
    if as_json:
        print(json.dumps(regimes_report(diagram)))
    else:
        print_plainly(regimes_text(diagram))


def add_gate_commands(app: typer.Typer) -> None:
    """Add the gate's commands to the command line."""
    app.command(
        epilog=example(
            "gate examples/gate/high_value.json",
            "gate examples/gate/high_value.json --observe ask_user=support --json",
        )
    )(gate)
    app.command(
        epilog=example(
            "plan examples/gate/invoice.json --picture plan.svg",
            "plan examples/advisories/program.json",
        )
    )(plan)
    app.command(
        epilog=example("regimes --error 0.28 --reliability 0.95 --cost 0.1 --picture regimes.svg")
    )(regimes)


def _observation(text: str) -> Observation:
    verifier, equals, answer = text.rpartition("=")
    if not equals or not verifier or "=" in verifier or answer not in _ANSWERS:
        several = "; repeat the option for each answer" if "," in text else ""
        raise InvalidInput(
            "--observe",
            f"expected VERIFIER=support, =refute or =fail, found {text[:60]!r}{several}",
        )
    return Observation(verifier, _ANSWERS[answer])


def _named(option: str, name: str, known: Iterable[str]) -> str:
    if name not in known:
        raise InvalidInput(option, f"{expected_one_of(name, known)}, found {name!r}")
    return name


def _say_written(picture: Path) -> None:
    # Standard output may hold JSON, and nothing else.
    complain(f"wrote {picture}")
