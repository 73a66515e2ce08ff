"""Small sandboxes: what honest observations of them show, and what is true of them, by plain code."""

from __future__ import annotations

import fnmatch
import hashlib
import operator
import random
import re
from dataclasses import dataclass

from nodes.tutor.claims import Claim
from nodes.tutor.facts import (
    Compared,
    Digest,
    Entry,
    EntryKind,
    Fact,
    Found,
    Lines,
    Match,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
)

NAMES = [
    "a.py",
    "b.py",
    "test_a.py",
    "x.txt",
    ".hidden.py",
    "a:3",
    "n[1].txt",
    "ä ö.md",
    "x.lock",
    "Makefile",
]
DIRECTORIES = ["src", "src/deep", ".git", "docs", "src/deep/er"]
PATTERNS = ["*.py", "*", "test_*", "*.lock", "?.py", "[ab].py", "*a*", "x.*", ".*", "a.py", "[!a]*.py"]
WORDS = [
    "foo",
    "foobar",
    "FOO",
    "foo_bar",
    "aa",
    "aaa",
    "a",
    "x.y",
    "bar",
    "foo bar",
    "é",
    "naïve",
    "",
    "\tend",
]
LITERALS = ["foo", "bar", "aa", "FOO", "foo bar", "x.y", "é", "o", "foo_bar", "zzz", "aaa"]
UNITS = ["lines", "words", "bytes"]


@dataclass(frozen=True)
class Sandbox:
    """Files, links to them, and all directories, the root among them."""

    files: dict[str, str]
    links: dict[str, str]
    directories: frozenset[str]

    def entries(self) -> dict[str, EntryKind]:
        found: dict[str, EntryKind] = {path: "file" for path in self.files}
        found |= {path: "link" for path in self.links}
        return found | {path: "directory" for path in self.directories if path != "."}

    def below(self, directory: str) -> dict[str, EntryKind]:
        top = "" if directory == "." else f"{directory}/"
        return {path: kind for path, kind in self.entries().items() if path.startswith(top)}

    def files_below(self, directory: str, pattern: str = "*") -> list[str]:
        return [
            path
            for path, kind in self.below(directory).items()
            if kind == "file" and fnmatch.fnmatchcase(path.rpartition("/")[2], pattern)
        ]


def generated(rng: random.Random) -> Sandbox:
    files = {}
    directories = {".", *rng.sample(DIRECTORIES, rng.randint(0, 4))}
    directories |= {"src", "src/deep"} if directories & {"src/deep", "src/deep/er"} else set()
    for _ in range(rng.randint(1, 6)):
        place = rng.choice(sorted(directories))
        name = rng.choice(NAMES)
        files[name if place == "." else f"{place}/{name}"] = text(rng)
    if len(files) > 1 and rng.random() < 0.3:
        one, other = rng.sample(sorted(files), 2)
        files[one] = files[other]
    links = {}
    if rng.random() < 0.2:
        links = {"link.py": rng.choice(sorted(files))}
    return Sandbox(files, links, frozenset(directories))


def text(rng: random.Random) -> str:
    lines = [" ".join(rng.choices(WORDS, k=rng.randint(0, 3))) for _ in range(rng.randint(0, 5))]
    return "\n".join(lines) + ("\n" if lines and rng.random() < 0.7 else "")


def lines_of(whole: str) -> list[str]:
    lines = whole.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def measure(whole: str, unit: str) -> int:
    return {"lines": whole.count("\n"), "words": len(whole.split()), "bytes": len(whole.encode())}[unit]


def held(line: str, literal: str, unit: str | None = None) -> bool:
    if unit == "line":
        return line == literal
    edge = r"(?<!\w)%s(?!\w)" if unit == "word" else "%s"
    return re.search(edge % re.escape(literal), line) is not None


def grep(
    path: str, whole: str, rng: random.Random, literal: str, word: bool, ignore: bool, shown: bool
) -> Matches:
    inverted = rng.random() < 0.2
    fold = str.lower if ignore else str
    unit = "word" if word else None
    lines = [
        Match(path=path, number=number, text=line)
        for number, line in enumerate(lines_of(whole), 1)
        if held(fold(line), fold(literal), unit) != inverted
    ]
    return Matches(
        path=path,
        literal=literal,
        word=word,
        ignore_case=ignore,
        inverted=inverted,
        count=len(lines),
        lines=tuple(lines) if shown else None,
    )


def everything(box: Sandbox) -> list[Fact]:
    """All there is to know."""
    found = tuple(Found(path=path, kind=kind) for path, kind in box.entries().items())
    texts = [Text(path=path, text=whole) for path, whole in box.files.items()]
    links = [Entry(path=path, kind="link") for path in box.links]
    return [Search(directory=".", found=found), *texts, *links]


def observed(box: Sandbox, rng: random.Random) -> list[Fact]:
    """What one call of a tool shows."""
    path = rng.choice(sorted([*box.files, *box.links]))
    whole = box.files[box.links.get(path, path)]
    link: list[Fact] = [Entry(path=path, kind="link")] if path in box.links else []
    lines = lines_of(whole)
    literal, word, ignore = rng.choice([*LITERALS, ""]), rng.random() < 0.2, rng.random() < 0.2
    word = word and literal != ""
    shown = rng.random() < 0.5
    match rng.randint(0, 10):
        case 0:
            return [Text(path=path, text=whole), *link]
        case 1:
            first = rng.randint(1, len(lines) + 1)
            last = rng.randint(first - 1, len(lines))
            ends = last == len(lines) and (last >= first or first == 1)
            return [Lines(path=path, first=first, lines=tuple(lines[first - 1 : last]), ends=ends), *link]
        case 2:
            tail = tuple(lines[len(lines) - rng.randint(0, len(lines)) :]) if lines else ()
            ended = rng.choice([None, whole.endswith("\n")]) if tail else None
            return [Lines(path=path, first=None, lines=tail, ends=True, terminated=ended), *link]
        case 3:
            units = rng.sample(UNITS, rng.randint(1, 3))
            return [*(Measure(path=path, unit=unit, value=measure(whole, unit)) for unit in units), *link]
        case 4:
            return [Digest(path=path, sha256=hashlib.sha256(whole.encode()).hexdigest()), *link]
        case 5 | 6:
            return [grep(path, whole, rng, literal, word, ignore, shown), *link]
        case 7:
            return search_of_text(box, rng, literal or "foo", word, ignore)
        case 8:
            other = rng.choice(sorted(box.files))
            return [Compared(old=path, new=other, same=whole == box.files[other]), *link]
        case 9:
            missing = rng.choice(["gone", "gone/x.py", *NAMES])
            kind = box.entries().get(missing, "absent")
            return [Entry(path=missing, kind=kind)]
        case _:
            return [search_of_names(box, rng)]


def search_of_text(box: Sandbox, rng: random.Random, literal: str, word: bool, ignore: bool) -> list[Fact]:
    directory = rng.choice(sorted(box.directories))
    every = [
        grep(path, box.files[path], random.Random(0), literal, word, ignore, True)
        for path in box.files_below(directory)
    ]
    hits = [fact for fact in every if fact.count and not fact.inverted]
    counted = rng.random() < 0.5
    counts = tuple(fact.count for fact in hits) if counted else None
    searched = Searched(
        directory=directory,
        literal=literal,
        word=word,
        ignore_case=ignore,
        files=tuple(fact.path for fact in hits),
        counts=counts,
    )
    return [searched, *(hits if counted and rng.random() < 0.7 else [])]


def search_of_names(box: Sandbox, rng: random.Random) -> Search:
    directory = rng.choice(sorted(box.directories))
    names = tuple(rng.sample(PATTERNS, rng.choice([0, 0, 1, 2])))
    kind = rng.choice([None, None, "file", "directory"])
    depth = rng.choice([None, None, 1, 2])
    hidden = rng.random() < 0.8
    found = []
    for path, there in box.below(directory).items():
        steps = (path if directory == "." else path[len(directory) + 1 :]).split("/")
        fits = not names or any(fnmatch.fnmatchcase(steps[-1], name) for name in names)
        seen = hidden or not any(step.startswith(".") for step in steps)
        if fits and seen and kind in (None, there) and (depth is None or len(steps) <= depth):
            found.append(Found(path=path, kind=there))
    return Search(directory=directory, names=names, kind=kind, depth=depth, hidden=hidden, found=tuple(found))


def claimed(box: Sandbox, rng: random.Random) -> Claim:
    """Some claim whose form is right; its value lies near the truth."""
    path = rng.choice([*sorted(box.files), "gone.txt"])
    place = rng.choice(sorted(box.directories))
    predicate = rng.choice(
        ["exists", "absent", "count", "equals", "contains", "not_contains", "greater", "less"]
    )
    match predicate:
        case "exists" | "absent":
            unit = rng.choice([None, "file", "directory"])
            if rng.random() < 0.5:
                pattern = rng.choice([*PATTERNS, "a.py", "gone"])
                return Claim(predicate=predicate, subject=pattern, unit=unit, scope=place)
            subject = rng.choice([path, place, "gone", "gone/a.py", "src/x.lock"])
            return Claim(predicate=predicate, subject=as_path(subject), unit=unit)
        case "contains" | "not_contains":
            unit = rng.choice([None, "word", "line"])
            subject = rng.choice([path, place])
            return Claim(predicate=predicate, subject=subject, value=rng.choice(LITERALS), unit=unit)
        case "equals":
            return _equality(box, rng, path)
        case _:
            return _number(box, rng, predicate, path, place)


def as_path(written: str) -> str:
    """A path that is taken for no name pattern."""
    return f"./{written}" if set(written) & set("*?[") else written


def _equality(box: Sandbox, rng: random.Random, path: str) -> Claim:
    other = rng.choice(sorted(box.files))
    unit = rng.choice([None, "file", "sha256", "line"])
    whole = box.files[other]
    if unit == "line":
        lines = lines_of(whole) or [""]
        number = rng.randint(1, len(lines))
        return Claim(predicate="equals", subject=f"{path}:{number}", value=lines[number - 1])
    value = {
        None: rng.choice([whole, whole.removesuffix("\n"), f"{whole}\n"]),
        "file": other,
        "sha256": hashlib.sha256(whole.encode()).hexdigest().upper(),
    }[unit]
    return Claim(predicate="equals", subject=path, value=value, unit=unit)


def _number(box: Sandbox, rng: random.Random, predicate: str, path: str, place: str) -> Claim:
    unit = rng.choice([*UNITS, "files", "directories", "matching lines", "occurrences"])
    scope: str | None = None
    subject = path
    if unit in UNITS and rng.random() < 0.4:
        subject, scope = rng.choice(PATTERNS[:9]), place
    elif unit == "files":
        subject, scope = rng.choice(PATTERNS), place
    elif unit == "directories":
        subject = place
    elif unit not in UNITS:
        subject, scope = rng.choice(LITERALS), rng.choice([path, place])
    if scope is None:
        subject = as_path(subject)
    claim = Claim(predicate=predicate, subject=subject, value=0, unit=unit, scope=scope)
    number, _ = amount(box, claim, subject.removeprefix("./")) or (0, 0)
    value = number + rng.choice([0, 0, 0, 1, -1, 2])
    return claim.model_copy(update={"value": value})


def amount(box: Sandbox, claim: Claim, subject: str) -> tuple[int, int] | None:
    """The number a claim is about, by the smallest and the largest way to count; None if it is of nothing."""
    if claim.unit == "files":
        number = len(box.files_below(str(claim.scope), subject))
    elif claim.unit == "directories":
        number = sum(kind == "directory" for kind in box.below(subject).values())
    elif claim.unit in UNITS:
        found = [subject] if claim.scope is None else box.files_below(str(claim.scope), subject)
        if not set(found) <= set(box.files) or not (found or set(subject) & set("*?[")):
            return None
        number = sum(measure(box.files[path], str(claim.unit)) for path in found)
    else:
        return _amount_of_text(box, str(claim.scope), subject, claim.unit == "occurrences")
    return number, number


def _amount_of_text(box: Sandbox, scope: str, literal: str, places: bool) -> tuple[int, int] | None:
    if scope not in box.files and scope not in box.directories:
        return None
    found = [scope] if scope in box.files else box.files_below(scope)
    lines = [line for path in found for line in lines_of(box.files[path])]
    matching = sum(literal in line for line in lines)
    apart = sum(line.count(literal) for line in lines)
    overlapping = sum(line.startswith(literal, at) for line in lines for at in range(len(line)))
    return (apart, overlapping) if places else (matching, matching)


def truth(box: Sandbox, claim: Claim) -> bool | None:
    """Whether a claim of `claimed` is so; None if its subject is not there or has two meanings."""
    claim = claim.model_copy(update={"subject": claim.subject.removeprefix("./")})
    match claim.predicate:
        case "exists" | "absent":
            there = _there(box, claim)
            return None if there is None else there == (claim.predicate == "exists")
        case "contains" | "not_contains":
            return _contains(box, claim)
        case "equals":
            return _equals(box, claim)
    number = amount(box, claim, claim.subject)
    if number is None:
        return None
    compare = {"count": operator.eq, "greater": operator.gt, "less": operator.lt}[claim.predicate]
    so = {compare(way, claim.value) for way in range(number[0], number[1] + 1)}
    return so.pop() if len(so) == 1 else None


def _there(box: Sandbox, claim: Claim) -> bool | None:
    entries = box.entries()
    if claim.scope is None:
        kind = entries.get(claim.subject, "directory" if claim.subject == "." else None)
        return kind is not None and claim.unit in (None, kind)
    place, subject = str(claim.scope), claim.subject
    named = subject if place == "." else f"{place}/{subject}"
    kinds = [
        kind
        for path, kind in box.below(place).items()
        if fnmatch.fnmatchcase(path.rpartition("/")[2], subject) and (kind != "link" or claim.unit is None)
    ]
    if claim.unit is None and "link" in kinds and set(kinds) == {"link"}:
        return None
    return None if named in entries and not kinds else any(claim.unit in (None, kind) for kind in kinds)


def _contains(box: Sandbox, claim: Claim) -> bool | None:
    subject = claim.subject
    if subject not in box.files and subject not in box.directories:
        return None
    found = [subject] if subject in box.files else box.files_below(subject)
    hit = any(held(line, claim.value, claim.unit) for path in found for line in lines_of(box.files[path]))
    return hit == (claim.predicate == "contains")


def _equals(box: Sandbox, claim: Claim) -> bool | None:
    path, _, number = claim.subject.rpartition(":")
    if claim.unit is None and number.isdigit() and path in box.files:
        lines = lines_of(box.files[path])
        here = int(number) <= len(lines) and lines[int(number) - 1] == claim.value
        if claim.subject not in box.files:
            return here
        other = box.files[claim.subject].removesuffix("\n") == claim.value.removesuffix("\n")
        return here if here == other else None
    if claim.subject not in box.files:
        return False
    whole = box.files[claim.subject]
    if claim.unit == "file":
        return claim.value in box.files and whole == box.files[claim.value]
    if claim.unit == "sha256":
        return hashlib.sha256(whole.encode()).hexdigest() == claim.value.lower()
    return whole.removesuffix("\n") == claim.value.removesuffix("\n")
