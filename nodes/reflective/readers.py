"""Tool output into rows, so that code, not a model, writes what the output says.

A row is a mapping of slot names to values. Paths lose a leading "./"; counts are integers.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath

from memory.recipes.recipe import AnswerTemplate
from nodes.reflective import text_readers

Row = text_readers.Row
# A name may begin with blanks, so one blank separates it from its count.
COUNTED = re.compile(r"\s*(\d+)[ \t](.*)", re.DOTALL)
# `grep -Z` ends a file name with NUL, so a name may hold colons and newlines.
HIT = re.compile(r"(?P<path>[^\0]+)\0(?P<line>\d+):(?P<text>[^\n]*)\n?")
CONTEXT = re.compile(r"(?P<path>[^\0\n]+)\0(?P<line>\d+)(?P<sign>[:-])(?P<text>[^\n]*)\n?")
PREFIXED = re.compile(r"(?P<path>[^\0]+)\0(?P<text>[^\n]*)\n?")


def tidy(path: str) -> str:
    """A path as people write it: relative, without a leading "./"."""
    return path.removeprefix("./") or "."


def records(text: str) -> list[str]:
    """The records of an output: separated by NUL if there is one, else lines; empty ones dropped."""
    return [record for record in (text.split("\0") if "\0" in text else lines_of(text)) if record]


def lines_of(text: str) -> list[str]:
    """Lines as the tools count them: only a newline ends one, so form feeds and the like stay inside."""
    return [line.removesuffix("\r") for line in text.split("\n")]


def _counted(text: str, _: AnswerTemplate) -> list[Row]:
    """Counts as `wc` and `uniq -c` print them, without the row "total" that `wc` adds for several files."""
    found = [(int(match.group(1)), match.group(2)) for match in map(COUNTED.match, records(text)) if match]
    summary = next((index for index in reversed(range(len(found))) if _is_summary(found, index)), None)
    counted = [row for index, row in enumerate(found) if index != summary]
    return [{"count": count, "path": tidy(name), "text": tidy(name)} for count, name in counted]


def _is_summary(found: list[tuple[int, str]], index: int) -> bool:
    """True for the sum of all other rows, or the greatest (`wc -L`); files may be called "total" too."""
    count, name = found[index]
    others = [other for position, (other, _) in enumerate(found) if position != index]
    if name != "total" or len(others) < 2:
        return False
    # The summary of `wc -L` is the greatest; it is the only name that find did not begin with "./".
    alone = all(other.startswith("./") for position, (_, other) in enumerate(found) if position != index)
    return count == sum(others) or (count == max(others) and (alone or index == len(others)))


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


def _bodies(text: str, _: AnswerTemplate) -> list[Row]:
    """Definitions with the lines that belong to them: those indented deeper, and brackets that close them."""
    rows: list[Row] = []
    body: list[str] = []
    indent = 0
    is_open = False
    for match in CONTEXT.finditer(text):
        line = match["text"]
        depth = len(line) - len(line.lstrip())
        if match["sign"] == ":":
            _close(rows, body)
            rows.append({"path": tidy(match["path"]), "line": int(match["line"]), "text": line})
            body, indent, is_open = [line], depth, True
        elif is_open:
            closes = line.strip()[:1] in (")", "}", "]") and depth == indent
            is_open = not line.strip() or depth > indent or closes
            body += [line] if is_open else []
    _close(rows, body)
    return rows


def _close(rows: list[Row], body: list[str]) -> None:
    if rows:
        rows[-1]["text"] = "\n".join(body).rstrip()


def _extensions(text: str, _: AnswerTemplate) -> list[Row]:
    counts = Counter(os.path.splitext(name)[1] or "(none)" for name in records(text))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"text": extension, "count": count} for extension, count in ordered]


def _directory_bytes(text: str, _: AnswerTemplate) -> list[Row]:
    """Each directory with the bytes of all files in it, at any depth; its own entry does not count."""
    totals: Counter[str] = Counter()
    for record in records(text):
        size, _tab, path = record.partition("\t")
        if not size.isdecimal():
            # The rest of a name with a line end in it; its size stood before.
            continue
        for parent in PurePosixPath(tidy(path)).parents:
            totals[str(parent)] += int(size)
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [{"path": path, "count": count} for path, count in ordered]


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


ESCAPED = re.compile(r"\\(?:([0-7]{3})|(.))")
ESCAPES = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
RENAMED = re.compile(r'("(?:\\.|[^"\\])*"|.*?) -> (.*)')


def _as_named(path: str) -> str:
    """A path as git prints it, without its quotes and escapes."""
    if not (len(path) > 1 and path[0] == path[-1] == '"'):
        return path
    return ESCAPED.sub(
        lambda match: chr(int(match[1], 8)) if match[1] else ESCAPES.get(match[2], match[2]), path[1:-1]
    )


def _status(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for record in lines_of(text):
        code = record[:2].strip()[:1]
        if len(record) > 3:
            renamed = RENAMED.fullmatch(record[3:]) if code in ("R", "C") else None
            names = renamed.groups() if renamed else (record[3:],)
            path = " -> ".join(map(_as_named, names))
            rows.append({"path": path, "change": STATUS_WORDS.get(code, code)})
    return rows


def _branch(text: str, _: AnswerTemplate) -> list[Row]:
    match = re.match(r"## (?:No commits yet on )?(.+?)(?:\.\.\.|$)", text.strip())
    return [{"text": match.group(1)}] if match else []


def _refs(text: str, _: AnswerTemplate) -> list[Row]:
    names = [name.strip() for record in lines_of(text) for name in record.split(", ")]
    cleaned = (
        re.sub(r"^(?:HEAD -> )?(?:tag: )?(?:refs/(?:heads|tags)/)", "", name)
        for name in names
        if "refs/" in name
    )
    return [{"text": name} for name in dict.fromkeys(cleaned)]


def _commit_files(text: str, _: AnswerTemplate) -> list[Row]:
    rows: list[Row] = []
    for block in text.split("\x1e"):
        lines = [line for line in lines_of(block) if line]
        if len(lines) < 2 or lines[0].count("\t") != 2:
            continue
        commit, time, author = lines[0].split("\t")
        for line in lines[1:]:
            renamed = re.fullmatch(r"R\d*\t(.*)\t(.*)", line)
            path = " -> ".join(map(_as_named, renamed.groups() if renamed else (line,)))
            rows.append({"path": path, "time": time, "author": author, "hash": commit})
    return rows


READERS: dict[str, Callable[[str, AnswerTemplate], list[Row]]] = {
    "counted": _counted,
    "paths": _paths,
    "lines": _lines,
    "hits": _hits,
    "bodies": _bodies,
    "text": _text,
    "fields": _fields,
    "extensions": _extensions,
    "directory_bytes": _directory_bytes,
    "prefixed": _prefixed,
    "prefixed_counts": _prefixed_counts,
    "prefixes": _prefixes,
    "status": _status,
    "branch": _branch,
    "refs": _refs,
    "commit_files": _commit_files,
    "output": text_readers.output,
    "numbers": text_readers.numbers,
    "longest_line": text_readers.longest_line,
    "shortest_line": text_readers.shortest_line,
}


def read_rows(text: str, template: AnswerTemplate) -> list[Row]:
    """Rows of a tool's output, read as the template says."""
    return READERS[template.reader](text, template)
