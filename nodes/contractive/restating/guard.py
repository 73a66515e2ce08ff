"""Why a restatement of a question does not ask the same. Pure.

The checks lean to refusal: a restatement that is not taken costs nothing, for the question is then put as it was
asked, while one that turns it loses the whole run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from nodes.contractive.constraint_reading import constraints_of
from nodes.contractive.constraints import Constraint
from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.courtesies import bare_question
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.reading.leanings import changed_tags, denied, leanings, tense
from nodes.contractive.reading.synonyms import with_turns
from nodes.contractive.reading.tongues import of_question, tongue
from nodes.contractive.restating.amounts import Amount, amounts, digits, lacking, reordered
from nodes.contractive.restating.marks import code, formulas, quoted, stands_in, without_marks
from nodes.contractive.restating.order import exchanged, other_role
from nodes.contractive.restating.words import Word, lost_words, new_words, turned, words_of
from nodes.research.checking.folding import fold

LONGER, SHORTEST_LIMIT = 2, 300
"""A restatement may be twice as long as its question, and 300 characters in any case."""
LONGEST = 2000
"""Characters of a question that can be compared; a longer one brings material along, and stays as it was asked."""
_FOLLOWS = re.compile(r"^\W*(?:(?:and|but|or|so|what about|how about|what if|und|aber|oder|was ist mit|wie ist es mit|wie sieht es|那么?|而|还有|如果)(?![a-zäöüß]))|呢\s*[?？]?$", re.IGNORECASE)  # fmt: skip
_LEADING = re.compile(r"^\W*(?:(?:and|but|so|und|aber)\s+)?(?:(?:what|how) about|was ist mit|wie (?:ist|sieht) es (?:mit|aus mit)|and|but|und|aber)\s+(?=\S)", re.IGNORECASE)  # fmt: skip
_OF_THE_TWO = re.compile(
    r"\b(?:which|who) of (?:the|these|those) (?:two|three|four)\b|\bwelche[rs]? (?:der|von den) (?:zwei|drei|beiden)\b|[两三]者",
    re.IGNORECASE,
)
_POINTING = re.compile(r"\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|there|then|one|ones|the same|er|sie|es|ihn|ihm|ihr|ihre|sein|seine|dort|da|dies\w*|damals|davon|darin)\b|[它他她]|这|那|其|该|同样", re.IGNORECASE)  # fmt: skip
_ASKS = re.compile(r"[?？]|\b(?:what|which|who|when|where|why|how|wer|wie|was|wo|wann|warum|welche\w*)\b|[谁吗呢]|什么|哪|多少|几|如何|怎么|是否|为什么", re.IGNORECASE)  # fmt: skip
_ORDERS = {
    "explain": re.compile(r"\b(?:explain|describe|discuss|elaborate|erkläre|erklären|beschreibe|beschreiben|erläutere)\b|解释|说明|描述|介绍", re.IGNORECASE),
    "list": re.compile(r"\b(?:list|enumerate|name|nenne|nennen|liste)\b|列出|列举|举出|说出", re.IGNORECASE),
}  # fmt: skip
_SENTENCE = re.compile(r"(?<=[?!。？！])\s*|(?<=[^\W\d]\.)\s+|(?<=\d\.)\s+(?=[A-ZÄÖÜ])")
_ABOUT_ONE_THING: tuple[frozenset[str], ...] = (
    frozenset({"what", "either"}), frozenset({"yes_no", "either"}), frozenset({"how", "what"}), frozenset({"who", "what"}), frozenset({"number", "what"}),
    frozenset({"where", "what"}), frozenset({"when", "what"}), frozenset({"number", "when"}),
)  # fmt: skip


@dataclass(frozen=True)
class Told:
    """A text as the checks read it.

    Attributes:
        text: as written.
        language: that of the question, zh, de or en.
    """

    text: str
    language: str

    @cached_property
    def whole(self) -> str:
        """Folded."""
        return fold(self.text).strip()

    @cached_property
    def bare(self) -> str:
        """Without the courtesies around it."""
        return _LEADING.sub("", bare_question(self.whole, self.language))

    @cached_property
    def unmarked(self) -> str:
        """Without what must stand word for word."""
        return without_marks(self.bare)

    @cached_property
    def words(self) -> list[Word]:
        """Those that carry it."""
        return words_of(self.bare, self.language)

    @cached_property
    def amounts(self) -> list[Amount]:
        """Its numbers, those in quotes and code aside."""
        return amounts(self.unmarked, self.language)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """What its parts ask for."""
        return kinds_asked(self.text, self.language)

    @cached_property
    def tags(self) -> frozenset[str]:
        """What small words turn it."""
        text = _turned(self) if self.language == "zh" else self.unmarked
        return leanings(text, self.language)


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
    for mark in (*quoted(one.whole), *code(one.whole)):
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
    if reordered(one.amounts, other.amounts):
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


def _follows(one: Told, before: Told) -> bool:
    """True if a question cannot stand without the turns before it."""
    return bool(before.whole) and (not one.kinds or _FOLLOWS.search(one.whole) is not None)


def _kind(one: Told, other: Told, before: Told) -> str:
    if not other.kinds and not _ASKS.search(other.whole):
        return "it is no question" if one.kinds or _ASKS.search(one.whole) else ""
    if _follows(one, before):
        return (
            ""
            if set(other.kinds) <= set(before.kinds) | set(one.kinds) or not before.kinds
            else "it asks for something else than the turns before"
        )
    mine, theirs = set(one.kinds), set(other.kinds)
    if mine == theirs or not mine:
        return _parts(one, other)
    if len(mine) == len(theirs) == 1 and mine | theirs in _ABOUT_ONE_THING and _alike(one, other):
        return ""
    if mine - theirs:
        return f"it no longer asks {_named(mine - theirs)}"
    return f"it asks {_named(theirs - mine)}, too"


def _parts(one: Told, other: Told) -> str:
    """A part that asks the same kind of thing twice may not be asked once."""
    return (
        ""
        if len(one.kinds) <= len(other.kinds) or len(set(one.kinds)) == len(one.kinds)
        else "it leaves out a part of the question"
    )


def _alike(one: Told, other: Told) -> bool:
    """True if "what is the X" may stand for "how X": the kinds differ, and what the question wants does not."""
    pair = {*one.kinds, *other.kinds}
    if pair == {"what", "either"} or "either" in pair:
        return (
            asked(one.text).wanted in ("either", "choice", "yes_no", "open", "list", "number", "order")
            and bool(_ORS.search(one.whole)) == bool(_ORS.search(other.whole))
        ) or pair == {"what", "either"}
    if pair == {"how", "what"}:
        return (
            "how to" in other.whole.lower()
            or re.search(
                r"\b(?:steps?|way|method|process|difference|meaning|wie)\b",
                f"{one.whole} {other.whole}",
                re.IGNORECASE,
            )
            is not None
        )
    wants = {asked(one.text).wanted, asked(other.text).wanted}
    return len(wants) == 1 and wants != {"open"}


_ORS = re.compile(r"\bor\b|\boder\b|还是|或", re.IGNORECASE)


def _named(kinds: set[Kind]) -> str:
    words = {"number": "how much", "yes_no": "for a yes or no", "either": "which of several"}
    return " and ".join(words.get(kind, kind) for kind in sorted(kinds))


def _statement(one: Told, other: Told, before: Told) -> str:
    """A restatement of one question has no sentence that states something, unless the question has."""
    stating = _stating(other.bare, other.language)
    if stating and not _stating(one.bare, one.language) and not before.whole:
        return "it states something the question asks"
    if re.match(r"\W*(?:yes|no|ja|nein|是的|不是|不)\s*[,，。.]", other.whole, re.IGNORECASE):
        return "it answers the question"
    return ""


def _stating(text: str, language: str) -> bool:
    parts = [part for part in _SENTENCE.split(text) if part and re.search(r"\w", part)]
    return any(
        part.rstrip()[-1] not in "?？:："
        and not kinds_asked(part, language)
        and len(part.split()) + part.count("是") * 3 > 2
        and not constraints_of(part)
        for part in parts
    ) and (len(parts) > 1 or not kinds_asked(text, language))


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
        denied(one.unmarked), denied(before.unmarked) if _follows(one, before) else 0
    ):
        return "it adds a `not`"
    changed = changed_tags(one.tags, other.tags, before.tags)
    if changed:
        tag, sign = next(iter(sorted(changed.items())))
        return f"it {'loses' if sign < 0 else 'adds'} `{tag}`"
    times = tense(_turned(one), one.language), tense(_turned(other), one.language)
    if all(times) and times[0] != times[1] and not _follows(one, before):
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
    if _follows(one, before) or (before.whole and _POINTING.search(one.whole)):
        # What a pronoun stood for takes its place: "what about there" loses no word that counts.
        lost = [word for word in lost if not _POINTING.fullmatch(word.raw)]
    if lost:
        return f"it loses `{lost[0].raw}`"
    return f"it adds `{new[0].raw}`" if new else ""


def _spelled(told: Told) -> str:
    """A text in which a word is looked for as it stands: with its turns of phrase, and as they are written."""
    return f"{told.unmarked} {_turned(told)}"


def _turned(told: Told) -> str:
    return with_turns(told.unmarked, told.language)


def _roles(one: Told, other: Told, before: Told) -> str:
    limits = " ".join(constraint.words.lower() for constraint in constraints_of(one.text))
    free = [[word for word in told.words if word.raw not in limits] for told in (one, other)]
    if pair := exchanged(one.unmarked, other.unmarked, *free, one.language):
        return f"`{pair[0]}` and `{pair[1]}` changed places"
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
    _language, _marks, _numbers, _constraints, _statement, _kind, _turns, _words, _roles, _order,
)  # fmt: skip
