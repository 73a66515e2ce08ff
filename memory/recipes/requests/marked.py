"""A request whose paths, quotations, extensions and globs are marks, so that patterns can name them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory.recipes.ground import QUOTED, written
from memory.recipes.lexicon import load_lexicon

# Kinds of mark: Q quoted text, P path, E extension, G glob.
MARK = re.compile(r"‹([QPEG])(\d+)›")
QUOTE = r"‹Q\d+›"
EXTENSION = r"‹E\d+›"
GLOB = r"‹G\d+›"
# Words for signs of a kind: unquoted they are no text themselves.
KINDS_OF_SIGN = frozenset(
    "digit digits letter letters vowel vowels uppercase lowercase capital capitals alphanumeric punctuation whitespace "
    "special url urls ip email emails address addresses integer integers decimal numeric alphabetic comment comments "
    "function functions class classes import imports nothing something space spaces tab tabs".split()
)
# Words that mean something by themselves and so name no file.
ORDINARY = (
    "the a an all any each every both this that these those it its them their there here is are be of in on to at "
    "by for from with without within into under inside below than then and or not no nor but only just also file "
    "files folder folders directory directories subdirectory subdirectories subfolder subfolders line lines word "
    "words column columns field fields character characters byte bytes size name names number numbers content "
    "contents text string pattern value values time date day days hour hours minute minutes week weeks month months "
    "year years current working root tree whole entire my our where which whose what who how many much first last "
    "second third which has have having contain contains containing ending starting named called larger smaller "
    "bigger greater less more older newer modified changed sorted ordered reverse descending ascending order "
    "extension extensions permission permissions owner group user recursively everything everyone anything order "
    "links link symlinks symlink entries items one two three four five ignoring excluding except using as if when "
    "so do does did hidden empty executable duplicate unique longest shortest largest smallest newest oldest "
    "end ends ending start starts begin begins beginning match matches matching include includes including "
    "print show list display count level levels deep depth home repo repository project"
).split()
BARE = rf"(?!(?:{'|'.join(ORDINARY)})\b(?![\w.%-]))[^\W_‹][\w.@+%-]*(?<![.,])|_[\w.@+%-]*\w"
PATH = rf"(?:‹[PQ]\d+›|(?:{BARE}))"
TEXT = rf"(?:{QUOTE}|‹P\d+›|(?:{BARE}))"
NAME = rf"(?:‹[QPG]\d+›|(?:{BARE}))"
TOKEN = re.compile(r"(?<![^\s(,])[^\s,;()‹›\"'`]+")
FILE_NAME = re.compile(r"[\w%@+-][\w.%@+~-]*\.[A-Za-z_][\w~]{0,9}|\.[A-Za-z][\w-]{2,}[\w.-]*")
VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*|e\.g|i\.e|\d+\.\d+[a-z]{0,2}", re.IGNORECASE)
BEFORE_EXTENSION = re.compile(
    r"(?:with|in|ending|extensions?|all|every|each|the|or|and|of|any|as|other than|except|excluding|,|non-?"
    r"|many|list|find|count|show|print|delete|remove|move|copy|which|what|only)\s*$",
    re.IGNORECASE,
)
NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
NUMBER = rf"(?:\d+|{'|'.join(list(NUMBERS)[1:])})"
ORDINAL = rf"(?:\d+(?:st|nd|rd|th)|{'|'.join(ORDINALS)})"


def number(text: str) -> int:
    """A whole number, in digits or as a word, cardinal or ordinal.

    Raises:
        KeyError: it is none.
    """
    word = text.lower()
    digits = re.fullmatch(r"(\d+)(?:st|nd|rd|th)?", word)
    return int(digits[1]) if digits else {**NUMBERS, **ORDINALS}[word]


@dataclass(frozen=True)
class Marked:
    """A request as text with marks.

    Attributes:
        text: the request; white space is single.
        marks: what each mark stands for, by its number.
    """

    text: str
    marks: tuple[str, ...]

    def value(self, token: str) -> str:
        """What a token stands for: the mark's text, or the word itself."""
        match = MARK.fullmatch(token)
        return self.marks[int(match[2])] if match else token


def mark(goal: str) -> Marked:
    """The request with marks for everything that is a name or a text by its looks."""
    marks: list[str] = []

    def add(kind: str, text: str) -> str:
        marks.append(text)
        return f"‹{kind}{len(marks) - 1}›"

    text = written(goal).replace("‹", "<").replace("›", ">")
    text = QUOTED.sub(lambda match: add("Q", next(group for group in match.groups() if group)), text)
    text = TOKEN.sub(_marker(text, add), text)
    return Marked(" ".join(text.split()), tuple(marks))


def _marker(text: str, add: Callable[[str, str], str]) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        word = match[0].rstrip(".?!:") if match[0] not in (".", "..", "./") else match[0]
        rest = match[0][len(word) :]
        kind = _kind(word, text[: match.start()], text[match.end() :])
        return add(kind, word) + rest if kind else match[0]

    return replace


def _kind(word: str, before: str, after: str) -> str | None:
    """What an unquoted word is by its looks, or None for an ordinary word."""
    if re.fullmatch(r"\.{1,2}/?", word):
        return (
            "P"
            if word != "." or re.search(r"\b(?:in|under|of|from|to|directory|below|within)\s$", before)
            else None
        )
    if "*" in word or (re.search(r"\?\w|\[.+\]", word) and "." in word):
        return "G"
    if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", word) and _is_extension(word, before, after):
        return "E"
    if "/" in word:
        return "P" if re.search(r"\w|^/$", word) and not _is_alternative(word) else None
    return "P" if FILE_NAME.fullmatch(word) and not VERSION.fullmatch(word) else None


def _is_extension(word: str, before: str, after: str) -> bool:
    named = re.match(r"\s+(?:or|and|files?|extensions?|scripts?|ones|documents?)\b|\s*,", after)
    known = word[1:].lower() in load_lexicon().extensions
    return bool(named or known) and bool(BEFORE_EXTENSION.search(before) or not before.strip() or named)


def _is_alternative(word: str) -> bool:
    """True for "and/or" and "read/write": two words of the language, not a path."""
    parts = word.split("/")
    lexicon = load_lexicon()
    plain = {"read", "write", "execute", "and", "or", "input", "output", "yes", "no"}
    return (
        len(parts) == 2 and all(part.lower() in plain or lexicon.knows(part) for part in parts) and all(parts)
    )
