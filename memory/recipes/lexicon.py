"""The words a language uses to ask about files, compiled from `configs/lexicon/*.yaml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory.recipes.shipped import shipped_yaml

MARK = r"«\d+»"
NAME = rf"(?P<x>{MARK}|[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)*(?:\(\)?)?)"
WORDS = (
    rf"(?P<x>(?:(?:LITERAL_NOUNS)\s+)?{MARK}|[^\s,;?!«»][^,;?!«»]*?)"
    r"(?=\s+(?:in|on|under|inside|within|across|from|but|and|or|anywhere|somewhere|ignoring|regardless|case|most|least|more"
    r"|appear|appears|occur|occurs|show|mentioned|used|found|exist|there|do|does|are|is|throughout|at|case-insensitively)\b"
    rf"|\s*{MARK}|[,;?!]|\.\s|\.?\s*$)"
)


@dataclass(frozen=True)
class Relation:
    """A way to say that something holds of a name or a text, e.g. "files importing X"."""

    name: str
    pattern: re.Pattern[str]
    captures_words: bool
    announced: bool
    takes_paths: bool
    thing: str | None
    names_code: bool


@dataclass(frozen=True)
class Kind:
    """Words for a kind of file and the globs that select it."""

    pattern: re.Pattern[str]
    globs: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """One language's words; every pattern is compiled and ignores case."""

    facets: dict[str, dict[str, re.Pattern[str]]]
    negation: re.Pattern[str]
    case: re.Pattern[str]
    kinds: tuple[Kind, ...]
    file_nouns: re.Pattern[str]
    file_names: frozenset[str]
    root_words: re.Pattern[str]
    literal_nouns: re.Pattern[str]
    described: re.Pattern[str]
    relations: tuple[Relation, ...]
    early: dict[str, re.Pattern[str]]
    sought: re.Pattern[str]
    conceptual: re.Pattern[str]
    changes: re.Pattern[str]
    meanings: frozenset[str]
    stopwords: frozenset[str]
    weighty: frozenset[str]
    vocabulary: frozenset[str]
    qualifiers: frozenset[str]
    spellings: re.Pattern[str]
    spelled: dict[str, str]
    rewrites: tuple[tuple[re.Pattern[str], str], ...]
    fillers: re.Pattern[str]
    extensions: frozenset[str]
    words: frozenset[str]

    def knows(self, word: str) -> bool:
        """True if the word has a meaning of its own in a question, so it is not a name by itself."""
        return word.lower() in self.stopwords or word.lower() in self.vocabulary


def _alternatives(patterns: list[str]) -> str:
    return "|".join(sorted(patterns, key=len, reverse=True))


def _whole(patterns: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w«])(?:{_alternatives(patterns)})(?![\w»])", re.IGNORECASE)


def _relation(entry: dict[str, Any], literal_nouns: str) -> Relation:
    words = entry["capture"] == "words"
    capture = WORDS.replace("LITERAL_NOUNS", literal_nouns) if words else NAME
    return Relation(
        entry["relation"],
        re.compile(rf"(?<!\w){entry['pattern'].replace('«X»', capture)}(?!\w)", re.IGNORECASE),
        words,
        entry.get("announced", False),
        entry.get("paths", True),
        entry.get("thing"),
        entry.get("code", False),
    )


def _kind_words(data: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    words = [word for kind in data["kinds"] for word in kind["words"]]
    return {"nouns": {"": data["file_nouns"]}, "kinds": {"": words}, "negation": data["negation"]}


def _vocabulary(data: dict[str, Any], *groups: str) -> frozenset[str]:
    """Plain words among the patterns: optional letters are tried both ways."""
    patterns = [pattern for name in groups for values in data[name].values() for pattern in values]
    patterns += data["negation"]
    words: set[str] = set()
    for pattern in patterns:
        for variant in (re.sub(r"(\(\w+\)|\w)\?", "", pattern), re.sub(r"[()?]", "", pattern)):
            if re.fullmatch(r"[\w'-]+", variant):
                words.add(variant)
        for alternative in re.findall(r"^(\w+)\(([\w|]+)\)$", pattern):
            words.update(alternative[0] + ending for ending in alternative[1].split("|"))
    return frozenset(words)


def _words(data: dict[str, Any]) -> frozenset[str]:
    """Every plain word of the lexicon with four letters or more: what a slip may have meant."""
    groups = ("rank", "recency", "ask", "things", "filters", "group", "metric_words")
    patterns = [pattern for name in groups for values in data[name].values() for pattern in values]
    patterns += [word for kind in data["kinds"] for word in kind["words"]]
    patterns += data["file_nouns"] + data["file_names"]
    patterns += data["stopwords"].split() + data["negation"]
    patterns += [relation["pattern"] for relation in data["relations"]]
    words: set[str] = set()
    for pattern in patterns:
        for variant in (re.sub(r"(\(\w+\)|\w)\?", "", pattern), re.sub(r"[()?]", "", pattern)):
            words.update(re.findall(r"(?<![\\\w])[a-z]{4,}(?!\w)", variant))
    return frozenset(words)


def load_lexicon(language: str = "en") -> Lexicon:
    """Compile one language's lexicon, once in a process; the file is part of the package.

    Raises:
        FileNotFoundError: no lexicon for that language is shipped.
    """
    return _compiled(language)


# Beneath the default: a cache takes "en" said and "en" left out for two languages, and each takes 0.1 s.
@cache
def _compiled(language: str) -> Lexicon:
    data = shipped_yaml("lexicon", f"{language}.yaml")
    facet_names = ("rank", "recency", "ask", "things", "filters", "group", "metric_words")
    return Lexicon(
        facets={name: {value: _whole(words) for value, words in data[name].items()} for name in facet_names},
        negation=_whole(data["negation"]),
        case=_whole(data["case"]),
        kinds=tuple(Kind(_whole(kind["words"]), tuple(kind["globs"])) for kind in data["kinds"]),
        file_nouns=_whole(data["file_nouns"]),
        file_names=frozenset(data["file_names"]),
        root_words=_whole(data["root_words"]),
        literal_nouns=re.compile(rf"^(?:{_alternatives(data['literal_nouns'])})\s+", re.IGNORECASE),
        described=_whole(data["described"]),
        relations=tuple(
            _relation(entry, _alternatives(data["literal_nouns"])) for entry in data["relations"]
        ),
        early={thing: re.compile("|".join(words), re.IGNORECASE) for thing, words in data["early"].items()},
        sought=re.compile("|".join(f"(?:{words})" for words in data["sought"]), re.IGNORECASE),
        conceptual=re.compile("|".join(f"(?:{words})" for words in data["conceptual"]), re.IGNORECASE),
        changes=re.compile(
            "|".join(f"(?:{words.replace('«O»', data['objects'])})" for words in data["changes"]),
            re.IGNORECASE,
        ),
        meanings=_vocabulary(data, *facet_names),
        stopwords=frozenset(data["stopwords"].split()),
        weighty=frozenset(data["weighty"].split()),
        vocabulary=_vocabulary(data, *facet_names) | _vocabulary(_kind_words(data), "nouns"),
        qualifiers=_vocabulary(data, "rank", "recency", "filters", "metric_words", "ask", "group")
        | _vocabulary(_kind_words(data), "kinds"),
        spellings=_whole([re.escape(written) for written in data["spellings"]]),
        spelled=data["spellings"],
        rewrites=tuple((_whole([pattern]), plain) for pattern, plain in data["rewrites"]),
        fillers=re.compile("|".join(f"(?:{words})" for words in data["fillers"]), re.IGNORECASE),
        words=_words(data),
        extensions=frozenset(
            glob[2:] for kind in data["kinds"] for glob in kind["globs"] if glob.startswith("*.")
        ),
    )
