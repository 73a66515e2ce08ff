"""A game as one self-contained page: goal, score, turns, proof graph and settings, without a script.

Everything in a game may come from files and models, so every text goes through `escaped`; tags are written
here, in `cli.play_drawing` and `cli.play_chart`, and in `configs/pages` only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import Template

from cli.play_chart import chart_of, tone_of
from cli.play_drawing import drawing_of
from cli.play_live import counted, outcome_of, told_lines
from cli.play_output import ENDS
from cli.play_words import claim_words, move_words
from cli.trace_page import escaped
from nodes.tutor.export import Document
from nodes.tutor.open_games import FREE
from nodes.tutor.proof_graph import Node
from nodes.tutor.state import TutorState
from nodes.tutor.turns import Turn

LONGEST_OUTPUT = 20_000
LONGEST_WORDS = 600
LEGEND = (
    ("line supports", "the claim rests on it"),
    ("line refutes", "it refutes the claim"),
    ("line cited", "cited, not needed or not enough"),
    ("line targets", "has the form wanted"),
    ("line derives", "answers the goal, or was put in its place"),
    ("box good", "validated"),
    ("box bad", "refuted"),
    ("box warn", "undecidable"),
    ("box", "not judged"),
)


def page_of(document: Document, state: TutorState, title: str) -> str:
    """The page of a game, as text that has a UTF-8 form.

    Args:
        document: the game, as it is exported.
        state: of its thread, for who played and at what cost.
        title: of the game.
    """
    folder = files("configs") / "pages"
    nodes = {node.id: node for node in document.nodes}
    won = document.won
    outcome = "won" if won else "lost" if document.ended else "goes on"
    heading = title if document.game.id == FREE else f"{document.game.id} {title}"
    drawing = drawing_of(document.nodes, document.edges, document.answer)
    tones = [tone_of(turn.model_dump(mode="json")) for turn in document.turns]
    goal = nodes["g"].data["text"] if "g" in nodes else document.game.goal
    return Template((folder / "play.html").read_text("utf-8")).substitute(
        title=escaped(f"{heading}: {outcome}"),
        style=(folder / "trace.css").read_text("utf-8") + (folder / "play.css").read_text("utf-8"),
        heading=escaped(heading),
        about=escaped(_about(document)),
        tone="good" if won else "bad" if document.ended else "warn",
        outcome=escaped(outcome),
        goal=escaped(str(goal)),
        facts=_facts(_figures(document, state)),
        sections="".join(
            f'<div class="block"><h3>{escaped(name)}</h3>\n{content}</div>\n'
            for name, content in (
                ("Answer", _answers(document, nodes)),
                ("Score by turn", chart_of([turn.score for turn in document.turns], tones)),
                ("Proof graph", _graph(drawing.svg, drawing.left_out)),
                ("Turns", _turns(document, nodes)),
                ("Players and settings", _facts(_settings(document, state), "facts many")),
                ("Notes", _listed(_notes(state))),
            )
            if content
        ),
    )


def _about(document: Document) -> str:
    seed = "" if document.game.id == FREE else f" · seed {document.game.seed}"
    return f"Proof game{seed} · {document.name} · seal {document.seal[:12]}"


def _figures(document: Document, state: TutorState) -> dict[str, str]:
    end = ENDS.get(str(document.ended), "The game goes on.")
    return {
        "end": end,
        "score": str(document.score),
        "turns": str(len(document.turns)),
        **({"justification": f"{document.justification:.2f}"} if document.won else {}),
        "player": state.model or "unknown",
    }


def _settings(document: Document, state: TutorState) -> dict[str, str]:
    settings, usage = document.settings, state.usage
    limits = [
        f"{name.replace('_', ' ')} {most}" for name, most in settings.limits.model_dump().items() if most
    ]
    points = [f"{name.replace('_', ' ')} {worth:+}" for name, worth in settings.points.model_dump().items()]
    return {
        "player": state.model or "unknown",
        "model calls": str(usage.calls),
        "tokens": f"{usage.prompt_tokens} of prompts, {usage.completion_tokens} of replies",
        "seconds of the model": f"{usage.seconds:.1f}",
        "tutor": "code; no model judges",
        "help": settings.arm,
        "turns at most": str(settings.most_turns or "as the game has"),
        "answers rejected at most": str(settings.most_answers),
        "moves of a menu": str(settings.menu_size) if settings.arm in ("menu", "all") else "no menu",
        "open work at most": ", ".join(limits) if limits and settings.arm != "none" else "no limits",
        "points": ", ".join(points),
    }


def _facts(values: Mapping[str, str], kind: str = "") -> str:
    inner = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in values.items()
    )
    return f'<dl class="{kind}">{inner}</dl>' if kind else inner


def _answers(document: Document, nodes: Mapping[str, Node]) -> str:
    items = "".join(_answered(nodes[name], document) for name in document.answer)
    return f'<ul class="answers">{items}</ul>' if items else ""


def _answered(node: Node, document: Document) -> str:
    rests = [edge.source for edge in document.edges if edge.kind == "supports" and edge.target == node.id]
    said = escaped(_words(claim_words(node.data)))
    return (
        f'<li><p class="claim"><strong>{escaped(node.id)}</strong> {said}</p>'
        f'<p class="why">{escaped(str(node.data.get("reason", "")))} '
        f"Rests on {escaped(', '.join(rests) or 'nothing')}.</p></li>\n"
    )


def _graph(svg: str, left_out: Sequence[str]) -> str:
    if not svg:
        return ""
    legend = "".join(f'<li><span class="{kind}"></span>{escaped(words)}</li>' for kind, words in LEGEND)
    more = f'<p class="why">Not drawn: {escaped("; ".join(left_out))}.</p>' if left_out else ""
    return f'<div class="proof">{svg}</div><ul class="legend">{legend}</ul>{more}'


def _turns(document: Document, nodes: Mapping[str, Node]) -> str:
    items = "".join(_turn(turn, document.name, nodes) for turn in document.turns)
    return f'<ol class="timeline">\n{items}</ol>' if items else ""


def _turn(turn: Turn, game: str, nodes: Mapping[str, Node]) -> str:
    plain = turn.model_dump(mode="json")
    tone, outcome = tone_of(plain), outcome_of(plain)
    who = "the tutor composes" if turn.by == "tutor" else ""
    said = move_words(turn.given).removeprefix(turn.move).strip()
    return (
        f'<li class="{tone}"><div class="moment"><p class="claim"><strong>{turn.number} '
        f"{escaped(turn.move or 'no move')}</strong> {escaped(_words(said))} "
        f'<span class="why">{escaped(who)}</span></p>'
        f'<p class="aside"><span class="badge small {tone}">{escaped(outcome)}</span>'
        f"<span>{turn.gained:+}</span><span>score {turn.score}</span></p></div>\n"
        f"{_told(turn, game)}{_observed(nodes.get(turn.observation))}{_given(turn)}</li>\n"
    )


def _told(turn: Turn, game: str) -> str:
    """What the player was told, without what files hold: that stands in the observation."""
    lines = [line for line in told_lines(turn.message, game, most=None) if not line.startswith("| ")]
    text = "\n".join(lines).strip()
    kind = {"refuted": " bad", "validated": " good", "undecidable": " warn"}.get(str(turn.status), "")
    helped = f'<span class="label">help: {escaped(", ".join(turn.helped))}</span>' if turn.helped else ""
    return f'<div class="note{kind}">{helped}<span class="told">{escaped(text)}</span></div>\n'


def _observed(node: Node | None) -> str:
    if node is None:
        return ""
    output = str(node.data.get("stdout", "")) + str(node.data.get("stderr", ""))
    count = len(output.splitlines())
    return _folded(f"{node.id} printed {counted(count, 'line')}", output) if output else ""


def _given(turn: Turn) -> str:
    given = turn.given
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=2)
    return _folded("Move as it was given", text)


def _folded(summary: str, text: str) -> str:
    over = len(text) - LONGEST_OUTPUT
    more = f"\n… {over} more characters" if over > 0 else ""
    return (
        f"<details><summary>{escaped(summary)}</summary>"
        f"<pre>{escaped(text[:LONGEST_OUTPUT])}{escaped(more)}</pre></details>\n"
    )


def _notes(state: TutorState) -> list[str]:
    failure = state.failure
    return [*([f"{failure.what} {failure.remedy}".strip()] if failure is not None else []), *state.notes]


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f'<ul class="plain">{items}</ul>' if items else ""


def _words(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"
