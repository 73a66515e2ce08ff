"""Questions that ask the same of each of several things: of named ones, or of all files of a kind. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.hierarchy.naming import LIST, MOST_ITEMS, NOUN, QUOTED, is_telling, items_of

SLOT = "\1"
_LEAD = r"(?:(?:please|now|then)[, ]+)*"
_EACH_OF = (
    rf"(?:each|every one)(?: {NOUN})?(?: of|:)?(?: (?:the|these|those))?(?: following)?"
    rf"(?: (?:two|three|four|five))?(?: {NOUN})?:? (?P<list>{LIST})"
)
_PREPOSITION = r"(?:for|in|of|from|on|about|under|within|inside)"
_KIND = (
    r"(?P<kind>(?:(?!of |in |the )[\w*.+-]+ ){0,2}?"
    r"(?:files?|modules?|scripts?|documents?|notebooks?|packages?|(?:sub-?)?folders?|(?:sub-?)?director(?:y|ies)))"
)
_PLACE = (
    rf"(?P<place> (?:(?:directly|anywhere) )?(?:in|of|under|below|inside|within|from) (?:the )?"
    rf"(?:(?:{QUOTED}|[\w.@+/~-]*[\w/])(?: (?:folder|directory|package))?))?"
)
_EACH_KIND = rf"(?:each|every)(?: single)?(?: of the)? {_KIND}{_PLACE}"
_BY_PREFIX = re.compile(rf"{_LEAD}{_PREPOSITION} {_EACH_OF}[,:]? (?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_BY_EACH = re.compile(
    rf"{_LEAD}{_PREPOSITION} (?:both )?(?P<list>{LIST}),? (?P<rest>.*\beach\b.*)", re.IGNORECASE | re.DOTALL
)
_IN_SENTENCE = re.compile(rf"\b{_EACH_OF}(?=[\s.,;?!]|$)", re.IGNORECASE)
_LIST_EACH = re.compile(
    rf"(?<!\w)(?P<list>{LIST}),? (?:each|respectively|separately|individually|one by one)\b", re.IGNORECASE
)
_AT_THE_END = re.compile(
    rf"(?P<before>.*?(?<!\w))(?P<list>{LIST})(?P<after> .*?),?"
    r" (?:each|respectively|separately|individually|one by one)(?P<end>\s*[.?!]*)",
    re.IGNORECASE | re.DOTALL,
)
_KIND_PREFIX = re.compile(rf"{_LEAD}{_PREPOSITION} {_EACH_KIND}[,:]? (?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_KIND_IN_SENTENCE = re.compile(rf"\b{_EACH_KIND}", re.IGNORECASE)
_PER_KIND = re.compile(rf"\b(?:per|by) {_KIND}{_PLACE}(?=[\s.,;?!]*$)", re.IGNORECASE)
_THING = (
    r"(?:file|module|script|document|notebook|package|(?:sub-?)?folder|(?:sub-?)?directory|function|class)"
)
_POSSESSIVE = re.compile(r"\b(?:its|their) (?P<what>[\w-]+)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    rf"\b(?:it|they|them|each(?: one| of them| {_THING})?|(?:that|this|the) {_THING})\b(?! is true)",
    re.IGNORECASE,
)
_END = re.compile(r"[\s.?!,;]*$")


@dataclass(frozen=True, slots=True)
class Spread:
    """What is asked of each of several things.

    Attributes:
        template: the question, with SLOT where the thing stands.
        names: the things; none for files that have to be looked up.
        phrase: the files that have to be looked up, in words: "python files in pkg".
    """

    template: str
    names: tuple[str, ...] = ()
    phrase: str = ""

    def about(self, name: str) -> str:
        """The question about one of them."""
        text = self.template.replace(SLOT, name)
        return f"{text[:1].upper()}{text[1:]}"


def distributed(sentence: str) -> Spread | None:
    """What a sentence asks of each of the things it names; None if it does not say "each" of a list."""
    for prefix in (_BY_PREFIX, _BY_EACH):
        if (match := prefix.fullmatch(sentence)) is not None:
            return _of_list(match["list"], about_slot(match["rest"], match["list"]))
    for within in (_IN_SENTENCE, _LIST_EACH):
        if (match := within.search(sentence)) is not None:
            template = f"{sentence[: match.start()]}{SLOT}{sentence[match.end() :]}"
            return _of_list(match["list"], _singular(template))
    if (match := _AT_THE_END.fullmatch(sentence)) is not None:
        return _of_list(match["list"], _singular(f"{match['before']}{SLOT}{match['after']}{match['end']}"))
    return None


def ranging(sentence: str) -> Spread | None:
    """What a sentence asks of each file or directory of a kind; None if it does not say "each file"."""
    if (match := _KIND_PREFIX.fullmatch(sentence)) is not None:
        return Spread(about_slot(match["rest"], "a/b"), phrase=_phrase(match))
    if (match := _PER_KIND.search(sentence)) is not None:
        template = f"{sentence[: match.start()].rstrip()} in {SLOT}{sentence[match.end() :]}"
        return Spread(template, phrase=_phrase(match))
    if (match := _KIND_IN_SENTENCE.search(sentence)) is not None:
        template = f"{sentence[: match.start()]}{SLOT}{sentence[match.end() :]}"
        return Spread(_singular(template), phrase=_phrase(match))
    return None


def about_slot(rest: str, named: str) -> str:
    """A question that was put to each, with the slot where its "it" stands, or behind it.

    Args:
        rest: such as "how many lines does it have?".
        named: what is put into the slot; files contain what is asked for, other things have it.
    """
    told = _POSSESSIVE.sub(rf"the \g<what> of {SLOT}", rest)
    told = _PRONOUN.sub(SLOT, told)
    if SLOT in told:
        return _singular(told)
    end = _END.search(told)
    assert end is not None  # it matches the empty end too
    preposition = "in" if is_telling(named) else "for"
    return f"{told[: end.start()]} {preposition} {SLOT}{told[end.start() :]}"


_SHARED = re.compile(
    r"(?P<lead>.*?)\b(?P<ask>how many|the number of|count(?: the)?) (?P<first>[\w-]+(?: [\w-]+)?)"
    r"(?P<more>(?:, (?:how many |the number of )?[\w-]+(?: [\w-]+)?)*),? and (?:how many |the number of )?"
    r"(?P<last>[\w-]+(?: [\w-]+)??) (?P<rest>(?:are|is|does|do|has|have|in|of|can)\b.+)",
    re.IGNORECASE | re.DOTALL,
)


def shared(clause: str) -> list[str] | None:
    """A question for each of "How many functions and classes are in a.py?"; None for one question."""
    match = _SHARED.fullmatch(clause)
    if match is None or not (is_telling(match["rest"]) or re.search(r"\b(?:in|of) ", match["rest"])):
        return None
    between = [one for one in re.split(r", (?:how many |the number of )?", match["more"]) if one]
    whats = [match["first"], *between, match["last"]]
    return [f"{match['lead']}{match['ask']} {what} {match['rest']}".strip() for what in whats]


def _of_list(listed: str, template: str) -> Spread | None:
    names = items_of(listed)
    return Spread(template, tuple(names)) if 1 < len(names) <= MOST_ITEMS else None


def _phrase(match: re.Match[str]) -> str:
    return f"{match['kind']}{match['place'] or ''}".strip()


def _singular(template: str) -> str:
    """The verb of one thing, in "How many lines do SLOT have"."""
    return re.sub(rf"\bdo {SLOT}", f"does {SLOT}", template)
