"""Files by what they are and what they are called."""

from __future__ import annotations

import re

from memory.recipes.requests.filter_wording import Handler
from memory.recipes.requests.marked import KINDS_OF_SIGN, Marked
from memory.recipes.requests.selection import Selection, glob_escape

# A word for a sign, and words for signs of a kind: unquoted they are no text themselves.
NAMED_SIGNS = {
    "spaces": " ",
    "blanks": " ",
    "underscores": "_",
    "underscore": "_",
    "dashes": "-",
    "hyphens": "-",
}


def of_kind(letter: str | None, noun: str) -> Handler:
    """Files, directories or links, unless a kind was named already; the letter is that of `find -type`."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if selection.noun != "entries":
            return False
        selection.kind, selection.noun = letter, noun
        if letter == "d":
            selection.mindepth = 1
        return True

    return handle


def add_globs(selection: Selection, globs: list[str], denied: bool, ignore_case: bool = False) -> bool:
    """Add a test of names: one of the globs, or none of them."""
    selection.name_tests.append((tuple(globs), denied, ignore_case))
    return True


def listed_in(text: str, marked: Marked) -> list[str]:
    """The names of a list such as "a.txt, b.txt and c.txt"."""
    return [marked.value(part) for part in re.split(r"(?:,? (?:and/or|and|or) |, ?)", text) if part]


def _extension(text: str) -> str:
    return f"*.{glob_escape(text.lstrip('*').lstrip('.'))}"


def with_extension(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "with extension py or pyi"."""
    return add_globs(
        selection, [_extension(text) for text in listed_in(match["x"], marked)], bool(match["no"])
    )


def matching_glob(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "matching *.log": names only, so no pattern of a path."""
    globs = listed_in(match["x"], marked)
    if any("/" in glob.removeprefix("./") for glob in globs):
        return False
    return add_globs(selection, [glob.removeprefix("./") for glob in globs], bool(match["no"]))


def glob_in_place(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """`conf/*.conf` as the shell reads it: names in one directory, no hidden ones."""
    folder, _, glob = marked.value(match["x"]).rpartition("/")
    if folder in ("", "."):
        return add_globs(selection, [glob], False)
    if selection.scope or "*" in folder or "?" in folder or not folder or selection.maxdepth:
        return False
    selection.scope, selection.maxdepth, selection.mindepth = [folder], 1, 1
    if not glob.startswith("."):
        add_globs(selection, [".*"], True)
    return add_globs(selection, [glob], False)


def with_name(form: str) -> Handler:
    """Read "whose name starts with a": the form says where the text stands in the glob."""

    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        texts = [NAMED_SIGNS.get(text, text) for text in listed_in(match["x"], marked)]
        if any("/" in text or (text in KINDS_OF_SIGN and text in match["x"].split()) for text in texts):
            return False
        no = "no" in match.re.groupindex and bool(match["no"])
        globs = [
            text if form == "«»" and "*" in text else form.replace("«»", glob_escape(text)) for text in texts
        ]
        return add_globs(selection, globs, no)

    return handle


def one_file(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "the file a.txt": a file of this name."""
    if selection.noun != "entries":
        return False
    selection.kind, selection.noun = "f", "files"
    return with_name("«»")(selection, match, marked)


def ending_in(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "whose name ends in _test"."""
    texts = listed_in(match["x"], marked)
    return add_globs(selection, [f"*{glob_escape(text)}" for text in texts], bool(match["no"]))
