"""What is shown of a game while it goes on: a line a turn, or each turn whole.

What the player, tools and files wrote is shown without control signs, and cut.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TextIO

from cli.live import printable
from cli.play_words import claim_words, move_words

LONGEST = 160
MOST_LINES = 24
LONGEST_GOAL = 2000
State = Mapping[str, Any]


class View(Protocol):
    """Is told where the game stands."""

    def begin(self, before: State) -> None:
        """Say what a thread holds that is gone on with; empty for a new game."""
        ...

    def stand(self, state: State) -> None:
        """Show what is new of a state, as the graph streams it."""
        ...

    def happen(self, event: Mapping[str, Any]) -> None:
        """Show one event of `nodes.reflective.progress_events`."""
        ...


class Nothing:
    """Shows nothing."""

    def begin(self, before: State) -> None:
        """See `View`."""

    def stand(self, state: State) -> None:
        """See `View`."""

    def happen(self, event: Mapping[str, Any]) -> None:
        """See `View`."""


class Lines:
    """The goal, then a line a turn.

    Args:
        stream: where they go; each at once.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = 0

    def begin(self, before: State) -> None:
        """See `View`."""
        self._shown = len(before.get("turns", []))
        goal = before.get("nodes", {}).get("g")
        if goal is not None:
            self._goal(goal["data"]["text"])
            self.write(f"{counted(self._shown, 'turn')} played before.")

    def stand(self, state: State) -> None:
        """See `View`."""
        turns = state.get("turns", [])
        for turn in turns[self._shown :]:
            self.turn(turn, state)
        self._shown = max(self._shown, len(turns))

    def happen(self, event: Mapping[str, Any]) -> None:
        """See `View`."""
        if event.get("kind") == "tutor" and event.get("turn") == 0:
            self._goal(event.get("message", ""))

    def turn(self, turn: Mapping[str, Any], state: State) -> None:
        """Show a turn that was played."""
        told = _outside(str(turn["message"]), str(state.get("name", "")))
        move, outcome = turn["move"] or "(no move)", outcome_of(turn)
        self.write(_cut(f"{turn['number']:>3} {move:11} {outcome:8} {turn['score']:>4}  {told}"))

    def _goal(self, text: object) -> None:
        self.write(f"Goal: {str(text)[:LONGEST_GOAL]}")

    def write(self, text: str) -> None:
        """Write text of any origin, and a new line."""
        self._stream.write(f"{printable(text)}\n")
        self._stream.flush()


class Whole(Lines):
    """Each turn with its menu, move, output, claim, verdict, score and cards.

    Args:
        stream: where it goes.
        asks: somebody at the terminal is asked for the moves, and has seen the menu.
    """

    def __init__(self, stream: TextIO, *, asks: bool = False) -> None:
        super().__init__(stream)
        self._asks = asks

    def happen(self, event: Mapping[str, Any]) -> None:
        """See `View`."""
        super().happen(event)
        if event.get("kind") == "tutor_menu" and not self._asks:
            self.write("\n   menu:")
            for number, label in enumerate(event.get("items", []), 1):
                self.write(_cut(f"     {number}. {' '.join(str(label).split())}"))

    def turn(self, turn: Mapping[str, Any], state: State) -> None:
        """See `Lines`."""
        outcome, gained = outcome_of(turn), turn["gained"]
        who = "the tutor composes" if turn["by"] == "tutor" else turn["move"] or "no move"
        self.write(f"\n-- turn {turn['number']}: {who}, {outcome}, {gained:+} = {turn['score']} points")
        self.write(_cut(f"   move: {' '.join(move_words(turn['given']).split())}"))
        for line in told_lines(str(turn["message"]), str(state.get("name", ""))):
            self.write(_cut(f"   {line}"))
        node = state.get("nodes", {}).get(turn["claim"])
        if node is not None:
            words = " ".join(claim_words(node["data"]).split())
            self.write(_cut(f"   claim: {turn['claim']} ({turn['status']}): {words}"))
        if turn["helped"]:
            self.write(f"   help: {', '.join(map(str, turn['helped']))}")


def view_of(*, quiet: bool, watch: bool, person: bool) -> View:
    """What the flags of the command want shown, on standard error."""
    if quiet:
        return Nothing()
    return Whole(sys.stderr, asks=person) if watch or person else Lines(sys.stderr)


def outcome_of(turn: Mapping[str, Any]) -> str:
    """What became of a turn; of one that lost the game, what it was beside that."""
    return str(turn["outcome"] if turn["outcome"] == "won" else turn.get("otherwise") or turn["outcome"])


def counted(number: int, word: str) -> str:
    """A number with its word: "1 turn", "2 turns"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def told_lines(message: str, game: str, *, most: int | None = MOST_LINES) -> Iterator[str]:
    """A message of the tutor, line by line: what files hold is marked by `|`, and cut.

    Args:
        message: as the player was told it.
        game: name of the game, by which the fences around what files hold are known.
        most: lines of what files hold that are given in one place; None for all.
    """
    from nodes.contractive.asking import fence_of

    fence = fence_of(game)
    quoted: list[str] = []
    inside = False
    for line in message.split("\n"):
        if line == fence:
            inside = not inside
            yield from _few(quoted, most)
            quoted = []
        elif inside:
            quoted.append(f"| {line}")
        else:
            yield line
    yield from _few(quoted, most)


def _outside(message: str, game: str) -> str:
    """A message on one line; of what files hold only how many lines there are."""
    lines = list(told_lines(message, game, most=None))
    held = sum(line.startswith("| ") for line in lines)
    said = " ".join(" ".join(line for line in lines if not line.startswith("| ")).split())
    return f"{said} [{counted(held, 'line')}]" if held else said


def _few(lines: Sequence[str], most: int | None) -> Iterator[str]:
    yield from lines[:most]
    if most is not None and len(lines) > most:
        yield f"| ... {len(lines) - most} more lines"


def _cut(line: str) -> str:
    safe = printable(line)
    return safe if len(safe) <= LONGEST else safe[: LONGEST - 1] + "…"
