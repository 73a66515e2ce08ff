"""Text that a request changes, prints or puts into a file: shown on the way out, or kept, as it says."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Any

from memory.recipes.requests.draft import (
    Draft,
    Facts,
    Parsed,
    Stage,
    Step,
    change_step,
    numbered,
    read_step,
    shown,
)
from memory.recipes.requests.filter_wording import PATHS
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.marked import PATH, Marked
from memory.recipes.requests.text_edits import read_edit

Reader = Callable[[str, Marked], Parsed | None]
RESULT = (
    r"(?:it|them|that|this|(?:the |its |their )?(?:(?:new|changed|resulting|modified|sorted|final|combined|whole|entire|updated|edited|full) )?"
    r"(?:results?|outputs?|list|listing|text|lines?|contents?|file|names?|paths?|numbers?|counts?|sum|total|average|matches|value|checksums?|hash(?:es)?|differences?|columns?|words?))"
)
PRINTED = re.compile(
    rf",?(?: and)?(?: then)? (?:print(?:ing)?|show(?:ing)?|display(?:ing)?|output(?:ting)?)(?: out)?(?: {RESULT})?(?: (?:in|to|on) (?:the )?(?:screen|terminal|console|standard output|stdout))?$"
    r"|,? (?:to|on) (?:the )?(?:screen|terminal|console|standard output|stdout)$",
    re.IGNORECASE,
)
IN_PLACE = re.compile(
    r",? (?:in[- ]place|(?:and )?(?:save|write|store) (?:it|the file|the changes?)(?: back)?(?: in place)?|directly in the file|in the file itself)$",
    re.IGNORECASE,
)
# A word that does not look like a path is a file only where it is said to be one.
FILE = rf"(?:(?:(?:a|the|one|a single) )?(?:new )?(?:text |output )?(?:file )?(?:called |named )?(?P<to>‹[PQ]\d+›)(?: file)?|(?:a |the )?(?:new )?(?:text |output )?file (?:called |named )?(?P<word>{PATH}))"
SAVED = [
    re.compile(rf"(?P<what>.+?),?(?: and| then| and then) (?P<verb>save|write|store|put|redirect|output|append|add)(?: {RESULT})? (?:in ?to|to|in|as|at the end of|to the end of) {FILE}", re.IGNORECASE),
    re.compile(rf"(?P<verb>save|write|store|put|redirect|output|append|add|extract|copy(?= (?:all |the |any )*(?:first |last |\d+ )*(?:lines?|rows|columns?|words))) (?P<what>(?!‹Q).+?) (?:(?<!end)in ?to|to|in) (?:the end of )?{FILE}", re.IGNORECASE),
    re.compile(rf"(?P<what>(?:concatenate|merge|join|combine|sort|list|find|count|number|reverse|convert|cat|calculate|compute) .+?),? (?:in ?to|to) {FILE}", re.IGNORECASE),
]  # fmt: skip
ODD_END = re.compile(r"(?<!\r)\n|\r(?!\n)")
NAMED_FILES = rf"(?:the |my )?(?:(?:files?|directory|folder|script) )?{PATHS}(?: (?:file|directory|folder))?"
# Of files these say where they go or are named, not what they hold.
OF_FILES = ("add", "put", "store", "save", "extract", "append", "write")
PACKED = re.compile(r"\.(?:tar|tgz|gz|bz2|xz|zip|7z|rar|jar)(?:\.\w+)?$", re.IGNORECASE)
# Whatever is longer is not held in a plan.
MOST_CHARACTERS = 100_000
# How an output shows a byte that is no UTF-8; written back, the byte would be lost.
UNDECODED = re.compile(r"\\x[89a-f][0-9a-f]")


def read_kept_text(text: str, marked: Marked, readers: Sequence[Reader]) -> tuple[Parsed, ...]:
    """Requests to change the text of a file, to print it changed, or to put an answer into a file.

    Args:
        text: the request, polite words left out.
        marked: its marks.
        readers: what reads the part that says what is put into a file.
    """
    found = [
        _shown(text, marked),
        _changed(text, marked),
        *(_saved(pattern, text, marked, readers) for pattern in SAVED),
    ]
    return tuple(parsed for parsed in found if parsed is not None)


def _shown(text: str, marked: Marked) -> Parsed | None:
    rest, said = PRINTED.subn("", text)
    edit = read_edit(rest, marked) or (read_edit(text, marked) if said else None)
    if edit is None or not (said or edit.only_prints):
        return None
    found = edit

    def build(facts: Facts) -> Draft | None:
        stages = found.printed(facts)
        return (
            None
            if stages is None
            else shown(f"Print {found.source.described()}, changed", stages, "Nothing is left.")
        )

    return Parsed("text-changed", build, edit.source.names(), shows=True)


def _changed(text: str, marked: Marked) -> Parsed | None:
    rest, said = IN_PLACE.subn("", text)
    edit = read_edit(rest, marked)
    if edit is None or (edit.only_prints and not said):
        return None
    found = edit

    def unchanged(facts: Facts) -> list[Stage] | None:
        return found.source.content(facts) if found.source.fits(facts) else None

    def build(facts: Facts) -> Draft | None:
        # Where nothing is as the words say, nothing can be done, and nothing done is no success.
        new, old = facts.outputs
        if not found.source.fits(facts) or new == old or _ends_lines_otherwise(new or "", old or ""):
            return None
        if found.moves_header(new or "", old or ""):
            return None
        return _written(facts, found.source.at(facts)[0], "overwrite")

    return Parsed("text-edited", build, edit.source.names(), changes=True, outputs=(edit.printed, unchanged))


def _ends_lines_otherwise(new: str, old: str) -> bool:
    """True where each line ended as on Windows, and some no longer do: the tools know no such ends."""
    windows = "\r\n" in old and not ODD_END.search(old)
    return windows and ODD_END.search(new) is not None


def _saved(pattern: re.Pattern[str], text: str, marked: Marked, readers: Sequence[Reader]) -> Parsed | None:
    match = pattern.fullmatch(text)
    if match is None:
        return None
    what, target = match["what"], marked.value(match["to"] or match["word"])
    verb = (match.groupdict().get("verb") or "").lower()
    if PACKED.search(target) or _of_files(match, verb, marked):
        return None
    candidates = (
        [what]
        if re.match(r"[a-z]+ ", what) and not match.start("what")
        else [f"print {what}", f"find {what}"]
    )
    stages = next((made for phrase in candidates if (made := _output(phrase, marked, readers))), None)
    if stages is None or target.endswith("/"):
        return None
    printed, names = stages
    at_end = verb in ("append", "add") or "end of" in text[match.end("what") :]

    def build(facts: Facts) -> Draft | None:
        kind = facts.kind(target)
        if kind != ("file" if at_end else None):
            return None  # what is there would be lost
        return _written(facts, facts.place(target), "append" if at_end else "new")

    return Parsed("text-saved", build, (*names, target), changes=True, outputs=(printed,))


def _of_files(match: re.Match[str], verb: str, marked: Marked) -> bool:
    """True where files themselves are to be put somewhere or named there: "add a.log to .gitignore"."""
    if verb not in OF_FILES:
        return False
    what, target = match["what"], marked.value(match["to"] or match["word"])
    if match.start("what"):
        named = re.fullmatch(NAMED_FILES, what, re.IGNORECASE) is not None
        return (
            named and verb not in ("append", "write") and (verb != "save" or not _looks_like_a_file(target))
        ) or (read_selection(what, marked) is not None)
    them = re.search(r"\b(?:them|the files)\b", match[0][match.end("what") :], re.IGNORECASE)
    return them is not None and not _looks_like_a_file(target)


def _looks_like_a_file(path: str) -> bool:
    return bool(posixpath.splitext(path)[1])


def _output(
    phrase: str, marked: Marked, readers: Sequence[Reader]
) -> tuple[Callable[[Facts], list[Stage] | None], tuple[str, ...]] | None:
    """What prints the answer to a part of a request, and the names it needs."""
    edit = read_edit(phrase, marked)
    if edit is not None:
        return edit.printed, edit.source.names()
    parsed = [found for reader in readers if (found := reader(phrase, marked)) is not None]
    if not parsed:
        return None

    def printed(facts: Facts) -> list[Stage] | None:
        draft = next((made for one in parsed if (made := one.build(facts)) is not None), None)
        plain = (
            draft is not None
            and draft.answer is not None
            and draft.answer.reader == "output"
            and draft.answer.one == "${text}"
        )
        if draft is None or not plain or len(draft.steps) != 1:
            return None
        stages: list[Stage] = draft.steps[0]["tool_call"]["args"]["stages"]
        return [*stages[:-1], {**stages[-1], "expect_exit": draft.steps[0]["expect_exit"]}]

    return printed, tuple(dict.fromkeys(name for one in parsed for name in one.names))


def _written(facts: Facts, path: str, how: str) -> Draft | None:
    """Steps that put what was printed into a file, and look at what it holds then."""
    text = facts.outputs[0] if facts.outputs else None
    if text is None or len(text) > MOST_CHARACTERS or UNDECODED.search(text) or "\0" in text:
        return None
    place = path.removeprefix(f"{facts.root}/") if facts.root else path
    if how == "append":
        if not text:
            return None
        steps: list[Step] = [change_step(f"Append to {place}", "append_file", path=place, text=text)]
        look: Stage = {"tool": "tail", "argv": ["-c", str(len(text.encode())), "--", place]}
        return Draft(
            numbered(
                [
                    *steps,
                    read_step(
                        f"Read the end of {place}",
                        [look, {"tool": "sha256sum", "argv": []}],
                        expect_text=f"{_digest(text)}  -",
                    ),
                ]
            ),
            None,
        )
    extra: dict[str, Any] = {"overwrite": True} if how == "overwrite" else {}
    steps = [change_step(f"Write {place}", "write_file", path=place, content=text, **extra)]
    seen: Stage = {"tool": "cat", "args": {"paths": [place]}}
    check = read_step(
        f"See what {place} holds",
        [seen, {"tool": "sha256sum", "argv": []}],
        expect_text=f"{_digest(text)}  -",
    )
    return Draft(numbered([*steps, check]), None)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
