"""The result of a game: how it ended, the claims that answer it and what they rest on, and what it took."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.live import printable
from cli.play_live import counted
from cli.play_words import claim_words

if TYPE_CHECKING:
    from cli.play_running import PlayedGame
    from nodes.tutor.engine import Tutor

LONGEST = 2000
LONGEST_COMMAND = 200
MOST_NOTES = 12
ENDS: Mapping[str, str] = {
    "answered": "Won: the answer is proved and complete.",
    "composed": "Won: the tutor composed the answer of what the player had proved.",
    "turns": "Lost: no turn is left.",
    "answers": "Lost: too many answers were not accepted.",
    "player": "Lost: the player does not answer.",
}


def result_of(played: PlayedGame, thread: str) -> dict[str, Any]:
    """The one object `--json` prints; the text form shows parts of it."""
    state, tutor = played.state, played.tutor
    return {
        "game": state.game,
        "seed": state.seed,
        "goal": tutor.game.goal if tutor is not None else state.goal,
        "status": state.status,
        "ended": state.ended,
        "score": state.score,
        "turns": len(state.turns),
        "justification": state.justification,
        "answer": [_answered(tutor, name) for name in state.answer] if tutor is not None else [],
        "arm": state.settings.arm,
        "model": state.model,
        "usage": state.usage.model_dump(mode="json"),
        "thread_id": thread,
        "notes": _notes(played),
        "failure": state.failure.model_dump(mode="json") if state.failure is not None else None,
    }


def _answered(tutor: Tutor, name: str) -> dict[str, Any]:
    data = tutor.graph.nodes[name].data
    claim = {field: data[field] for field in ("predicate", "subject", "value", "unit", "scope")}
    evidence = [
        {"name": one, "command": tutor.graph.nodes[one].data.get("command", "")}
        for one in tutor.graph.to_node("supports", name)
    ]
    return {"name": name, "claim": claim, "reason": data.get("reason", ""), "evidence": evidence}


def _notes(played: PlayedGame) -> list[str]:
    cut = played.state.cut
    shortened = f"A prompt lost {cut} characters to fit the model's window." if cut else ""
    return [*played.state.notes, *([shortened] if shortened else [])]


def print_result(result: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the result as JSON, or for people; what went wrong and notes go to standard error."""
    if as_json:
        from cli.ask_command import print_json

        print_json(dict(result))
        return
    failure = result["failure"]
    if failure is not None:
        told = f"reflect: {failure['what']}\n{failure['remedy']}".rstrip()
        sys.stderr.write(f"{printable(told)}\n")
    if result["status"] not in ("won", "lost"):
        return
    for line in _lines(result):
        sys.stdout.write(f"{printable(line)}\n")
    for note in result["notes"][:MOST_NOTES]:
        sys.stderr.write(f"Note: {printable(str(note)[:LONGEST])}\n")


def _lines(result: Mapping[str, Any]) -> list[str]:
    lines = [ENDS.get(str(result["ended"]), f"{result['status']}: {result['ended']}")]
    for one in result["answer"]:
        lines.append(f"  {one['name']}  {' '.join(claim_words(one['claim']).split())[:LONGEST]}")
        lines.append(f"      {' '.join(str(one['reason']).split())[:LONGEST]}")
        lines += [
            f"      {seen['name']}: {' '.join(str(seen['command']).split())[:LONGEST_COMMAND]}"
            for seen in one["evidence"]
        ]
    return [*lines, "", _figures(result)]


def _figures(result: Mapping[str, Any]) -> str:
    usage = result["usage"]
    tokens = usage["prompt_tokens"] + usage["completion_tokens"]
    justified = f", justification {result['justification']:.2f}" if result["status"] == "won" else ""
    asked = (
        f"{result['model']}, {counted(usage['calls'], 'call')}, {tokens} tokens, {usage['seconds']:.1f} s"
        if usage["calls"]
        else result["model"]
    )
    return (
        f"{counted(result['turns'], 'turn')}, score {result['score']}{justified}; {asked}; "
        f"thread {result['thread_id']}"
    )
