"""Runs the clauses: every check in a process of its own kind of work, two at a time.

`run` is what `licet prove` calls. What a part must get and what it got are compared here: a part of
a confirming method is good only when every one of its checks is confirmed within the bounds that
`required.json` states.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Final, NamedTuple, TypeAlias

from . import confirm
from .clauses import Clause, Method, Part, Word, worst
from .generated import Tried, prepare, try_property

EXAMPLES: Final = 200
"""Generated examples for one property, unless the caller says otherwise."""

WORKERS: Final = 2


class Task(NamedTuple):
    """One check to run.

    Attributes:
        method: how.
        name: its name.
        bounds: those that `required.json` states; "" for what is only tested.
        module: where a condition of the symbolic executor, or a property, stands.
    """

    method: Method
    name: str
    bounds: str
    module: str

    @property
    def key(self) -> "Key":
        """What tells checks apart: a condition and a property may share a name."""
        return self.method, self.name


Key: TypeAlias = tuple[Method, str]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check.

    Attributes:
        name: its name.
        verdict: in a word.
        covered: paths, cases, goals or examples, as they were counted while it ran.
        seconds: processor seconds.
        detail: why it is not what it must be; "" where it is.
    """

    name: str
    verdict: Word
    covered: int
    seconds: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A part of a clause with its results: one line of the table."""

    clause: Clause
    part: Part
    bounds: str
    results: tuple[CheckResult, ...]

    @property
    def verdict(self) -> Word:
        """The worst of its checks' verdicts."""
        return worst(result.verdict for result in self.results)

    @property
    def covered(self) -> int:
        """What all checks covered together."""
        return sum(result.covered for result in self.results)

    @property
    def unit(self) -> str:
        """What is counted: paths, cases, goals, or examples."""
        return unit_of(self.part.method)

    @property
    def seconds(self) -> float:
        """Processor seconds of all checks."""
        return sum(result.seconds for result in self.results)


@dataclass(frozen=True, slots=True)
class Report:
    """What a run came to.

    Attributes:
        rows: clause by clause.
        faults: what is wrong with the list of what must be confirmed; with any, nothing is good.
    """

    rows: tuple[Row, ...]
    faults: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether everything that was to be shown was shown."""
        return bool(self.rows) and not self.faults and all(r.verdict.is_good for r in self.rows)


def unit_of(method: Method) -> str:
    """Return what a method counts."""
    return confirm.UNITS.get(method.value, "examples")


def tasks_of(clauses: Iterable[Clause], modules: Mapping[Key, str]) -> tuple[Task, ...]:
    """Return every check of some clauses once, those that take longest first."""
    required = confirm.required()
    found: dict[Key, Task] = {}
    for clause in clauses:
        for part in clause.parts:
            for name in part.checks:
                key = (part.method, name)
                bounds = required.get(name, "") if part.method.confirms else ""
                found[key] = Task(part.method, name, bounds, modules.get(key, ""))
    first = (Method.ENUMERATION, Method.GENERATED, Method.SYMBOLIC, Method.SOLVER, Method.WORKED)
    return tuple(sorted(found.values(), key=lambda task: first.index(task.method)))


def modules() -> dict[Key, str]:
    """Return where every known check stands."""
    from .catalogue import catalogue

    found: dict[Key, str] = {
        (Method.SYMBOLIC, name): condition.__module__
        for name, condition in confirm.conditions().items()
    }
    found |= {(Method.ENUMERATION, name): module for name, module in confirm.ENUMERATIONS.items()}
    found |= {(Method.SOLVER, name): module for name, module in confirm.SOLVED.items()}
    for name, each in catalogue().items():
        found[Method.GENERATED, name] = found[Method.WORKED, name] = each.module
    return found


def run_task(task: Task) -> CheckResult:
    """Run one check; nothing that it raises leaves here."""
    try:
        if not task.method.confirms:
            return _tested(task, try_property(task.module, task.name))
        if not task.bounds:
            return CheckResult(
                task.name, Word.NOT_CONFIRMED, 0, 0.0, f"{confirm.REQUIRED.name} does not list it"
            )
        return _confirmed(confirm.confirm_one(task.name, task.bounds, task.module))
    except Exception as error:
        return CheckResult(task.name, Word.BREAKS, 0, 0.0, f"{type(error).__name__}: {error}")


def _confirmed(verdict: confirm.Verdict) -> CheckResult:
    word = Word.FALLS if verdict.refuted else Word.NOT_CONFIRMED
    return CheckResult(
        verdict.name,
        Word.CONFIRMED if verdict.confirmed else word,
        verdict.covered,
        verdict.seconds,
        "" if verdict.confirmed else verdict.detail,
    )


def _tested(task: Task, tried: Tried) -> CheckResult:
    """Judge what was tried; where no example was generated, none was tested."""
    missing = task.method is Method.GENERATED and not tried.generated
    word, detail = (Word.FALLS, tried.fell) if tried.fell else (Word.TESTED, "")
    if tried.broke or (missing and not tried.fell):
        word, detail = Word.BREAKS, tried.broke or "no example was generated"
    covered = tried.generated if task.method is Method.GENERATED else 1
    return CheckResult(task.name, word, covered if word.is_good else 0, tried.seconds, detail)


def run(
    clauses: Sequence[Clause],
    done: Callable[[CheckResult, int, int], None],
    *,
    examples: int = EXAMPLES,
    modules_of: Mapping[Key, str] | None = None,
) -> Report:
    """Run every check of some clauses and return the table.

    Args:
        clauses: which.
        done: called after each check with its result, how many are done, and how many there are.
        examples: generated examples for one property.
        modules_of: where the checks stand; the catalogue's if left out.
    """
    faults = tuple(confirm.disagreements(confirm.conditions(), confirm.required()))
    known = modules() if modules_of is None else modules_of
    tasks = tasks_of(clauses, known)
    results: dict[Key, CheckResult] = {}
    with closing(_run_all(tasks, examples)) as found:
        for key, result in found:
            results[key] = result
            done(result, len(results), len(tasks))
    required = confirm.required()
    rows = tuple(
        Row(
            clause,
            part,
            part.bounds_in(required),
            tuple(results[part.method, name] for name in part.checks),
        )
        for clause in clauses
        for part in clause.parts
    )
    return Report(rows, faults)


def _run_all(
    tasks: Sequence[Task], examples: int
) -> Generator[tuple[Key, CheckResult], None, None]:
    """Yield the results as they come; whoever leaves early leaves no process behind."""
    # New processes and no forks: a property takes the number of examples when it is imported.
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(
        WORKERS, mp_context=context, initializer=_begin, initargs=(examples,)
    ) as pool:
        try:
            with _interrupts_held():  # the processes begin here, and hold them as well
                pending = {pool.submit(run_task, task): task for task in tasks}
            for future in as_completed(pending):
                yield pending[future].key, _result(future, pending[future])
        except BaseException:
            # A check may take minutes, and the pool would wait for it.
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interrupts back, where the system can, in this thread and in what it begins."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(examples: int) -> None:
    """Begin a process of the suite: it ends when the one that started it ends it, or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()
    prepare(examples)


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _result(future: Future[CheckResult], task: Task) -> CheckResult:
    error = future.exception()
    if error is not None:  # its process ended: out of memory, or killed
        return CheckResult(task.name, Word.BREAKS, 0, 0.0, f"{type(error).__name__}: {error}")
    return future.result()
