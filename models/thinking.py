"""Thinking kept apart from the answer."""

from __future__ import annotations

import json
import re

from langchain_core.messages import AIMessage

TAGS = "think|thinking|thought|reasoning"
TAGGED = re.compile(rf"<({TAGS})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
# Some templates write the opening tag into the prompt, so the reply holds the closing one only.
CLOSED_ONLY = re.compile(rf"\A((?:(?!<(?:{TAGS})>).)*?)</(?:{TAGS})>", re.DOTALL | re.IGNORECASE)


def split_thinking(message: AIMessage) -> tuple[str, str]:
    """The answer and the thinking of a reply; servers pass it apart, models write it between tags."""
    text = str(message.text)
    thoughts = [str(message.additional_kwargs.get("reasoning_content") or "")]
    text, found = _apart(text)
    thoughts += found
    return text.strip(), "\n".join(thought.strip() for thought in thoughts if thought.strip())


def _apart(text: str) -> tuple[str, list[str]]:
    """The text without thinking, and the thinking. Within a JSON value a tag is a value, not thinking."""
    end = _json_end(text)
    value, rest = text[:end], text[end:]
    thoughts: list[str] = []
    while True:
        # The pattern takes long for a megabyte without the tag.
        if not value and "</think" in rest and (closed := CLOSED_ONLY.match(rest)):
            thoughts.append(closed[1])
            rest = rest[closed.end() :]
            # What came before may have hidden that the reply is a value.
            end = _json_end(rest)
            value, rest = rest[:end], rest[end:]
        elif tagged := TAGGED.search(rest):
            thoughts.append(tagged[2])
            rest = rest[: tagged.start()] + rest[tagged.end() :]
            if not value:
                end = _json_end(rest)
                value, rest = rest[:end], rest[end:]
        else:
            return value + rest, thoughts


def _json_end(text: str) -> int:
    """Where the JSON object ends that a text begins with; 0 if it begins with none."""
    start = len(text) - len(text.lstrip())
    if not text.startswith("{", start):
        return 0
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return 0
