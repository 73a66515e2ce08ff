"""Reports put together from sentences and the documents they cite, in the styles reports cite in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from evals.research.claims import Claim, claims_of
from evals.research.values import Language
from evals.research.world import World
from tools.search.items import Item

Style = Literal["cite", "numbered", "linked", "bare"]
STYLES: tuple[Style, ...] = get_args(Style)
ENDS = ".。"
FRAME: dict[Language, tuple[str, str, str, str]] = {
    "en": (
        "What the sources say",
        "This report gathers what was found on the subjects below.",
        "There is not enough evidence to say more.",
        "Sources",
    ),
    "zh": ("資料怎麼說", "本報告整理以下各主題的查證結果。", "其餘部分證據不足，無法說明。", "資料來源"),
}
BUCKETS = ("quote", "date", "polarity", "direction", "state", "count", "money", "measure")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a report.

    Attributes:
        text: without citations.
        cited: addresses, in order; none for a sentence that frames the report.
        start: offset of its first character, citations included.
        end: offset after its last one.
    """

    text: str
    cited: tuple[str, ...]
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class ReportText:
    """A report and its sentences, framing ones included."""

    text: str
    sentences: tuple[Sentence, ...]


def chosen_claims(world: World, language: Language, number: int) -> list[Claim]:
    """The sentences of one report: one from each bucket that has any, grouped by subject.

    Args:
        world: it is about.
        language: it is written in.
        number: of the report.
    """
    rng = random.Random(f"report/{world.seed}/{language}/{number}")
    buckets: dict[str, list[Claim]] = {name: [] for name in BUCKETS}
    for claim in claims_of(world, language):
        buckets[_bucket(claim)].append(claim)
    chosen: list[Claim] = []
    for name in BUCKETS:
        free = [one for one in buckets[name] if all(one.fact.id != other.fact.id for other in chosen)]
        groups = sorted({claim.group for claim in free})
        if groups:
            group = rng.choice(groups)
            chosen.append(rng.choice([claim for claim in free if claim.group == group]))
    rng.shuffle(chosen)
    order = {claim.fact.subject.id: place for place, claim in reversed(list(enumerate(chosen)))}
    return _by_role(sorted(chosen, key=lambda claim: order[claim.fact.subject.id]))


def _bucket(claim: Claim) -> str:
    if claim.fact.frame == "quote":
        return "quote"
    kind = claim.fact.pattern.kind
    if claim.group == "change" or kind == "change":
        return "direction"
    if claim.fact.earlier is not None:
        return "state"
    return "measure" if kind == "percent" else kind


def _by_role(claims: list[Claim]) -> list[Claim]:
    """After a sentence that names the subject, the next one about it may say what it is instead."""
    told = claims[:1]
    for before, claim in zip(claims, claims[1:], strict=False):
        if claim.group == "reworded" and claim.how and claim.fact.subject.id == before.fact.subject.id:
            claim = replace(claim, group="by_role", how=replace(claim.how, by_role=True, general=False))
            claim = replace(claim, text=claim.told())
        told.append(claim)
    return told


def compose(
    said: Sequence[tuple[str, tuple[str, ...], str]],
    items: Sequence[Item],
    language: Language,
    style: Style,
    *,
    inside: bool = True,
) -> ReportText:
    """A report in markdown.

    Args:
        said: text, cited addresses and heading of each sentence, in order.
        items: what was found; `{cite:N}` counts them from 1.
        language: of its frame.
        style: in which it cites. An address that no item has gets a number nobody has, or stands as it is.
        inside: whether citations stand before a sentence's last mark or after it.
    """
    title, opening, ending, sources = FRAME[language]
    listed = list(dict.fromkeys(url for _, cited, _ in said for url in cited if _known(url, items)))
    text = f"# {title}\n\n"
    sentences = []
    text, framing = _appended(text, opening, "")
    sentences.append(Sentence(opening, (), *framing))
    heading = ""
    for words, cited, under in said:
        gap = "" if language == "zh" else " "
        if under != heading:
            heading, gap = under, ""
            text += f"\n\n## {under}\n\n"
        marks = "".join(_mark(url, items, listed, style, place) for place, url in enumerate(cited))
        text, where = _appended(text, _marked(words, marks, inside, language), gap)
        sentences.append(Sentence(words, cited, *where))
    text, framing = _appended(text, ending, "\n\n")
    sentences.append(Sentence(ending, (), *framing))
    if style == "numbered":
        text += f"\n\n## {sources}\n\n" + "\n".join(
            f"[{number}] {_item(url, items).name}. {_item(url, items).site}. {url}"
            for number, url in enumerate(listed, start=1)
        )
    return ReportText(text + "\n", tuple(sentences))


def _appended(text: str, words: str, gap: str) -> tuple[str, tuple[int, int]]:
    start = len(text) + len(gap)
    return text + gap + words, (start, start + len(words))


def _marked(words: str, marks: str, inside: bool, language: Language) -> str:
    gap = " " if language == "en" and not marks.startswith("[") else ""
    if inside and words[-1] in ENDS:
        return f"{words[:-1]}{gap}{marks}{words[-1]}"
    return f"{words}{gap}{marks}"


def _mark(url: str, items: Sequence[Item], listed: list[str], style: Style, place: int) -> str:
    if style == "linked":
        name = _item(url, items).name if _known(url, items) else "data"
        return f"[{name.replace('[', '(').replace(']', ')')}]({url})"
    if style == "bare":
        return f"{' ' if place else ''}({url})"
    if not _known(url, items):
        # Beyond the items as well: without a list of its own, a report's numbers count those.
        number = len(items) + 3
        return f"{{cite:{number}}}" if style == "cite" else f"[{number}]"
    if style == "cite":
        place = next(n for n, item in enumerate(items, start=1) if item.url == url)
        return f"{{cite:{place}}}"
    return f"[{listed.index(url) + 1}]"


def _known(url: str, items: Sequence[Item]) -> bool:
    return any(item.url == url for item in items)


def _item(url: str, items: Sequence[Item]) -> Item:
    return next(item for item in items if item.url == url)
