"""Tool output into rows, so that code, not a model, writes what the output says.

A row is a mapping of slot names to values. Paths lose a leading "./"; counts are integers.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable

from memory.recipes.recipe import AnswerTemplate

Row = dict[str, str | int]
COUNTED = re.compile(r"^\s*(\d+)\s+(.*)$")
# `grep -Z` ends a file name with NUL, so a name may hold colons and newlines.
HIT = re.compile(r"(?P<path>[^\0]+)\0(?P<line>\d+):(?P<text>[^\n]*)\n?")
PREFIXED = re.compile(r"(?P<path>[^\0]+)\0(?P<text>[^\n]*)\n?")


def tidy(path: str) -> str:
    """A path as people write it: relative, without a leading "./"."""
    return path.removeprefix("./") or "."


def records(text: str) -> list[str]:
    """The records of an output: separated by NUL if there is one, else lines; empty ones dropped."""
    return [record for record in (text.split("\0") if "\0" in text else text.splitlines()) if record]


def _counted(text: str, _: AnswerTemplate) -> list[Row]:
    """`wc` adds a row "total" for several files; a file of that name is written "./total"."""
    found = [(int(match.group(1)), match.group(2)) for match in map(COUNTED.match, records(text)) if match]
    counted = [(count, name) for count, name in found if not (name == "total" and len(found) > 2)]
    return [{"count": count, "path": tidy(name), "text": tidy(name)} for count, name in counted]


def _paths(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for record in sorted(map(tidy, records(text))):
        rows.append({"path": record, "text": record})
    return rows


def _lines(text: str, _: AnswerTemplate) -> list[Row]:
    return [{"text": record} for record in records(text)]


def _hits(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = [
        {
            "path": tidy(match["path"]),
            "line": int(match["line"]),
            "text": match["text"].strip(),
            "indent": len(match["text"]) - len(match["text"].lstrip()),
        }
        for match in HIT.finditer(text)
    ]
    return sorted(rows, key=lambda row: (str(row["path"]), int(row["line"])))


def _text(text: str, _: AnswerTemplate) -> list[Row]:
    return [{"text": text.rstrip("\n")}] if text.strip("\n") else []


def _fields(text: str, template: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for record in records(text):
        values = record.split(template.split, len(template.fields) - 1)
        if len(values) == len(template.fields):
            row: Row = dict(zip(template.fields, values, strict=True))
            if "path" in row:
                row["path"] = tidy(str(row["path"]))
            if "time" in row:
                row["time"] = re.sub(r"(:\d\d)\.\d+$", r"\1", str(row["time"]))
            rows.append(row)
    return rows


def _extensions(text: str, _: AnswerTemplate) -> list[Row]:
    counts = Counter(os.path.splitext(name)[1] or "(none)" for name in records(text))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"text": extension, "count": count} for extension, count in ordered]


def _prefixed_counts(text: str, _: AnswerTemplate) -> list[Row]:
    found = [(match["path"], match["text"]) for match in PREFIXED.finditer(text)]
    return [{"path": tidy(path), "count": int(count)} for path, count in found if count.isdigit()]


def _prefixes(text: str, _: AnswerTemplate) -> list[Row]:
    counts = Counter(tidy(match["path"]) for match in PREFIXED.finditer(text))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"path": path, "count": count} for path, count in ordered]


def _prefixed(text: str, _: AnswerTemplate) -> list[Row]:
    return [{"path": tidy(match["path"]), "text": match["text"]} for match in PREFIXED.finditer(text)]


STATUS_WORDS = {
    "M": "modified",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "?": "untracked",
    "U": "unmerged",
}


def _status(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for record in text.splitlines():
        code = record[:2].strip()[:1]
        if len(record) > 3:
            rows.append({"path": record[3:].strip('"'), "change": STATUS_WORDS.get(code, code)})
    return rows


def _branch(text: str, _: AnswerTemplate) -> list[Row]:
    match = re.match(r"## (?:No commits yet on )?(.+?)(?:\.\.\.|$)", text.strip())
    return [{"text": match.group(1)}] if match else []


def _refs(text: str, _: AnswerTemplate) -> list[Row]:
    names = [name.strip() for record in text.splitlines() for name in record.split(",")]
    cleaned = (
        re.sub(r"^(?:HEAD -> )?(?:tag: )?(?:refs/(?:heads|tags)/)", "", name)
        for name in names
        if "refs/" in name
    )
    return [{"text": name} for name in dict.fromkeys(cleaned)]


def _commit_files(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for block in text.split("\x1e"):
        lines = [line for line in block.splitlines() if line]
        if len(lines) < 2 or lines[0].count("\t") != 2:
            continue
        commit, time, author = lines[0].split("\t")
        for line in lines[1:]:
            path = re.sub(r"^R\d*\t(.*)\t(.*)$", r"\1 -> \2", line)
            rows.append({"path": path, "time": time, "author": author, "hash": commit})
    return rows


READERS: dict[str, Callable[[str, AnswerTemplate], list[Row]]] = {
    "counted": _counted,
    "paths": _paths,
    "lines": _lines,
    "hits": _hits,
    "text": _text,
    "fields": _fields,
    "extensions": _extensions,
    "prefixed": _prefixed,
    "prefixed_counts": _prefixed_counts,
    "prefixes": _prefixes,
    "status": _status,
    "branch": _branch,
    "refs": _refs,
    "commit_files": _commit_files,
}


def read_rows(text: str, template: AnswerTemplate) -> list[Row]:
    """Rows of a tool's output, read as the template says."""
    return READERS[template.reader](text, template)
