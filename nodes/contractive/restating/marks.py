"""What must stand word for word: quotations, code, paths, addresses, formulas. Pure."""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r'"([^"\n]{1,400})"|「([^」\n]{1,400})」|『([^』\n]{1,400})』|《([^》\n]{1,200})》|(?<!\w)\'([^\'\n]{1,200})\'(?!\w)'
)
_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_TICKED = re.compile(r"`([^`\n]+)`")
_IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:[a-z]+://[^\s<>\"]+[\w/]|[\w.+-]+@[\w-]+\.[\w.]+|(?:~|\.{1,2})?/[\w./-]+|[\w-]{1,80}(?:/[\w.-]{1,80}){1,20}\.\w+|[A-Za-z_][\w-]*\.(?:py|js|ts|json|ya?ml|toml|txt|md|csv|html?|css|cpp|c|h|java|rs|go|sh|sql|xml|pdf|docx?|xlsx?|ini|cfg|lock|log|env|ipynb|rb|php|kt)\b"
    r"|--?[A-Za-z][\w-]*(?:=\S+)?(?<![,.?!])|\$\w+|[A-Za-z]\w{0,80}_\w{1,80}(?:\([^()\s]{0,80}(?:\([^()]{0,80}\)[^()]{0,80}){0,4}\))?|_\w+|[a-z]+[A-Z]\w*|[A-Za-z_][\w.]{0,80}\((?:[^()\n]|\([^()\n]{0,80}\)){0,160}\)|[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{1,80}){1,12}(?<!\.[a-z])|[A-Z][A-Z0-9]*_[A-Z0-9_]+|HEAD[~^]\d*|[\w\]]{1,80}\[[^\]\n]{0,120}\]|[A-Za-z_]\w*::\w+|0x[0-9a-fA-F]+|v\d+(?:\.\d+)+)"
)
_FORMULA = re.compile(r"(?<![\w/])(?:[\w.()]{1,40}\s?[\^=+*/×÷<>≤≥-]\s?){1,40}[\w.()]{0,40}[\w)](?![\w/])")
_TIMES_OF_DAY = re.compile(r"\d{1,2}:\d{2}")


def quoted(text: str) -> list[str]:
    """What stands in quotation marks in a folded text, in order."""
    return [
        next(group for group in match.groups() if group is not None)
        for match in _QUOTED.finditer(_BLOCK.sub(" ", text))
    ]


def code(text: str) -> list[str]:
    """Blocks of code, what stands in ticks, and what is written as only code is: paths, calls, options, addresses."""
    found = [block.strip("` \n") for block in _BLOCK.findall(text)]
    rest = _BLOCK.sub(" ", text)
    found += _TICKED.findall(rest)
    rest = _TICKED.sub(" ", rest)
    return found + [rest[match.start() : match.end()] for match in _IDENTIFIER.finditer(_masked(rest))]


def formulas(text: str) -> list[str]:
    """Formulas with a sign in them, without blanks: x^2-5x+6=0."""
    rest = _IDENTIFIER.sub(" ", _masked(_TICKED.sub(" ", _BLOCK.sub(" ", text)))).replace("·", " ")
    found = [re.sub(r"\s+", "", match[0]) for match in _FORMULA.finditer(rest)]
    return [
        one
        for one in found
        if re.search(r"\d|=|\^", one)
        and not re.fullmatch(r"[A-Za-z]+-[A-Za-z-]+|[\d.,]+[-/][\d.,/-]+", one)
        and re.search(r"[\^=+*/×÷<>≤≥]|\d-\d|[a-z]-", one)
    ]


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text)


def _masked(text: str) -> str:
    """A text of the same length in which no quotation reads as code: len("a_b") is one call."""
    return _QUOTED.sub(lambda match: "·" * len(match[0]), text)


def without_marks(text: str) -> str:
    """A folded text without its quotations and code, of which the words are no words of the question."""
    rest = _TICKED.sub(" ", _BLOCK.sub(" ", text))
    return _IDENTIFIER.sub(" ", _masked(rest)).replace("·", " ")


def stands_in(mark: str, text: str) -> bool:
    """True if a mark stands in a text character for character, blanks aside, and not as a part of a longer word."""
    squeezed, whole = re.sub(r"\s+", " ", mark).strip(), re.sub(r"\s+", " ", text)
    if _bounded(squeezed, whole):
        return True
    return (
        _bounded(re.sub(r"\s+", "", squeezed), re.sub(r"\s+", "", text))
        if re.search(r"[^\w\s]", mark)
        else False
    )


def _bounded(mark: str, text: str) -> bool:
    before = r"(?<![\w-])" if re.match(r"[A-Za-z0-9_-]", mark) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]$", mark) else ""
    return bool(mark) and re.search(before + re.escape(mark) + after, text) is not None
