"""What a model puts around its words: special tokens, LaTeX, Markdown, JSON, fences. Pure."""

from __future__ import annotations

import json
import re
from typing import Any

SPECIAL = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>|\[/?INST\]")
THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"```[ \t]*(?P<language>[\w+#.-]*)[ \t]*\n?(?P<body>.*?)(?:```|\Z)", re.DOTALL)
TICKED = re.compile(r"(?<!`)`(?P<body>[^`\n]+)`(?!`)")
BOLD = re.compile(
    r"(?<!\*)\*\*(?!\s)(?P<stars>[^*\n]+?)(?<!\s)\*\*(?!\*)|(?<!_)__(?!\s)(?P<lines>[^_\n]+?)__(?!_)"
)
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]*(?P<title>.*?)[ \t#]*$", re.MULTILINE)
BULLET = re.compile(r"^[ \t]*(?:[-*+•·]|\(?\d{1,2}[.)、](?!\d))[ \t]+(?=\S)")
TERM = re.compile(
    r"^[ \t]*\*\*(?P<term>[^*\n]{1,40}?):?\*\*:?[ \t]+(?:[-–—][ \t]+)?(?P<told>\S.*)$", re.MULTILINE
)
_MATHS = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\\\[(?P<bracket>.+?)\\\]|\\\((?P<inline>.+?)\\\)"
    r"|\$(?P<dollar>[^\s$\d][^$\n]*?|\d(?:(?![A-Za-z]{3})[^$\n,])*?|[^\s$][^$\n]*?\\[^$\n]*?|[^\s$][^$\nA-Z]*?[=^][^$\nA-Z]*?)(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{(?P<top>[^{}]*)\}\s*\{(?P<bottom>[^{}]*)\}")
_WRAPPED = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|operatorname|textbf|boxed|mbox)\s*\{(?P<inner>[^{}]*)\}"
)
_THOUSANDS = re.compile(r"(?<=\d)\{,\}(?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d)\{,\}(?=\d)")
_SIGNS = {
    r"\times": "×", r"\cdot": "×", r"\div": "÷", r"\approx": "≈", r"\pm": "±", r"\pi": "π", r"\%": "%", r"\$": "$",
    r"\left": "", r"\right": "", r"\,": " ", r"\;": " ", r"\!": "", r"\ ": " ", r"\quad": " ", r"\degree": "°",
    r"^\circ": "°", r"^{\circ}": "°", r"\circ": "°", r"\leq": "≤", r"\geq": "≥", r"\neq": "≠", r"\infty": "∞",
    r"\log": "log", r"\ln": "ln", r"\sin": "sin", r"\cos": "cos", r"\tan": "tan", r"\rightarrow": "→", r"\to": "→",
}  # fmt: skip
_SIGN = re.compile(
    "|".join(re.escape(sign) + r"(?![a-zA-Z])" for sign in sorted(_SIGNS, key=len, reverse=True))
)
_ROLE = re.compile(r"^\s*(?:assistant|ai|bot|model|response|gpt)\s*:\s*", re.IGNORECASE)
_NEXT_QUESTION = re.compile(
    r"^[ \t]*(?:\*\*)?(?:q|question|user|human|problem|问题|問題|问|問|題目)\s*\d*\s*(?:\*\*)?[:：]",
    re.IGNORECASE | re.MULTILINE,
)
ANSWER_KEYS = ("final_answer", "short_answer", "answer", "result", "final", "solution", "output", "答案")
DEEPEST = 20


def spoken(text: str) -> str:
    """A sample without its thoughts, tokens that are no text, and turns that are not its own."""
    text = _ROLE.sub("", SPECIAL.sub("", THINKING.sub("", text)).strip().strip("\ufeff\u200b").strip())
    return _own_turn(text)


def _own_turn(text: str) -> str:
    """A text up to where a base model goes on with questions of its own."""
    turns = [match.start() for match in _NEXT_QUESTION.finditer(text)]
    # The first may only repeat what was asked.
    later = [at for at in turns if re.search(r"\w", text[:at])]
    return text[: later[0]].strip() if later else text


def boxed(text: str) -> str | None:
    r"""What the last \boxed{...} holds, braces in it taken in; None without one."""
    at = text.rfind(r"\boxed{")
    if at < 0:
        return None
    start, depth = at + len(r"\boxed{"), 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place].strip()
    return text[start:].strip()


def plain_maths(text: str) -> str:
    r"""LaTeX as a person would type it: \frac{3}{4} is 3/4, \text{km} is km; prices keep their dollar sign."""
    # A German writes 2{,}5 so; three figures beyond it are thousands.
    text = _DECIMAL.sub(".", _THOUSANDS.sub("", text))
    if "$" in text or "\\(" in text or "\\[" in text:
        text = _MATHS.sub(lambda match: next(group for group in match.groups() if group is not None), text)
    if "\\" not in text:
        return text
    for _ in range(DEEPEST):
        simpler = _WRAPPED.sub(
            lambda m: m["inner"], _FRACTION.sub(lambda m: f"{m['top']}/{m['bottom']}", text)
        )
        if simpler == text:
            break
        text = simpler
    return _SIGN.sub(lambda match: _SIGNS[match[0]], text)


def bold(text: str) -> list[str]:
    """What is set in bold, in order."""
    return [(match["stars"] or match["lines"]).strip() for match in BOLD.finditer(text)]


def unmarked(text: str) -> str:
    """Text without bold, ticks and heading signs; its lines stay."""
    text = BOLD.sub(lambda match: match["stars"] or match["lines"], text)
    text = TICKED.sub(lambda match: match["body"], text)
    return HEADING.sub(lambda match: match["title"], text)


def json_answer(text: str) -> str | None:
    """The answer a JSON object names, "" for one that is null or blank; None if the text is no such object."""
    fenced = [match["body"] for match in FENCE.finditer(text)]
    for candidate in (text, *reversed(fenced)):
        if not candidate.lstrip().startswith("{"):
            continue
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            low = {str(key).strip().lower().replace(" ", "_"): held for key, held in value.items()}
            for key in ANSWER_KEYS:
                if key in low:
                    return _told(low[key])
            if len(low) == 1:
                return _told(next(iter(low.values())))
    return None


def _told(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "\n".join(f"- {_told(item)}" for item in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return str(value).strip()
