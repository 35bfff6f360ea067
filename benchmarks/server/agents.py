"""Generated agents: each draws what it does next, most of them nothing good."""

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any, Final, Protocol, TypeAlias

import anyio

from .witness import Answer, Watched, Witness
from .world import CHAIN, FIELDS, JUDGED, is_true

Call: TypeAlias = tuple[str, dict[str, Any]]

PROFILES: Final[Mapping[str, Mapping[str, int]]] = {
    "honest": {"follow": 8, "claim_best": 1},
    "overclaims": {"claim_top": 4, "claim_any": 2, "follow": 3, "stop": 1},
    "parallel": {"together": 4, "follow": 2, "claim_any": 1, "ship_together": 1},
    "retries": {"claim_top": 8, "follow": 1, "ship": 3},
    "stops_early": {"follow": 1, "stop": 4},
    "garbage": {"garbage": 6, "unknown": 2, "follow": 2, "claim_any": 1},
    "thief": {"foreign": 6, "follow": 2, "claim_any": 1, "ship": 1},
    "liar": {"lie": 4, "misquote": 3, "read": 2, "follow": 3, "claim_top": 2, "retract": 1},
    "shipper": {"ship": 4, "ask": 2, "ship_together": 2, "reopen": 2},
    "anything": dict.fromkeys(
        "follow claim_top claim_any claim_best stop together garbage unknown foreign lie misquote"
        " read retract ship ask ship_together reopen".split(),
        1,
    ),
}
"""What each kind of agent does, and how often."""

_GARBAGE: Final[tuple[Call, ...]] = (
    ("check", {}),
    ("check", {"check": 7}),
    ("check", {"check": "head", "values": {"named": True}}),
    ("check", {"check": None}),
    ("check", {"check": "x" * 10_001}),
    ("attest", {"condition": "fix", "holds": "yes", "quote": "A fix was released"}),
    ("attest", {"condition": "fix", "holds": 1, "quote": "A fix was released"}),
    ("conclude", {"conclusion": ["urgent"]}),
    ("conclude", {"conclusion": "urgent", "authorized": True}),
    ("report", {"conclusion": "urgent"}),
    ("stop", {"complete": True}),
)
_UNKNOWN: Final = ("\x00", "named; drop", "HEAD", "", "../head", "💥", "__class__")


class Client(Protocol):
    """How an agent reaches the server."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; the answer's structured content."""

    async def refused(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Call a tool in a way that the protocol does not allow; whether it was an error."""


class Agent:
    """One session: a review, at times a gate, and requests that are drawn."""

    def __init__(self, client: Client, name: str, random: Random, handles: list[Call]) -> None:
        """Begin.

        Args:
            client: reaches the server.
            name: unlike that of any other session.
            random: draws.
            handles: what clients have opened so far; this one adds its own, and the thieves take.
        """
        self._client, self._name, self._random, self._handles = client, name, random, handles
        self.witness = Witness()
        self._review, self._watched = "", Watched(f"record-{name}")
        self._gate, self._subject, self._asked = "", "", set[str]()
        self._gates = 0
        self._shipped = 0
        self._mine: set[str] = set()

    async def run(self, profile: str, steps: int) -> None:
        """Open a review, do so many things, and stop."""
        opened = await self._client.call(
            "open_review", {"program": "advisory", "record": self._watched.record}
        )
        if opened["kind"] != "opened":
            self.witness.violations.append(f"a review was not opened: {opened}")
            return
        self._review = opened["review"]
        self._share("review", self._review)
        weights = PROFILES[profile]
        for _ in range(steps):
            [chosen] = self._random.choices(list(weights), list(weights.values()))
            act: Callable[[], Awaitable[None]] = getattr(self, f"_{chosen}")
            await act()
        if profile != "thief":
            for _ in range(4):
                await self._stop()

    def _share(self, what: str, handle: str) -> None:
        self._mine.add(handle)
        self._handles.append((what, {what: handle}))

    async def _ask_review(self, tool: str, **arguments: object) -> Answer:
        given = {"review": self._review, **arguments}
        answer = await self._client.call(tool, given)
        self.witness.took(self._watched, tool, given, answer, alone=True)
        return answer

    async def _follow(self) -> None:
        """Do what the target needs next."""
        answer = await self._ask_review("review_standing")
        target = answer.get("standing", {}).get("target")
        if target is None:
            await self._claim_best()
        elif target["checks"]:
            await self._ask_review("check", check=target["checks"][0])
        elif target["attest"]:
            await self._attest(is_true(self._watched.record, JUDGED), truly=True)
        else:
            await self._claim_best()

    async def _attest(self, value: bool, *, truly: bool) -> None:
        quote = self._watched.text[-60:-20] if truly and self._watched.text else "It is so, surely"
        await self._ask_review("attest", condition=JUDGED, holds=value, quote=quote)

    async def _lie(self) -> None:
        await self._attest(not is_true(self._watched.record, JUDGED), truly=True)

    async def _misquote(self) -> None:
        await self._attest(is_true(self._watched.record, JUDGED), truly=False)

    async def _read(self) -> None:
        await self._ask_review("check", check="notes")

    async def _retract(self) -> None:
        await self._ask_review("retract", condition=JUDGED)

    async def _claim_top(self) -> None:
        await self._ask_review("conclude", conclusion=CHAIN[-1])

    async def _claim_any(self) -> None:
        await self._ask_review("conclude", conclusion=self._random.choice(CHAIN))

    async def _claim_best(self) -> None:
        authorized = self._watched.authorized
        if authorized:
            best = max(authorized, key=CHAIN.index)
            await self._ask_review("conclude", conclusion=best)

    async def _stop(self) -> None:
        await self._ask_review("stop")

    async def _unknown(self) -> None:
        tool, key = self._random.choice((("check", "check"), ("conclude", "conclusion")))
        await self._ask_review(tool, **{key: self._random.choice(_UNKNOWN)})

    async def _garbage(self) -> None:
        tool, arguments = self._random.choice(_GARBAGE)
        if not await self._client.refused(tool, {"review": self._review, **arguments}):
            self.witness.violations.append(f"{tool} took {str(arguments)[:80]}")
        self.witness.counts["garbage: refused"] += 1

    async def _foreign(self) -> None:
        """Use what another client has open."""
        others = [each for each in self._handles[-200:] if not set(each[1].values()) & self._mine]
        if not others:
            return
        what, handle = self._random.choice(others)
        if what == "gate":
            tool, more = self._random.choice(
                (("decide", {}), ("act", {}), ("ask", {"verifier": "ask_user"}))
            )
        else:
            tool, more = self._random.choice(
                (
                    ("review_standing", {}),
                    ("check", {"check": "head"}),
                    ("conclude", {"conclusion": "urgent"}),
                    ("attest", {"condition": JUDGED, "holds": True, "quote": "A fix was released"}),
                    ("stop", {}),
                )
            )
        self.witness.refused(await self._client.call(tool, {**handle, **more}))

    async def _together(self) -> None:
        """Ask for several things at once."""
        drawn: list[Call] = []
        for _ in range(self._random.randint(2, 5)):
            if self._random.random() < 0.7:
                check = self._random.choice(("head", *FIELDS[2:]))
                drawn.append(("check", {"review": self._review, "check": check}))
            else:
                claim = self._random.choice(CHAIN)
                drawn.append(("conclude", {"review": self._review, "conclusion": claim}))
        answers = await self._at_once(drawn)
        # What was established first, so that a claim of the same moment is judged with it.
        pairs = sorted(zip(drawn, answers, strict=True), key=lambda pair: pair[0][0])
        for (tool, arguments), answer in pairs:
            self.witness.took(self._watched, tool, arguments, answer, alone=False)
        await self._ask_review("review_standing")

    async def _at_once(self, calls: list[Call]) -> list[Answer]:
        answers: dict[int, Answer] = {}

        async def one(place: int, tool: str, arguments: Mapping[str, Any]) -> None:
            answers[place] = await self._client.call(tool, arguments)

        async with anyio.create_task_group() as group:
            for place, (tool, arguments) in enumerate(calls):
                group.start_soon(one, place, tool, arguments)
        return [answers[place] for place in range(len(calls))]

    async def _reopen(self) -> None:
        """Open the gate again, in the hope for another answer."""
        if not self._gate or self._random.random() < 0.3:
            self._gates += 1
            self._subject = f"order-{self._name}-{self._gates}"
            self._shipped = 0
        found = await self._client.call(
            "open_gate", {"candidate": "order", "subject": self._subject}
        )
        self._gate = found["gate"]
        self._share("gate", self._gate)

    async def _ask(self) -> None:
        if not self._gate:
            await self._reopen()
        await self._client.call("ask", {"gate": self._gate, "verifier": "ask_user"})
        self._asked.add(self._subject)

    async def _ship(self) -> None:
        await self._acts(1)

    async def _ship_together(self) -> None:
        await self._acts(4)

    async def _acts(self, times: int) -> None:
        if not self._gate:
            await self._reopen()
        answers = await self._at_once([("act", {"gate": self._gate})] * times)
        self._shipped += self.witness.gated(self._subject, self._asked, answers)
        if self._shipped > 1:
            self.witness.violations.append(f"{self._subject} was shipped {self._shipped} times")
