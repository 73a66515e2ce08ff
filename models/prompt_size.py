"""Prompts that fit the window: what does not is cut by rule and reported, never left to silent truncation."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

# Characters per token, on the safe side: English prose has about 4, code and paths about 3, CJK text about 1.
CHARS_PER_TOKEN = 3.0
MESSAGE_TOKENS = 8
MARK = "\n[... {} characters left out ...]\n"


def estimate_tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few; a character outside Latin scripts counts as one."""
    wide = sum(1 for character in text if ord(character) > 0x2E7F)
    return int((len(text) - wide) / CHARS_PER_TOKEN) + wide + 1


def fit(messages: Sequence[BaseMessage], tokens: int) -> tuple[list[BaseMessage], int]:
    """Messages that fit, and the number of characters that were cut.

    Examples (between the first and the last message) go first, oldest first; then the longest message loses its
    middle.

    Args:
        messages: system first, request last.
        tokens: tokens the prompt may have.
    """
    kept = list(messages)
    cut = 0
    while _tokens(kept) > tokens and len(kept) > 3:
        cut += sum(len(str(message.text)) for message in kept[1:3])
        del kept[1:3]
    while (over := _tokens(kept) - tokens) > 0:
        index = max(range(len(kept)), key=lambda number: len(str(kept[number].text)))
        shorter, lost = _without_middle(str(kept[index].text), int(over * CHARS_PER_TOKEN) + 40)
        if lost <= 0:
            break
        kept[index] = kept[index].model_copy(update={"content": shorter})
        cut += lost
    return kept, cut


def _tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(estimate_tokens(str(message.text)) + MESSAGE_TOKENS for message in messages)


def _without_middle(text: str, lost: int) -> tuple[str, int]:
    lost = min(lost + len(MARK), len(text) - 80)
    if lost <= 0:
        return text, 0
    half = (len(text) - lost) // 2
    return f"{text[:half]}{MARK.format(lost)}{text[len(text) - half :]}", lost
