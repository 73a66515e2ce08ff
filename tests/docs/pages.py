"""The pages people read, as the tests of them see them: fences, inline code, links and anchors."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.processes import ROOT

_COMMENT = re.compile(r"<!--\s*(.*?)\s*-->", re.DOTALL)
_ANCHOR = re.compile(r'<a id="([^"]+)">')
_ENDS = {"|", "||", "&&", ";", "&", "(", ")"}
_REDIRECTIONS = {">", ">>", "<", ">&", "2>", "<<<"}


@dataclass(frozen=True)
class Fence:
    """A block of code.

    Attributes:
        page: where it stands, from the root.
        line: of the page, from 1.
        language: `sh`, `python` ...; empty if none is named.
        text: what it holds.
        comment: the HTML comment right before it, or "".
    """

    page: str
    line: int
    language: str
    text: str
    comment: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


class Page:
    """A Markdown file of the repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_text("utf-8")
        self._tokens = MarkdownIt("commonmark").enable("table").parse(self.text)

    @cached_property
    def fences(self) -> list[Fence]:
        found = []
        for before, token in zip([None, *self._tokens], self._tokens, strict=False):
            if token.type == "fence":
                assert token.map is not None
                comment = _COMMENT.fullmatch(before.content.strip()) if before else None
                text = comment[1] if comment else ""
                found.append(Fence(self.name, token.map[0] + 1, token.info.strip(), token.content, text))
        return found

    def inline(self, kind: str) -> Iterator[Token]:
        """Every inline token of a kind."""
        for token in self._tokens:
            for child in token.children or ():
                if child.type == kind:
                    yield child

    @cached_property
    def links(self) -> list[str]:
        targets = [str(token.attrs["href"]) for token in self.inline("link_open")]
        return targets + [str(token.attrs["src"]) for token in self.inline("image")]

    @cached_property
    def code(self) -> list[str]:
        """What stands in backticks within sentences and tables."""
        return [token.content for token in self.inline("code_inline")]

    @cached_property
    def anchors(self) -> set[str]:
        """What a link may name after `#`: headings as GitHub names them, and what names itself."""
        titles = [
            "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))
            for heading, inline in zip(self._tokens, self._tokens[1:], strict=False)
            if heading.type == "heading_open"
        ]
        slugs: dict[str, int] = {}
        found = set(_ANCHOR.findall(self.text))
        for title in titles:
            slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            found.add(f"{slug}-{slugs[slug]}" if slug in slugs else slug)
            slugs[slug] = slugs.get(slug, 0) + 1
        return found


def pages() -> list[Page]:
    """README.md and its like at the root, and everything below docs."""
    return [Page(path) for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]]


def commands(fence: Fence) -> Iterator[list[str]]:
    """The words of each command of a shell block, without comments, assignments and redirections."""
    for line in _whole_lines(fence.text) if fence.language == "sh" else []:
        lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;()<>")
        lexer.commenters, lexer.whitespace_split = "#", True
        words: list[str] = []
        skip = False
        for word in lexer:
            if word in _ENDS:
                yield from [words] if words else []
                words = []
            elif skip or word in _REDIRECTIONS:
                skip = not skip
            elif words or not re.match(r"[A-Z_]+=", word):
                words.append(word)
        yield from [words] if words else []


def _whole_lines(text: str) -> Iterator[str]:
    """Lines of a shell, each with those its backslash or its open quotation goes on in."""
    begun = ""
    for line in text.replace("\\\n", " ").splitlines():
        begun = f"{begun}\n{line}" if begun else line
        if begun.lstrip().startswith("#") or begun.count("'") % 2 == 0:
            yield begun
            begun = ""
    assert not begun, f"a quotation is not closed: {begun}"
