"""Does every fact in an answer stand in the evidence? Numbers, paths and quotations are looked up.

Grounding says that a fact was seen, not that the answer is right: a wrong plan can be well grounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]|\.\d)")
PATH = re.compile(
    r"(?<![\w/.-])(?:\.{0,2}/)?(?:[\w@+-][\w.@+-]*/)+[\w.@+-]*|(?<![\w/.-])[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,7}(?![\w/])"
)
QUOTED = re.compile(r'"([^"\n]{2,})"|`([^`\n]{2,})`|“([^”\n]{2,})”')
# Ordinary words with a dot inside that name no file.
NOT_PATHS = frozenset({"e.g", "i.e", "etc.", "vs."})
# List numbers at the start of a line count nothing.
ENUMERATION = re.compile(r"(?m)^\s*(?:\d+[.)]|[-*])\s+")


def _plain(number: str) -> str:
    text = number.replace(",", "").rstrip(".")
    return text.rstrip("0").rstrip(".") if "." in text else text


def facts_in(answer: str) -> list[str]:
    """Every number, path and quotation of an answer, as written, in order, without repeats."""
    body = ENUMERATION.sub("", answer)
    facts = [next(group for group in match.groups() if group) for match in QUOTED.finditer(body)]
    facts += [path for path in PATH.findall(body) if path not in NOT_PATHS and not _is_number(path)]
    without_paths = PATH.sub(" ", body)
    facts += NUMBER.findall(without_paths)
    return list(dict.fromkeys(fact for fact in facts if fact.strip()))


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[\d.,]+", text))


def ungrounded(answer: str, evidence: Iterable[str]) -> list[str]:
    """Facts of the answer that no evidence holds.

    Args:
        answer: the answer to check.
        evidence: the goal and everything tools returned or code computed.
    """
    text = "\n".join(evidence)
    lowered = text.lower()
    numbers = {_plain(number) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}
    missing = []
    for fact in facts_in(answer):
        if _is_number(fact):
            held = _plain(fact) in numbers
        else:
            held = fact.lower().removeprefix("./").rstrip("/.") in lowered
        if not held:
            missing.append(fact)
    return missing
