"""A strict reader of the diagrams we write: every line has one of six forms, or it is an error."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass, field

SHOWN = r"(?:[A-Za-z0-9 ,?!:]|#[0-9]{1,7};|<br/>|[^\x00-\x7f])*"
FORMS = {
    "box": re.compile(rf' {{4}}(?P<name>q\d+|rest|none)\["(?P<label>{SHOWN})"\]'),
    "part": re.compile(r" {4}(?P<source>q\d+) -->\|(?P<joint>AND|OR)\| (?P<target>q\d+)"),
    "need": re.compile(r" {4}(?P<source>q\d+) -\.->\|needed\| (?P<target>q\d+)"),
    "style": re.compile(r" {4}classDef (?P<style>[a-z]+) [a-z-]+:[#a-z0-9 ]+(?:,[a-z-]+:[#a-z0-9 ]+)*"),
    "class": re.compile(r" {4}class (?P<name>q\d+) (?P<style>[a-z]+)"),
}


@dataclass
class Diagram:
    """What a diagram says.

    Attributes:
        labels: lines of each box, as a browser shows them, in order of the boxes.
        parts: pairs of a box and one of its parts, with how parts go together.
        needs: pairs of a box and the one that needs it.
        classes: look of a box.
    """

    labels: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[tuple[str, str], str] = field(default_factory=dict)
    needs: set[tuple[str, str]] = field(default_factory=set)
    classes: dict[str, str] = field(default_factory=dict)

    def shown(self) -> str:
        """All labels, without the sign nobody sees."""
        return "\n".join(line for lines in self.labels.values() for line in lines).replace("\u2060", "")


def read(text: str) -> Diagram:
    """Read a diagram.

    Raises:
        AssertionError: a line has no known form, a name is not a box's, or a style is not defined.
    """
    first, second, *lines = text.removesuffix("\n").split("\n")
    assert first == "%% reflect think" and second == "flowchart TD", (first, second)
    diagram, styles = Diagram(), set()
    for line in lines:
        found = {form: match for form, pattern in FORMS.items() if (match := pattern.fullmatch(line))}
        assert len(found) == 1, line
        (form, match), *_ = found.items()
        if form == "box":
            assert match["name"] not in diagram.labels, line
            # What a newer Python knows as a picture, an older one does not know at all.
            raw = [one for one in match["label"] if unicodedata.category(one) != "Cn"]
            assert all(one.isprintable() or one in "\u200c\u200d" for one in raw), line
            diagram.labels[match["name"]] = [
                html.unescape(re.sub(r"#(\d+);", r"&#\1;", part)) for part in match["label"].split("<br/>")
            ]
        elif form == "style":
            styles.add(match["style"])
        elif form == "class":
            assert match["style"] in styles and match["name"] in diagram.labels, line
            diagram.classes[match["name"]] = match["style"]
        else:
            ends = (match["source"], match["target"])
            assert set(ends) <= set(diagram.labels), line
            if form == "part":
                diagram.parts[ends] = match["joint"]
            else:
                diagram.needs.add(ends)
    return diagram
