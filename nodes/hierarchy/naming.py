"""Names of files, directories and code in a question, and lists of them. Pure."""

from __future__ import annotations

import re

QUOTED = r"\"[^\"\n]+\"|`[^`\n]+`|“[^”\n]+”|«[^»\n]+»|(?<!\w)'[^'\n]+'(?!\w)"
# What begins the question behind a list.
_NO_NAME = (
    r"(?:how|which|what|who|whose|where|when|why|say|tell|give|show|list|count|find|report|does|do|is|are"
    r"|numbers?|total|compare|describe|explain|summari[sz]e|print)"
)
# The last sign of a name is no full stop of the sentence. Possessive, or a long text would take minutes.
_PLAIN = rf"(?!{_NO_NAME}\b(?![./_]))" r"(?=[.@+~/-]*[\w*])(?:[\w@+*/~-]|\.(?=[\w*/.]))++"
NOUN = (
    r"(?:files?|modules?|scripts?|documents?|packages?|(?:sub-?)?folders?|(?:sub-?)?director(?:y|ies)"
    r"|notebooks?|functions?|methods?|classes|class|commits?|branch(?:es)?)"
)
_BEFORE = rf"(?:(?:the|my|our) )?(?:{NOUN} )?"
_AFTER = rf"(?: {NOUN})?"
ITEM = rf"(?>{_BEFORE}(?:{QUOTED}|{_PLAIN})(?:\(\))?{_AFTER})"
MOST_ITEMS = 64
_MORE = f"{{0,{MOST_ITEMS}}}"
LIST = (
    rf"{ITEM}(?:, ?{ITEM}){_MORE}(?:,? (?:and|or|&) {ITEM})(?:,? (?:and|or|&) {ITEM}){_MORE}"
    rf"|{ITEM}, ?{ITEM}(?:, ?{ITEM}){_MORE}"
)
_SEPARATOR = re.compile(r",? (?:and|or|&) |, ?")
_QUOTATION = re.compile(QUOTED)
# A name of a file or of code can be told from a word of a sentence by itself.
_TELLING = re.compile(r"[./*_\"`“«]|\(\)|(?<=[a-z])[A-Z]|(?<!\w)'")


def items_of(listed: str) -> list[str]:
    """The names of a list, each once, in order; a separator within quotation marks separates nothing.

    Args:
        listed: text that `LIST` or `ITEM` matches.
    """
    kept: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    parts = _SEPARATOR.split(_QUOTATION.sub(hidden, listed))
    told = (re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], part).strip() for part in parts)
    return list(dict.fromkeys(part for part in told if part))


def is_telling(item: str) -> bool:
    """True for a name nobody takes for a word: it has a point, a stroke, a sign of code, or quotes."""
    return _TELLING.search(item) is not None


def names_something(text: str) -> bool:
    """True if a text holds a name that says of itself that it is one."""
    return any(is_telling(word.rstrip(".,;:?!")) for word in text.split())
