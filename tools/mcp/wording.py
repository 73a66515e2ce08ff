"""Calls of servers' tools as text: how a planner writes them, and how a person is shown them. Pure.

weather.forecast {"city": "Paris", "days": 3}
weather.forecast city=Paris days=3
weather.forecast
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any, NoReturn

from configs.redaction import escaped
from tools.errors import BadArguments, CommandRefused
from tools.mcp.schemas import Schema, types_of
from tools.protocol import ToolCall
from tools.stages import SHOWN_CHARS, encodable

MOST_ARGUMENT_CHARS = 200_000

_CALL = re.compile(
    r"\A\s*(?P<server>[A-Za-z][A-Za-z0-9_-]{0,31})\.(?P<tool>[A-Za-z0-9_][\w./-]*)(?=[\s({'\"]|\Z)", re.ASCII
)
# Where a wrapping of the whole object is taken off: a shell's quotes, a programming language's brackets.
_WRAPPED = re.compile(r"\A(?:'(?P<quoted>\{.*\})'|\((?P<called>\{.*\})?\s*\))\Z", re.DOTALL)
_WORD = re.compile(r"(?P<name>[^\s=]+)=(?P<value>.*)", re.DOTALL)
_SHELL = frozenset({"|", "||", "&&", ";", ">", ">>", "<", "&"})
_FORM = 'Write the arguments as one JSON object, e.g. server.tool {"city": "Paris"}.'


def called_tool(command: str) -> tuple[str, str, str] | None:
    """The server, the tool and the rest of a command that has the form of such a call, else None."""
    match = _CALL.match(command)
    return (match["server"], match["tool"], command[match.end() :].strip()) if match else None


def read_arguments(tool: str, text: str, accepts: Schema) -> dict[str, Any]:
    """The arguments a planner wrote behind a tool's name.

    Args:
        tool: full name, for messages.
        text: what stands behind it, without blanks around.
        accepts: the tool's schema, which says what of `name=value` is a text.

    Raises:
        CommandRefused: the call is joined with something.
        BadArguments: they are no JSON object and no `name=value` words.
    """
    wrapped = _WRAPPED.match(text)
    if wrapped:
        text = wrapped["quoted"] or wrapped["called"] or ""
    if not text:
        return {}
    if not text.startswith("{"):
        return _words(tool, text, accepts)
    try:
        found, end = json.JSONDecoder(parse_constant=_no_number).raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"{tool}: its arguments are no JSON object ({error}).", _FORM) from error
    rest = text[end:].strip()
    if rest:
        _refuse_joined(tool, rest)
    return dict(found)


def _words(tool: str, text: str, accepts: Schema) -> dict[str, Any]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadArguments(f"{tool}: its arguments cannot be read ({error}).", _FORM) from error
    made: dict[str, Any] = {}
    for word in words:
        if word in _SHELL:
            _refuse_joined(tool, word)
        match = _WORD.fullmatch(word)
        if match is None or match["name"] in made:
            raise BadArguments(f"{tool}: {word[:60]!r} is no argument of the form name=value.", _FORM)
        made[match["name"]] = _value(match["value"], accepts.get("properties", {}).get(match["name"], {}))
    return made


def _value(text: str, schema: Schema) -> Any:
    """A word as the value its schema takes: a text where it takes texts, else JSON where it is some."""
    if "string" in types_of(schema):
        return text
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return text


def _refuse_joined(tool: str, rest: str) -> NoReturn:
    raise CommandRefused(
        f"{tool} is refused: {rest[:60]!r} stands behind its arguments.",
        "A server's tool is a step of its own: nothing is piped into it or out of it.",
    )


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def check_plain(tool: str, args: dict[str, Any]) -> None:
    """Hold arguments to what JSON over a pipe can carry.

    Raises:
        BadArguments: they cannot be sent, or are too long.
    """
    try:
        size = len(json.dumps(args, allow_nan=False, ensure_ascii=False).encode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadArguments(
            f"{tool}: its arguments cannot be sent ({type(error).__name__}: {error})."
        ) from error
    if size > MOST_ARGUMENT_CHARS:
        raise BadArguments(f"{tool}: its arguments have {size} bytes; {MOST_ARGUMENT_CHARS} are the most.")


def as_command(call: ToolCall) -> str:
    """A call as a planner would write it; `called_tool` and `read_arguments` read it back."""
    return f"{call.tool} {json.dumps(call.args)}"


def shown_call(call: ToolCall) -> str:
    """A call in one line, for display and for evidence; never executed."""
    args = json.dumps(call.args, ensure_ascii=False, default=str) if call.args else ""
    text = encodable(escaped(f"{call.tool} {args}".strip()))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " ..."


def laid_out(args: dict[str, Any]) -> str:
    """Arguments for a person to approve: all of them, an argument a line or more."""
    lines = json.dumps(args, ensure_ascii=False, indent=2, default=str).splitlines()
    return "\n".join(encodable(escaped(line)) for line in lines)
