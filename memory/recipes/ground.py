"""A goal whose understood parts are replaced by numbered marks, so that no word is read twice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "«": '"', "»": '"', "´": "'"})
QUOTED = re.compile(r'"([^"]+)"|`([^`]+)`|(?<!\w)\'([^\']+)\'(?!\w)')


# Parentheses whose content has been understood.
EMPTIED = re.compile(r"(?<=\s)\([\s,;]*\)")


@dataclass(frozen=True)
class Mark:
    """One understood part: what kind it is and the text it stands for."""

    kind: str
    text: str


# A sign behind one of these is what is asked about: "lines that end with ?".
_SIGN_ASKED_FOR = re.compile(r"(?i)(?<!\w)(?:with|in|by|contain(?:s|ing)?|hold(?:s|ing)?|an?|the) [?!.]$")


def written(goal: str) -> str:
    """A goal with plain quotation marks, single spaces but in quotes, and no sign at its end."""
    text, end = "", 0
    plain = goal.translate(QUOTES)
    for match in QUOTED.finditer(plain):
        text += re.sub(r"\s+", " ", plain[end : match.start()]) + re.sub(r"[^\S ]+", " ", match.group(0))
        end = match.end()
    text = (text + re.sub(r"\s+", " ", plain[end:])).strip()
    if _SIGN_ASKED_FOR.search(text):
        return text
    # Of "in .." the two dots are the directory above, and no end of a sentence.
    above = re.search(r"\s(?:\.\./)*\.\.(?=[?! ]*\Z)", text)
    return text[: above.end()] if above else text.rstrip("?!. ")


@dataclass
class Ground:
    """The text still to be read, and the marks made so far."""

    text: str
    marks: list[Mark] = field(default_factory=list)

    @classmethod
    def of(cls, goal: str) -> Ground:
        """Normalise white space and quotation marks; quoted parts become marks at once."""
        ground = cls(written(goal))
        ground.replace(QUOTED, "quoted", lambda match: next(group for group in match.groups() if group))
        return ground

    def replace(
        self,
        pattern: re.Pattern[str],
        kind: str,
        value: Callable[[re.Match[str]], str | None],
    ) -> list[Mark]:
        """Mark every match for which `value` gives a text; others stay as they are."""
        made: list[Mark] = []

        def substitute(match: re.Match[str]) -> str:
            text = value(match)
            if text is None:
                return match.group(0)
            self.marks.append(Mark(kind, text))
            made.append(self.marks[-1])
            return f"«{len(self.marks) - 1}»"

        self.text = pattern.sub(substitute, self.text)
        return made

    def take(self, pattern: re.Pattern[str]) -> list[str]:
        """Remove every match from the text and return the matched strings."""
        found = [match.group(0) for match in pattern.finditer(self.text)]
        self.write(pattern.sub(" ", self.text))
        return found

    def write(self, text: str) -> None:
        """Replace the text still to be read; runs of white space become one space."""
        self.text = " ".join(EMPTIED.sub(" ", text).split())

    def mark_of(self, token: str) -> Mark | None:
        """The mark a token such as «3» stands for, or None for an ordinary word."""
        match = re.fullmatch(r"«(\d+)»", token)
        return self.marks[int(match.group(1))] if match else None

    def used(self, token: str) -> None:
        """Take one mark out of the text: something has explained it."""
        self.write(self.text.replace(token, " "))
