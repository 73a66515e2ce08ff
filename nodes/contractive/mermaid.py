"""The tree of questions as a Mermaid flowchart, in which no text of a person or a model is markup. Pure.

A label is one quoted string. Of what it shows, ASCII letters, digits, blanks and ",?!:" stand as they are,
and letters, marks and pictures of other scripts; all else is an entity code (`#40;` for a bracket), which
Mermaid turns into that character after it has read its grammar.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nodes.contractive.state import Question

HEAD = "%% reflect think"
"""The first line, a comment, by which a diagram of ours is known."""
LONGEST_LABEL = {"question": 120, "answer": 80, "reason": 80}
# Mermaid refuses what is longer, or has more lines between boxes, unless its page is set up otherwise:
# maxTextSize 50 000 and maxEdges 500 of its configuration schema, version 11.
MOST_CHARACTERS = 45_000
MOST_EDGES = 450
# Characters of a box or a line besides its label, at most.
_AROUND = 60
# Signs Mermaid's own coding of entities is made of: it would take them for its own.
_OF_MERMAID = frozenset("ﬂß°¶")
_JOINERS = frozenset("\u200c\u200d\u2060")
# What Mermaid 11 still reads after it has put in the characters of the codes (seen in a browser): a new line,
# an icon, a formula, and its own way to write down a code. A sign nobody sees keeps their halves apart.
_READ_LATE = re.compile(r"\\(?=n)|:(?=fa-)|\$(?=\$)|ﬂ(?=°)|¶(?=ß)")
_INVISIBLE = "\u2060"
_STYLES = (
    "classDef pruned fill:#eeeeee,stroke:#999999,color:#555555,stroke-dasharray:5 5",
    "classDef unanswered fill:#fff4e5,stroke:#b36b00,color:#5c3700",
)


def to_mermaid(tree: Mapping[str, Question | Mapping[str, Any]]) -> str:
    """Draw a tree: a box for each question, a line to each of its parts, a dashed one where it needs another.

    A tree larger than Mermaid takes is drawn from the top, with a box that says how much is left out.

    Args:
        tree: questions by id, as the state has them or as its JSON does.
    """
    checked = (one if isinstance(one, Question) else Question.model_validate(one) for one in tree.values())
    ordered = list(from_the_top({one.id: one for one in checked}))
    drawn = _that_fit(ordered)
    boxes = [f'    {place}["{_label(one)}"]' for one, place in drawn.values()]
    if left := len(ordered) - len(drawn):
        boxes.append(f'    rest["{label_text(f"{left} more questions are not drawn")}"]')
    if not ordered:
        boxes.append(f'    none["{label_text("No question has been asked yet.")}"]')
    classes = [f"    class {place} {look}" for one, place in drawn.values() if (look := _class_of(one))]
    styles = [f"    {style}" for style in _STYLES] if classes else []
    return "\n".join([HEAD, "flowchart TD", *boxes, *_edges(drawn), *styles, *classes]) + "\n"


def label_text(text: str) -> str:
    """A text as it may stand between the quotes of a label: shown as it is, and nothing but shown.

    Blanks and new lines become one blank; what has no picture (controls, signs that turn the direction of
    what follows, halves of characters) is shown as its number.
    """
    line = _READ_LATE.sub(lambda found: found[0] + _INVISIBLE, " ".join(text.split()))
    return "".join(map(_shown, line))


def shortened(text: str, longest: int) -> str:
    """A text on one line, cut to a length.

    Args:
        text: any.
        longest: characters, the sign that says that it was cut among them.
    """
    # Blanks are counted once; of a text of megabytes only the beginning is looked at.
    line = " ".join(text[: 8 * longest].split())
    whole = len(text) <= 8 * longest and len(line) <= longest
    return line if whole else line[: longest - 1].rstrip() + "…"


def _shown(sign: str) -> str:
    if sign.isascii():
        if sign.isalnum() or sign in " ,?!":
            return sign
        return f"#92;x{ord(sign):02x}" if ord(sign) < 32 or ord(sign) == 127 else f"#{ord(sign)};"
    kind = unicodedata.category(sign)
    if (kind in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") or _no_character(sign)) and sign not in _JOINERS:
        return f"#92;u{ord(sign):04x}" if ord(sign) < 0x10000 else f"#92;U{ord(sign):08x}"
    # Python may not know a new picture yet, which then has no category.
    if sign in _OF_MERMAID or (kind[0] not in "LMS" and kind != "Cn"):
        return f"#{ord(sign)};"
    return sign


def _no_character(sign: str) -> bool:
    """True for the 66 numbers Unicode keeps free of characters (its section 23.7)."""
    return 0xFDD0 <= ord(sign) <= 0xFDEF or ord(sign) & 0xFFFE == 0xFFFE


def _label(one: Question) -> str:
    """Three lines: the question, where it stands, and its answer."""
    lines = [
        f"{shortened(one.id, 24)} {shortened(one.question, LONGEST_LABEL['question'])}",
        standing(one),
        f"= {shortened(said, LONGEST_LABEL['answer'])}" if (said := answer_of(one)) else "no answer",
    ]
    if one.pruned:
        lines.append(f"left out: {shortened(one.pruned, LONGEST_LABEL['reason'])}")
    return "<br/>".join(map(label_text, lines))


def standing(one: Question) -> str:
    """Where a question stands, how sure its answer is, and what reviews said, in a few words."""
    words: list[str] = [one.stage]
    measured = one.best.measured if one.best is not None else one.tried
    if measured is not None:
        words += [f"entropy {measured.entropy:.2f}", f"support {measured.support:.0%}"]
    if one.verdict is not None:
        words.append(one.verdict.replace("_", " "))
    return ", ".join(words)


def answer_of(one: Question) -> str:
    """The short answer of a question, the best so far; "" if it has none."""
    measured = one.best.measured if one.best is not None else one.tried
    return measured.answer if measured is not None else ""


def _class_of(one: Question) -> str:
    if one.pruned:
        return "pruned"
    return "" if answer_of(one) else "unanswered"


def _that_fit(ordered: Sequence[Question]) -> dict[str, tuple[Question, str]]:
    """As many questions as Mermaid takes, and the names of their boxes, by id."""
    drawn: dict[str, tuple[Question, str]] = {}
    size = edges = 0
    for one in ordered:
        lines = 1 + len(one.depends_on)
        size += len(_label(one)) + _AROUND * (1 + lines)
        edges += lines
        if size > MOST_CHARACTERS or edges > MOST_EDGES:
            break
        drawn[one.id] = (one, f"q{len(drawn)}")
    return drawn


def _edges(drawn: Mapping[str, tuple[Question, str]]) -> Iterator[str]:
    """The lines between boxes: from each question to its parts, dashed from what a question needs first."""
    for one, place in drawn.values():
        if one.parent in drawn and one.parent != one.id:
            above, name = drawn[one.parent]
            yield f"    {name} -->|{above.joint}| {place}"
        for needed in dict.fromkeys(one.depends_on):
            if needed in drawn and needed != one.id:
                yield f"    {drawn[needed][1]} -.->|needed| {place}"


def from_the_top(questions: Mapping[str, Question]) -> Iterator[Question]:
    """Every question once, level by level; what hangs on nothing that is there comes last.

    Args:
        questions: by id.
    """
    below: dict[str, list[str]] = {}
    for one in questions.values():
        below.setdefault(one.parent, []).append(one.id)
    tops = [one.id for one in questions.values() if one.parent not in questions]
    seen: dict[str, None] = {}
    # A tree that somebody edited may go round in a circle, which no top leads to.
    for start in [tops, *([name] for name in questions)]:
        level = [name for name in start if name not in seen]
        while level:
            seen |= dict.fromkeys(level)
            parts = [part for name in level for part in below.get(name, []) if part not in seen]
            level = list(dict.fromkeys(parts))
    return (questions[name] for name in seen)
