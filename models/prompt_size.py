"""Prompts that fit the window: what does not is cut by rule and reported, never left to silent truncation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from langchain_core.messages import BaseMessage

# Tokens of pieces of text, rather too many than too few. Measured on the vocabularies of Gemma 3 (262k), with
# a token for every digit, and SmolLM2 (49k), poor outside English: over prose in six languages, code,
# commands, listings, JSON, hashes and base64, an estimate is 1.0 to 1.9 times the larger count.
LETTERS_PER_TOKEN = 4
CAPITALS_PER_TOKEN = 1.4
SPACES_PER_TOKEN = 8
PUNCTUATION_PER_TOKEN = 1.25
ALPHABET_TOKENS = 1.1
WIDE_TOKENS = 2.0
ASTRAL_TOKENS = 3.2
MARGIN = 1.1
PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]| (?=[0-9])|\s+|[!-/:-@\[-`{-~]+|[^\x00-\x7f]+|.", re.DOTALL)
# Role markers and separators of a chat template.
MESSAGE_TOKENS = 8
MARK = "\n[... {} characters left out ...]\n"
LEAST_CHARS = 80
# Output of tools stands between two equal lines; each command in it begins with "$ ", perhaps numbered.
FENCED = re.compile(r"^(?P<fence>={5}[^\n]*={5})\n(?P<body>.*?)\n(?P=fence)$", re.MULTILINE | re.DOTALL)
NEXT_COMMAND = re.compile(r"^(?:\d+\. )?\$ ", re.MULTILINE)


# A prompt is measured several times while it is fitted, and its rules with every prompt of the role.
@lru_cache(maxsize=512)
def estimate_tokens(text: str) -> int:
    """Tokens of a text, an estimate on the high side."""
    pieces = Counter(PIECES.findall(text))
    return math.ceil(MARGIN * math.fsum(_tokens_of(piece) * times for piece, times in pieces.items()))


def _tokens_of(piece: str) -> float:
    first = piece[0]
    if not first.isascii():
        return sum(_tokens_beyond_ascii(character) for character in piece)
    if first.isalpha():
        per_token = CAPITALS_PER_TOKEN if piece.isupper() else LETTERS_PER_TOKEN
        return math.ceil(len(piece) / per_token)
    if first.isspace():
        # A single space belongs to the word after it.
        return piece.count("\n") + (len(piece) - 1) / SPACES_PER_TOKEN
    return max(1.0, len(piece) / PUNCTUATION_PER_TOKEN)


def _tokens_beyond_ascii(character: str) -> float:
    """Latin and other alphabets about 1 a character, Chinese and Japanese more, emoji most."""
    if ord(character) > 0xFFFF:
        return ASTRAL_TOKENS
    return WIDE_TOKENS if ord(character) > 0x2E7F else ALPHABET_TOKENS


def fit(messages: Sequence[BaseMessage], tokens: int, keep_last: int = 1) -> tuple[list[BaseMessage], int]:
    """Messages that fit, and the number of characters that were cut.

    Examples (between the system messages and the last ones) go first, oldest first; then what stands between
    fence lines (=====...=====), which is output of tools: the oldest command's first, and of the last one its
    middle. Only when rules and request alone are too long does the longest message lose its middle, again and
    again. Nothing is cut below 80 characters a message.

    Args:
        messages: system messages first, request last.
        tokens: tokens the prompt may have.
        keep_last: messages at the end that are the request, not examples.
    """
    kept = list(messages)
    cut = 0
    start = next((number for number, message in enumerate(kept) if message.type != "system"), len(kept))
    while estimate_prompt(kept) > tokens and len(kept) - start > keep_last:
        # A question goes with its answer, so that no example is left half.
        pair = kept[start : min(start + 2, len(kept) - keep_last)]
        cut += sum(len(str(message.text)) for message in pair)
        del kept[start : start + len(pair)]
    while (over := estimate_prompt(kept) - tokens) > 0:
        lost = _cut_evidence(kept, over)
        if lost <= 0:
            break
        cut += lost
    while (over := estimate_prompt(kept) - tokens) > 0:
        index = max(range(len(kept)), key=lambda number: len(str(kept[number].text)))
        shorter, lost = without_middle(str(kept[index].text), over)
        if lost <= 0:
            break
        kept[index] = kept[index].model_copy(update={"content": shorter})
        cut += lost
    return kept, cut


def _cut_evidence(kept: list[BaseMessage], over: int) -> int:
    """Cut the oldest output of tools between two fence lines; the characters that left, 0 if none can go."""
    for index, message in enumerate(kept):
        text = str(message.text)
        for block in FENCED.finditer(text):
            body, start = block["body"], block.start("body")
            later = NEXT_COMMAND.search(body, 1)
            if later is not None:
                shorter, lost = body[later.start() :], later.start()
            else:
                shorter, lost = without_middle(body, over)
            if lost > 0:
                changed = f"{text[:start]}{shorter}{text[start + len(body) :]}"
                kept[index] = message.model_copy(update={"content": changed})
                return lost
    return 0


def estimate_prompt(messages: Sequence[BaseMessage]) -> int:
    """Tokens of a whole prompt with its separators, an estimate on the high side."""
    return sum(estimate_tokens(str(message.text)) + MESSAGE_TOKENS for message in messages)


def without_middle(text: str, over: int) -> tuple[str, int]:
    """A text shorter by about `over` tokens, with a mark where its middle was, and the characters that left.

    0 characters leave a text that is short already.
    """
    mark = MARK.format(len(text))
    ratio = len(text) / max(1, estimate_tokens(text))
    left = len(text) - math.ceil(over * ratio) - 2 * len(mark)
    half = max(left, LEAST_CHARS) // 2
    lost = len(text) - 2 * half
    if lost <= 2 * len(mark):
        return text, 0
    return f"{text[:half]}{MARK.format(lost)}{text[len(text) - half :]}", lost
