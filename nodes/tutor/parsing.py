"""A move as it was given, to a typed move. Nothing is tolerated: prose is no move, and two are none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from nodes.tutor.moves import Move, Request

LONGEST_GIVEN = 20_000
"""Characters of a move; whatever is longer is no move, and only so much of it is kept."""
DEEPEST = 16
MOST_TOLD = 3
_LARGEST = 2**63 - 1
_MOVE: TypeAdapter[Move] = TypeAdapter(Move)
_CLAIM = '{"predicate": "contains", "subject": "a/b.txt", "value": "x"}'
_CALL = '{"tool": "cat", "args": {"path": "a/b.txt"}}'
FORMS: Mapping[str, str] = {
    "PROPOSE": f'{{"move": "PROPOSE", "request": {_CALL}}}',
    "ASSERT": f'{{"move": "ASSERT", "claim": {_CLAIM}, "evidence": ["o1"]}}',
    "ASK": '{"move": "ASK", "question": "..."}',
    "CHALLENGE": f'{{"move": "CHALLENGE", "claim": "c1", "falsifier": {_CALL}}}',
    "REFORMULATE": f'{{"move": "REFORMULATE", "claim": "c1", "into": {_CLAIM}}}',
    "LINK": '{"move": "LINK", "evidence": ["o1"], "claim": "c1"}',
    "ANSWER": '{"move": "ANSWER", "claims": ["c1"]}',
    "PASS": '{"move": "PASS"}',
}
"""How each move is written."""


@dataclass(frozen=True)
class NoMove:
    """What was given is no move.

    Attributes:
        kind: of the move it names, if it names one.
        message: what is wrong, and how to write it.
    """

    kind: str
    message: str


def kept(given: object) -> Any:
    """What was given, as JSON that any store can hold; reading it again gives the same.

    Text without halves of characters and of bounded length; an object that is no plain JSON becomes text.
    """
    if isinstance(given, Mapping):
        try:
            written = json.dumps(given, ensure_ascii=True, allow_nan=False)
            again = json.loads(written)
        except (ValueError, TypeError, RecursionError):
            return kept(_named(given))
        plain = again == given and _is_plain(again)
        return again if plain and len(written) <= LONGEST_GIVEN else kept(written)
    text = given if isinstance(given, str) else _named(given)
    return text[: LONGEST_GIVEN + 1].encode("utf-8", "replace").decode("utf-8")


def read_move(given: object) -> Move | NoMove:
    """The one move in what was given.

    Args:
        given: as `kept` has it: a JSON object, or a text that is one and nothing else.
    """
    value = given
    if isinstance(given, str):
        if len(given) > LONGEST_GIVEN:
            return NoMove("", "This is far too long for a move. Give one JSON object.")
        value = _loaded(given)
        if isinstance(value, NoMove):
            return value
    if not isinstance(value, dict):
        return NoMove("", f"A move is one JSON object, such as {FORMS['PROPOSE']}")
    if not _is_plain(value):
        return NoMove(
            "", "A move holds text, numbers of at most 64 bits and few levels of lists and objects."
        )
    kind = value.get("move")
    if not isinstance(kind, str) or kind not in FORMS:
        return NoMove("", f"There is no such move. `move` is one of {', '.join(FORMS)}.")
    try:
        return _MOVE.validate_python(value)
    except ValidationError as error:
        told = [_problem(item) for item in error.errors(include_url=False, include_context=False)[:MOST_TOLD]]
        return NoMove(kind, f"{'; '.join(told)}. Write it so: {FORMS[kind]}")


def kind_of(move: Move | NoMove) -> str:
    """Which move it is, or was meant to be; "" if nobody knows."""
    return move.kind if isinstance(move, NoMove) else move.move


def signature_of(move: Move | NoMove, given: object) -> str:
    """The same text for the same move: labels, order of evidence and white space make no other one."""
    if isinstance(move, NoMove):
        text = given if isinstance(given, str) else json.dumps(given, sort_keys=True)
        return " ".join(text.split())[:200]
    content = move.model_dump(mode="json")
    for name in ("claim", "into"):
        if isinstance(content.get(name), dict):
            del content[name]["label"]
    for name in ("evidence", "claims"):
        if name in content:
            content[name] = sorted(set(content[name]))
    for name in ("request", "falsifier"):
        if content.get(name):
            content[name]["raw"] = content[name]["raw"].strip()
    return canonical(content)


def call_signature(request: Request) -> str:
    """The same text for the same call of a tool."""
    return canonical([request.tool, request.args, request.raw.strip()])


def canonical(value: object) -> str:
    """JSON, one text for one value."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        example = FORMS["PROPOSE"]
        return NoMove("", f"Words are no move. Give one JSON object and nothing else, such as {example}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key is there twice")
    return made


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _named(given: object) -> str:
    """Something that is no JSON, in words; its own `repr` is other people's code and may fail."""
    if given is None or isinstance(given, bool | int | float | list | tuple):
        try:
            return json.dumps(given, ensure_ascii=True)[: LONGEST_GIVEN + 1]
        except (ValueError, TypeError, RecursionError):
            return f"({type(given).__name__})"
    return f"({type(given).__name__})"


def _is_plain(value: object, depth: int = 0) -> bool:
    """True for JSON that is not deep, holds no number too large for a store, and no half of a character."""
    if depth > DEEPEST:
        return False
    if isinstance(value, dict):
        return all(_is_plain(key, depth) and _is_plain(item, depth + 1) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_plain(item, depth + 1) for item in value)
    if isinstance(value, str):
        return not any("\ud800" <= sign <= "\udfff" for sign in value) if not value.isascii() else True
    if isinstance(value, int):
        return -_LARGEST <= value <= _LARGEST
    return value is None or (isinstance(value, float) and value - value == 0)


def _problem(item: Any) -> str:
    place = ".".join(str(part) for part in item["loc"][1:]) or "the move"
    if item["type"] == "extra_forbidden":
        return f"`{place}` does not belong there"
    return f"`{place}` is missing" if item["type"] == "missing" else f"`{place}`: {item['msg']}"


def dumped(model: BaseModel) -> dict[str, Any]:
    """A model as JSON."""
    return model.model_dump(mode="json")
