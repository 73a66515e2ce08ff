"""Thinking kept apart from the answer."""

from __future__ import annotations

import re

from langchain_core.messages import AIMessage

TAGGED = re.compile(r"<(think|thinking)>(.*?)(?:</\1>|\Z)", re.DOTALL)
# Some templates write the opening tag into the prompt, so the reply holds the closing one only.
CLOSED_ONLY = re.compile(r"\A((?:(?!<think).)*?)</think(?:ing)?>", re.DOTALL)


def split_thinking(message: AIMessage) -> tuple[str, str]:
    """The answer and the thinking of a reply; servers pass it apart, models write it between tags."""
    text = str(message.text)
    thoughts = [str(message.additional_kwargs.get("reasoning_content") or "")]
    # The pattern takes a second for a megabyte without the tag.
    if "</think" in text and (closed := CLOSED_ONLY.match(text)):
        thoughts.append(closed[1])
        text = text[closed.end() :]
    # Within JSON a tag is a value, not thinking.
    if not text.lstrip().startswith("{"):
        thoughts += [match[1] for match in TAGGED.findall(text)]
        text = TAGGED.sub("", text)
    return text.strip(), "\n".join(thought.strip() for thought in thoughts if thought.strip())
