"""What to tell a small model so that it keeps a constraint it broke. Pure."""

from __future__ import annotations

import re

from nodes.contractive.constraints import Constraint
from nodes.contractive.reading.counting import count_words

_FORMATS = {
    "json": "Give the answer as valid JSON and nothing else.",
    "number": "Give only the number.",
    "yes or no": "Answer with yes or no and nothing else.",
    "letter": "Answer with the letter of the option only.",
    "only the answer": "Give only the answer, without an explanation.",
    "bullets": "Write the answer as a list, one point a line.",
    "numbered list": "Write the answer as a numbered list, one point a line.",
    "table": "Write the answer as a table.",
    "commas": "Write the items on one line, separated by commas.",
    "upper case": "Write the answer in capital letters.",
    "lower case": "Write the answer in small letters.",
    "iso date": "Write the date as YYYY-MM-DD.",
    "fraction": "Give the answer as a fraction.",
    "code block": "Put the code in a code block.",
}
_LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "ar": "Arabic", "el": "Greek", "he": "Hebrew",
    "hi": "Hindi", "th": "Thai",
}  # fmt: skip


_UNIT_LEAD = re.compile(
    r"^.*\b(?:in|as|to|into|auf|how many|wie viele?)\s+|^(?:以|用|按|多少)|(?:为单位|表示)$", re.IGNORECASE
)


def advice_for(one: Constraint, said: str) -> str:
    """One sentence that tells how to keep a constraint.

    Args:
        one: that was broken.
        said: the answer that broke it.
    """
    if one.kind == "format":
        return _FORMATS.get(one.what, f"Write the answer {one.words}.")
    if one.kind in ("items", "length"):
        return _counted(one, said)
    low, high = (f"{bound:g}" if bound is not None else "" for bound in (one.least, one.most))
    return {
        "unit": f"Give the answer as a number in {_UNIT_LEAD.sub('', one.words)}.",
        "language": f"Write the answer in {_LANGUAGES.get(one.what, one.what)}.",
        "choice": f"Answer with one of: {', '.join(one.values)}.",
        "range": f"Give a number from {low} to {high}.",
        "exclusion": f"The answer must not contain {' or '.join(one.values)}.",
        "rounding": f"Round the number {one.words}.",
        "time": f"Give the answer {one.words}.",
    }[one.kind]


def _counted(one: Constraint, said: str) -> str:
    """What to say of a number of items, words or sentences."""
    if one.kind == "items":
        exactly = ", no more and no fewer" if one.least == one.most else ""
        return f"Give {_number(one)} items{exactly}."
    now = f" (it has {count_words(said)} now)" if one.what == "word" else ""
    return f"Write {_number(one)} {one.what}{'' if one.most == 1 else 's'}{now}."


def _number(one: Constraint) -> str:
    if one.least is not None and one.most is not None:
        return f"exactly {one.least:g}" if one.least == one.most else f"{one.least:g} to {one.most:g}"
    return f"at most {one.most:g}" if one.most is not None else f"at least {one.least:g}"
