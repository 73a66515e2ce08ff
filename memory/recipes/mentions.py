"""Files, directories and kinds of file that a goal names."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from memory.recipes.ground import Ground, Mark
from memory.recipes.lexicon import MARK, Lexicon

Role = Literal["file", "directory", "either", "guess", "exclude"]

GLOB = re.compile(r"(?<![\w«])[\w.\-/]*(?:\*|\?(?=[\w.*]))[\w.*?\-/]*")
EXTENSION = re.compile(
    r"(?<![\w./«-])\.([a-z0-9_]{1,8})(?![\w./-])(\s+(?:files?|extensions?|ones|documents?|scripts?)\b)?",
    re.IGNORECASE,
)
PATH = re.compile(
    # A home directory is no part of the root: "~/a.txt" is not the root's a.txt.
    r"(?<![\w«.~/-])~(?:[\w.-]*/[\w.@+/-]*|(?=[\s?!,;)]|$))|(?<![\w«.-])(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*|(?<![\w«.-])[\w@+-][\w.@+-]*\.[A-Za-z_][\w]{0,7}(?![\w/»])|(?<![\w«.-])\.[A-Za-z][\w-]{2,}(?![\w.»])"
)
PREPOSITION = (
    r"(?:in|inside(?: of)?|under|underneath|within|below|beneath|of|from|at|into|across|throughout|for|on)"
)
DETERMINER = r"(?:the |my |our |this |that |a )?"
NOUN = r"(?:sub-?folder|sub-?directory|folder|directory|dir|package|tree)"
# The whole disk, a directory at its root, or one above the project: only where a place is named.
OUTSIDE = re.compile(r"(?<!\S)(?:/[\w.@+-]*|\.\.(?:/\.\.)*)/?(?=[\s?!,;)]|\.?\s*$)")
BEFORE_OUTSIDE = re.compile(rf"(?<!\w){PREPOSITION} {DETERMINER}(?:{NOUN} )?$", re.IGNORECASE)
TOKEN = rf"(?P<p>{MARK}|[\w.@+-]+/?)"
OTHER = TOKEN.replace("?P<p>", "?P<q>")
DIRECTORY = [
    re.compile(
        rf"(?<!\w)(?:{PREPOSITION} )?{DETERMINER}{TOKEN}(?:/)? (?:sub-?)?{NOUN}\b"
        r"(?!\s+(?:with|that|has|contain))",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<!\w)(?:{PREPOSITION} )?{DETERMINER}{NOUN} (?:called |named ){TOKEN}", re.IGNORECASE),
    re.compile(rf"(?<!\w){PREPOSITION} {DETERMINER}{NOUN} {TOKEN}", re.IGNORECASE),
]
EXCLUDING = (
    r"(?:excluding|except(?: for)?|ignoring|outside(?: of)?|not (?:in|inside|under|within|counting|including)"
    r"|but not(?: in| inside| under)?|other than|leaving out|without counting|skip(?:ping)?|apart from"
    r"|ignore|exclude|leave out|(?:don't|do not) (?:look|search|go|count)(?: inside| in| into)?)"
)
EXCLUDED = re.compile(
    rf"(?<!\w){EXCLUDING}(?: (?:in|inside|under|those in|anything in|files in|the files in|only|just))? "
    rf"{DETERMINER}{TOKEN}(?: {NOUN})?(?![\w])",
    re.IGNORECASE,
)
EXCLUDED_LIST = re.compile(
    rf"(?<!\w)(?P<verb>{EXCLUDING}) (?P<names>{DETERMINER}(?:{MARK}|[\w.@+-]+/?)(?:, (?:{MARK}|[\w.@+-]+/?))*"
    rf",? (?:and|or) {DETERMINER}(?:{MARK}|[\w.@+-]+/?))(?![\w])",
    re.IGNORECASE,
)
LEFT_OUT = re.compile(
    rf"(?<!\w)(?:leav(?:e|ing) {DETERMINER}{TOKEN}(?: {NOUN})? (?:out|aside)"
    r"(?: of (?:it|this|that|the count))?"
    rf"|(?:with )?{OTHER} (?:left out|excluded|not (?:included|counted)|aside))(?![\w])",
    re.IGNORECASE,
)
LOG = re.compile(
    rf"(?<!\w){DETERMINER}(?P<p>[\w-]+) log(?: ?file)?\b(?! (?:with|that|has|contain))", re.IGNORECASE
)
STEM = re.compile(
    rf"(?<!\w){DETERMINER}(?P<p>{MARK}|[\w-]+) "
    r"(?:module|script|file|document|image|picture|icon|notebook|page|spreadsheet|png|(?:config(?:uration)?|settings)"
    r"(?: file)?)\b"
    r"(?! (?:with|that|has|contain))",
    re.IGNORECASE,
)
PLACED = [
    re.compile(
        rf"(?<!\w)(?:in|inside|within|of|across) the {TOKEN} (?:code|sources?|part|side|layer|area)\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w){PREPOSITION} {DETERMINER}{TOKEN}(?![\w])"
        r"(?! (?:files?|scripts?|modules?|documents?|code|sources?|lines?|tests?)\b)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w)(?:does|do|is|are) {DETERMINER}{TOKEN} (?:take|use|occupy|weigh|have|contain|hold)",
        re.IGNORECASE,
    ),
]
PAIR = re.compile(
    rf"(?<!\w)(?:{PREPOSITION} |\(){DETERMINER}{TOKEN}(?: {NOUN})? "
    rf"(?:and|or) {DETERMINER}{OTHER}(?![\w])",
    re.IGNORECASE,
)
FILE_NAMED = re.compile(rf"(?<!\w)(?:file|module|script|document) (?:called |named )?{TOKEN}", re.IGNORECASE)
NEGATED_KIND = (
    r"(?:non[- ]|not (?:a |an |the )?|aren't |isn't |are not |is not "
    r"|(?:except(?: for)?|excluding|other than|apart from|besides|ignoring|without|but no(?:t|n)?) (?:the )?)"
)


@dataclass(frozen=True)
class Mention:
    """A file or directory the goal names, not yet looked up.

    Attributes:
        text: the words as written.
        role: what the goal says it is; "guess" may turn out to be an ordinary word.
    """

    text: str
    role: Role


def read_globs(ground: Ground, lexicon: Lexicon) -> tuple[str, ...]:
    """Globs (`*.py`) and bare extensions (`.py`) in the text, as globs."""
    globs = [mark.text for mark in ground.replace(GLOB, "glob", lambda match: match.group(0))]
    found = ground.replace(
        EXTENSION,
        "glob",
        lambda match: (
            f"*.{match.group(1)}" if match.group(2) or match.group(1).lower() in lexicon.extensions else None
        ),
    )
    for index, mark in enumerate(ground.marks):
        if mark.kind == "glob":
            ground.used(f"«{index}»")
    return tuple(globs + [mark.text for mark in found])


def mark_paths(ground: Ground, lexicon: Lexicon) -> None:
    """Turn everything that looks like a file name or path into a mark."""
    bare = re.compile(
        rf"(?<![\w«.-])(?:{'|'.join(sorted(lexicon.file_names))})(?![\w»])(?! files)", re.IGNORECASE
    )

    def path(match: re.Match[str]) -> str | None:
        text = match.group(0)
        is_version = re.fullmatch(r"v?\d+(\.\d+)+\w*", text) or text.lower() in ("e.g", "i.e")
        is_wide = re.fullmatch(r"[a-z]+/[a-z]+", text) and all(map(lexicon.knows, text.split("/")))
        return None if is_version or is_wide else text.rstrip(".")

    def outside(match: re.Match[str]) -> str | None:
        text = match.group(0)
        named = BEFORE_OUTSIDE.search(match.string[: match.start()])
        return ("/." if text == "/" else text.rstrip("/")) if named else None

    ground.replace(OUTSIDE, "path", outside)
    ground.replace(PATH, "path", path)
    ground.replace(bare, "path", lambda match: match.group(0))


def _token(match: re.Match[str]) -> str:
    """The name a pattern captured; one pattern has two places for it."""
    groups = match.groupdict()
    return str(groups["p"] or groups["q"])


def _looks_like_path(text: str) -> bool:
    return bool(re.fullmatch(r"[^\s]+", text)) and ("/" in text or bool(re.search(r"\.\w{1,8}$", text)))


class MentionReader:
    """Reads directory and file mentions out of one goal.

    Args:
        ground: the text; certain mentions leave it.
        lexicon: words that mean something by themselves and so name nothing.
        known: names that were looked up and exist; a guess is believed only when it is one of them.
    """

    def __init__(self, ground: Ground, lexicon: Lexicon, known: Container[str]) -> None:
        self.ground = ground
        self.lexicon = lexicon
        self.known = known
        self.mentions: list[Mention] = []

    def read(self) -> tuple[Mention, ...]:
        """All mentions; the words of a guess stay in the text."""
        self._split_exclusions()
        self._take(LEFT_OUT, "exclude", certain=False)
        self._take(EXCLUDED, "exclude", certain=False)
        self._take_pairs()
        for pattern in DIRECTORY:
            self._take(pattern, "directory", certain=True)
        self._take(FILE_NAMED, "file", certain=False)
        self._take(STEM, "file", certain=False)
        self._take(LOG, "file", certain=False, ending=".log")
        self._take_marks()
        for pattern in PLACED:
            self._take(pattern, "either", certain=False)
        return tuple(self.mentions)

    def _split_exclusions(self) -> None:
        """Read "ignore build, docs and tests" as three exclusions, when each names a place."""
        for match in list(EXCLUDED_LIST.finditer(self.ground.text)):
            names = re.split(r",? (?:and|or) |, ", match["names"])
            if all(self._is_place(name) for name in names):
                parts = " ".join(f"{match['verb']} {name}" for name in names)
                self.ground.write(self.ground.text.replace(match.group(0), parts))

    def _is_place(self, token: str) -> bool:
        name = self._named(token)
        return name in self.known or self.ground.mark_of(token) is not None or not self.lexicon.knows(name)

    def _take(self, pattern: re.Pattern[str], role: Role, *, certain: bool, ending: str = "") -> None:
        start = 0
        while match := pattern.search(self.ground.text, start):
            token = _token(match)
            nameless = ending and token.lower() in self.lexicon.stopwords  # "the log" names no file "the.log"
            mention = None if nameless else self._mention(token + ending, role, certain)
            start = match.start() + 1
            if mention is None or (role == "either" and self._is_owner(match)):
                continue
            self.mentions.append(mention)
            if mention.role != "guess":
                self.ground.write(f"{self.ground.text[: match.start()]} {self.ground.text[match.end() :]}")
                start = 0

    def _is_owner(self, match: re.Match[str]) -> bool:
        """True for "of the tests": what is asked about, not where it is."""
        return match.group(0).lower().startswith("of ") and _token(match).lower() in self.lexicon.meanings

    def _mention(self, token: str, role: Role, certain: bool) -> Mention | None:
        mark = self.ground.mark_of(token)
        if mark is not None:
            return self._from_mark(mark, role)
        name = token.rstrip("/.")
        if not name or name == "N" or name.isdigit() or name.lower() in self.lexicon.stopwords:
            return None
        if self.lexicon.root_words.fullmatch(name) or self._selects(name):
            return None
        if role == "file" and any(kind.pattern.fullmatch(f"{name} file") for kind in self.lexicon.kinds):
            return None  # "the log file" names a kind
        if name in self.known or token.endswith("/"):
            return Mention(name, "directory" if role == "either" and token.endswith("/") else role)
        if name.lower() in self.lexicon.qualifiers:
            # "in config" may be a directory, if one exists; "in python files" is none.
            return Mention(name, "guess") if role in ("directory", "either", "exclude") else None
        if any(mention.text == name for mention in self.mentions):
            return None
        if role == "directory" and self.lexicon.knows(name) and name not in self.known:
            return Mention(name, "guess")
        return Mention(name, role if certain else "guess")

    def _selects(self, name: str) -> bool:
        """True for "an empty directory": a word that narrows which are meant, unless one is called so."""
        filters = self.lexicon.facets["filters"].values()
        return name not in self.known and any(pattern.fullmatch(name) for pattern in filters)

    def _from_mark(self, mark: Mark, role: Role) -> Mention | None:
        is_named = mark.kind == "quoted" and (role in ("directory", "file") or _looks_like_path(mark.text))
        if mark.kind != "path" and not is_named:
            return None
        return Mention(mark.text, "directory" if role == "either" and mark.text.endswith("/") else role)

    def _take_pairs(self) -> None:
        """Two places in one phrase, "in src and tests", when both exist."""
        for match in list(PAIR.finditer(self.ground.text)):
            names = [self._named(match.group(part)) for part in ("p", "q")]
            if all(name in self.known for name in names):
                self.mentions += [Mention(name, "either" if "." in name else "directory") for name in names]
                self.ground.write(self.ground.text.replace(match.group(0), " "))
            else:
                self.mentions += [
                    Mention(name, "guess") for name in names if re.fullmatch(r"[\w.@+-]+", name)
                ]

    def _named(self, token: str) -> str:
        mark = self.ground.mark_of(token)
        return (mark.text if mark else token).rstrip("/.")

    def _take_marks(self) -> None:
        for index, mark in enumerate(self.ground.marks):
            token = f"«{index}»"
            is_path = mark.kind == "path" or (mark.kind == "quoted" and _looks_like_path(mark.text))
            if mark.kind == "quoted" and " " in mark.text and token in self.ground.text:
                # A text or a name with blanks; only what exists says which.
                is_path = mark.text.rstrip("/") in self.known
                self.mentions += [] if is_path else [Mention(mark.text.rstrip("/"), "guess")]
            if token in self.ground.text and is_path:
                self.mentions.append(Mention(mark.text, "directory" if mark.text.endswith("/") else "either"))
                self.ground.used(token)


def read_kinds(ground: Ground, lexicon: Lexicon) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
    """Globs of each kind of file the goal asks for, and of all those it rules out."""
    wanted: list[tuple[str, ...]] = []
    unwanted: list[str] = []
    _repeat_negation(ground, lexicon)
    for kind in lexicon.kinds:
        negated = re.compile(rf"(?<!\w){NEGATED_KIND}{kind.pattern.pattern}(?: files?| ones)?", re.IGNORECASE)
        if ground.take(negated):
            unwanted += kind.globs
        if ground.take(kind.pattern):
            wanted.append(kind.globs)
    return wanted, tuple(_unique(unwanted))


def _repeat_negation(ground: Ground, lexicon: Lexicon) -> None:
    """Write "not python, yaml or csv" as "not python not yaml not csv": what rules out one rules out all."""
    kind = "|".join(kind.pattern.pattern for kind in lexicon.kinds)
    article = r"(?:an? |the )?"
    listed = re.compile(
        rf"(?<!\w)(?P<not>{NEGATED_KIND}|neither )(?P<kinds>{article}(?:{kind})(?: files?)?"
        rf"(?:,? (?:and|or|nor) {article}(?:{kind})(?: files?)?|, {article}(?:{kind})(?: files?)?)+)(?!\w)",
        re.IGNORECASE,
    )

    def each(match: re.Match[str]) -> str:
        kinds = re.split(r",? (?:and|or|nor) |, ", match["kinds"])
        return " ".join(f"not {kind}" for kind in kinds)

    ground.write(listed.sub(each, ground.text))


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
