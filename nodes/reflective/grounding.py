"""Does every fact in an answer stand in the evidence? Numbers, paths and quotations are looked up.

Grounding says that a fact was seen, not that the answer is right: a wrong plan can be well grounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# A unit may follow at once: "5KB", "12%", "2nd". The number of "SHA-256" or "UTF-8" is part of a name.
NUMBER = re.compile(r"(?<![\w.])(?<![A-Za-z]-)\d[\d,]*(?:\.\d+)?(?=[A-Za-z%]*(?!\w|\.\d))")
# Names that only evidence can give: hashes, versions, identifiers with an underscore.
NAME = re.compile(
    r"(?<![\w.])(?:(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,64}|v\d+(?:\.\d+)+|[A-Za-z]\w*_\w+|_\w+)(?!\w)"
)
# "one" and "a" are too common to be counts.
WRITTEN = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), start=2
    )
}
WRITTEN_NUMBER = re.compile(rf"\b(?:{'|'.join(WRITTEN)})\b", re.IGNORECASE)
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
    facts += NAME.findall(without_paths)
    facts += NUMBER.findall(without_paths)
    facts += WRITTEN_NUMBER.findall(without_paths)
    return list(dict.fromkeys(fact for fact in facts if fact.strip()))


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[\d.,]+", text))


def _stands_in(fact: str, text: str) -> bool:
    """True if the fact stands in the text by itself: `a.py` does not stand in `data.py`."""
    start = r"(?<!\w)" if fact[:1].isalnum() else ""
    end = r"(?!\w)" if fact[-1:].isalnum() else ""
    return re.search(f"{start}{re.escape(fact)}{end}", text) is not None


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
        elif fact.lower() in WRITTEN:
            held = WRITTEN[fact.lower()] in numbers or _stands_in(fact.lower(), lowered)
        else:
            held = _stands_in(fact.lower().removeprefix("./").rstrip("/."), lowered)
        if not held:
            missing.append(fact)
    return missing
