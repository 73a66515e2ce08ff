"""Why a restatement of a question does not ask the same. Pure.

The checks lean to refusal: a restatement that is not taken costs nothing, for the question is then put as it was
asked, while one that turns it loses the whole run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nodes.contractive.constraint_reading import constraints_of
from nodes.contractive.constraints import Constraint
from nodes.contractive.reading.leanings import changed_tags, denied, tense
from nodes.contractive.reading.tongues import of_question, tongue
from nodes.contractive.restating.amounts import Amount, digits, lacking, reordered, same_places
from nodes.contractive.restating.kind_check import follows, other_kind, states
from nodes.contractive.restating.marks import code, formulas, quoted, stands_in
from nodes.contractive.restating.order import exchanged, other_number, other_role
from nodes.contractive.restating.told import Told
from nodes.contractive.restating.words import lost_words, new_words, turned

LONGER, SHORTEST_LIMIT = 2, 300
"""A restatement may be twice as long as its question, and 300 characters in any case."""
LONGEST = 2000
"""Characters of a question that can be compared; a longer one brings material along, and stays as it was asked."""
_OF_THE_TWO = re.compile(
    r"\b(?:which|who) of (?:the|these|those) (?:two|three|four)\b|\bwelche[rs]? (?:der|von den) (?:zwei|drei|beiden)\b|[两三]者",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|there|then|one|ones|the same|er|sie|es|ihn|ihm|ihr|ihre|sein|seine|dort|da|dies\w*|damals|davon|darin)\b|[它他她]|这|那|其|该|同样", re.IGNORECASE)  # fmt: skip
_ORDERS = {
    "explain": re.compile(r"\b(?:explain|describe|discuss|elaborate|erkläre|erklären|beschreibe|beschreiben|erläutere)\b|解释|说明|描述|介绍", re.IGNORECASE),
    "list": re.compile(r"\b(?:list|enumerate|name|nenne|nennen|liste)\b|列出|列举|举出|说出", re.IGNORECASE),
}  # fmt: skip


def why_not(question: str, restated: str, earlier: Sequence[str] = ()) -> str:
    """Why a restatement loses, adds or changes something; "" if it asks the same.

    Args:
        question: as it was asked.
        restated: by a model.
        earlier: turns of the chat before, from which it may take names and numbers.
    """
    if not re.search(r"\w", restated):
        return "it says nothing"
    if len(restated) > max(LONGER * len(question), SHORTEST_LIMIT):
        return "it is more than twice as long as the question"
    if " ".join(restated.split()) == " ".join(question.split()):
        return ""
    if len(question) > LONGEST:
        return "the question is too long to be compared"
    language = of_question(question)
    one, other = Told(question, language), Told(restated, language)
    before = Told("\n".join(earlier)[-LONGEST:], language)
    return next((reason for check in _CHECKS if (reason := check(one, other, before))), "")


def _language(one: Told, other: Told, before: Told) -> str:
    asked_in, told_in = tongue(one.unmarked), tongue(other.unmarked)
    if asked_in and told_in and asked_in != told_in and {asked_in, told_in} & {"zh", "de", "en", "ja"}:
        return "it is in another language"
    return ""


def _marks(one: Told, other: Told, before: Told) -> str:
    for mark in quoted(one.whole):
        if not stands_in(mark.lower(), other.whole.lower()):
            return f"it does not have `{mark}` word for word"
    for mark in code(one.whole):
        if not stands_in(mark, other.whole):
            return f"it does not have `{mark}` word for word"
    known = f"{one.whole}\n{before.whole}"
    for mark in (*quoted(other.whole), *code(other.whole)):
        if not stands_in(mark, known) and not stands_in(mark.lower(), known.lower()):
            return f"it adds `{mark}`"
    return _formulas(one, other, before)


def _formulas(one: Told, other: Told, before: Told) -> str:
    given, taken = formulas(one.whole), formulas(other.whole)
    for formula in given:
        if formula not in taken and formula not in re.sub(r"\s+", "", other.whole):
            return f"it does not have `{formula}` as it stands"
    known = [*given, *formulas(before.whole)]
    return next(
        (
            f"it adds `{formula}`"
            for formula in taken
            if formula not in known and formula not in re.sub(r"\s+", "", one.whole)
        ),
        "",
    )


def _numbers(one: Told, other: Told, before: Told) -> str:
    written = digits(other.unmarked)
    pointed = before.whole and _OF_THE_TWO.search(one.unmarked) is not None
    if lost := [
        amount
        for amount in lacking([] if pointed else one.amounts, other.amounts)
        if not (f"{amount[0]:g}" in written and not amount[1])
    ]:
        return f"it loses the number {_shown(lost[0])}"
    if new := lacking(other.amounts, [*one.amounts, *before.amounts]):
        return f"it adds the number {_shown(new[0])}"
    if fewer := digits(one.unmarked).keys() - written.keys():
        values = {round(value, 6) for value, _ in other.amounts}
        missing = [
            token for token in fewer if _value(token) not in values and not _in_words(token, one, other)
        ]
        if missing:
            return f"it loses the number {missing[0]}"
    if reordered(one.amounts, other.amounts) and not same_places(one.unmarked, other.unmarked):
        return "numbers changed places"
    return ""


def _value(token: str) -> float:
    return float(token) if re.fullmatch(r"\d+(?:\.\d+)?", token) else -1.0


def _in_words(token: str, one: Told, other: Told) -> bool:
    """True if both give the same amounts, one in digits and one in words."""
    return len(one.amounts) == len(other.amounts) > 0 and not lacking(one.amounts, other.amounts)


def _shown(amount: Amount) -> str:
    value, dimension = amount
    return f"{value:g} ({dimension})" if dimension else f"{value:g}"


def _constraints(one: Told, other: Told, before: Told) -> str:
    wanted, held = constraints_of(one.text), constraints_of(other.text)
    for constraint in wanted:
        if _checked(constraint) and not any(constraint.content == found.content for found in held):
            return f"it loses the constraint `{constraint.words}`"
    known = {found.content for found in (*wanted, *constraints_of(before.text))}
    for constraint in held:
        if _checked(constraint) and constraint.content not in known:
            return f"it adds the constraint `{constraint.words}`"
    return ""


def _checked(constraint: Constraint) -> bool:
    """Times are compared by their words and numbers, and how briefly is a matter of tone."""
    return constraint.kind != "time" and constraint.what != "brief"


def _turns(one: Told, other: Told, before: Told) -> str:
    if denied(one.unmarked) > denied(other.unmarked):
        return "it loses a `not`"
    if denied(other.unmarked) > max(
        denied(one.unmarked), denied(before.unmarked) if follows(one, before) else 0
    ):
        return "it adds a `not`"
    changed = changed_tags(one.tags, other.tags, before.tags)
    if changed:
        tag, sign = next(iter(sorted(changed.items())))
        return f"it {'loses' if sign < 0 else 'adds'} `{tag}`"
    times = tense(one.turned, one.language), tense(other.turned, one.language)
    if all(times) and times[0] != times[1] and not follows(one, before):
        return f"it asks of the {times[1]}, the question of the {times[0]}"
    return ""


def _words(one: Told, other: Told, before: Told) -> str:
    language = one.language
    lost = lost_words(one.words, other.words, _spelled(other), language)
    new = new_words(
        other.words,
        [*one.words, *before.words],
        _spelled(one) + _spelled(before),
        language,
        none_lost=not lost,
    )
    if pair := turned(lost, new):
        return f"it turns `{pair[0]}` into `{pair[1]}`"
    if follows(one, before) or (before.whole and _POINTING.search(one.whole)):
        # What a pronoun stood for takes its place: "what about there" loses no word that counts.
        lost = [word for word in lost if not _POINTING.fullmatch(word.raw)]
    if lost:
        return f"it loses `{lost[0].raw}`"
    return f"it adds `{new[0].raw}`" if new else ""


def _spelled(told: Told) -> str:
    """A text in which a word is looked for as it stands: with its turns of phrase, and as they are written."""
    return f"{told.bare} {told.turned}"


def _roles(one: Told, other: Told, before: Told) -> str:
    limits = " ".join(constraint.words.lower() for constraint in constraints_of(one.text))
    first, then = ([word for word in told.words if word.raw not in limits] for told in (one, other))
    if pair := exchanged(one.unmarked, other.unmarked, first, then, one.language):
        return f"`{pair[0]}` and `{pair[1]}` changed places"
    if name := other_number(one.unmarked, other.unmarked):
        return f"`{name}` has another number"
    names = [word for word in one.words if word.name]
    if name := other_role(one.unmarked, other.unmarked, names):
        return f"`{name}` plays another part"
    return ""


def _order(one: Told, other: Told, before: Told) -> str:
    """Explaining is another order than listing."""
    given = {name for name, pattern in _ORDERS.items() if pattern.search(one.bare)}
    taken = {name for name, pattern in _ORDERS.items() if pattern.search(other.bare)}
    return "it gives another order" if given - taken and taken - given else ""


_CHECKS: tuple[Callable[[Told, Told, Told], str], ...] = (
    _language, _marks, _numbers, _constraints, states, other_kind, _turns, _words, _roles, _order,
)  # fmt: skip
