"""Claims a newer source has otherwise, and correct ones beside newer sources on the same or other topics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from nodes.research.checking.checker import Checker, check_claim
from nodes.research.checking.dates import moments
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.former_values import former
from nodes.research.checking.sources import Sources
from nodes.research.checking.timing import gone, timing
from nodes.research.checking.topics import Topics
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
World = dict[str, Any]


def worlds(language: str) -> list[World]:
    given: list[World] = yaml.safe_load((Path(__file__).parent / f"stale_{language}.yaml").read_text("utf-8"))
    return given


def item(given: dict[str, Any]) -> Item:
    return Item(
        url=given["url"],
        name=given["name"],
        site=given["site"],
        siteUrl="",
        description=given["text"],
        schema_object={"datePublished": str(given["date"])},
    )


@pytest.fixture(scope="module", params=["en", "zh"])
def told(request: pytest.FixtureRequest) -> tuple[list[World], Checker]:
    """All worlds of a language, and one checker that has the sources of all of them beside each other."""
    given = worlds(request.param)
    return given, Checker([item(one) for world in given for one in world["documents"]], [])


def sentences(given: list[World], kind: str) -> Iterator[tuple[str, list[str]]]:
    for world in given:
        for cited, text in world[kind]:
            yield text, [world["documents"][int(place)]["url"] for place in str(cited)]


def test_what_a_newer_source_revises_is_out_of_date(told: tuple[list[World], Checker]) -> None:
    given, checker = told
    missed = [
        text for text, urls in sentences(given, "stale") if checker.claim(text, urls).verdict not in FAILED
    ]
    every = len(list(sentences(given, "stale")))
    assert every >= 60
    assert len(missed) <= 0.1 * every, missed


def test_what_still_holds_or_tells_of_then_is_not(told: tuple[list[World], Checker]) -> None:
    given, checker = told
    reasons = {text: checker.claim(text, urls).reason for text, urls in sentences(given, "correct")}
    assert len(reasons) >= 60
    assert not {text: reason for text, reason in reasons.items() if reason.startswith("Out of date")}


@pytest.mark.parametrize("language", ["retold_en", "retold_zh", "unseen_en", "unseen_zh"])
def test_what_a_newer_source_words_otherwise_is_out_of_date_too(language: str) -> None:
    given = worlds(language)
    checker = Checker([item(one) for world in given for one in world["documents"]], [])
    missed = [
        text for text, urls in sentences(given, "stale") if checker.claim(text, urls).verdict not in FAILED
    ]
    alarms = {
        text: reason
        for text, urls in sentences(given, "correct")
        if (reason := checker.claim(text, urls).reason).startswith("Out of date")
    }
    assert not alarms
    assert len(missed) <= 0.25 * len(list(sentences(given, "stale"))), missed


def test_another_view_or_period_takes_no_place() -> None:
    given = yaml.safe_load((Path(__file__).parent / "stale_views.yaml").read_text("utf-8"))
    for one in given:
        older, newer = item(one["older"]), item(one["newer"])
        for claim in one["claims"]:
            check = check_claim(claim, [older], [newer])
            assert not check.reason.startswith("Out of date"), (claim, check.reason)


def test_without_its_newer_source_nothing_is_out_of_date() -> None:
    for language in ("en", "zh"):
        for world in worlds(language)[:2]:
            checker = Checker([item(world["documents"][0])], [])
            for cited, text in world["stale"]:
                if str(cited) == "0":
                    check = checker.claim(text, [world["documents"][0]["url"]])
                    assert not check.reason.startswith("Out of date"), text


def test_the_reason_names_the_newer_source_and_what_it_has() -> None:
    documents = [item(one) for one in worlds("en")[0]["documents"]]
    check = check_claim(
        "Dunmere Airport's second runway is expected to cost $780 million.", documents[:1], documents[1:]
    )
    assert check.verdict == "contradicted"
    assert documents[1].url in check.reason and "$1.05 billion" in check.reason
    assert check.spans[0].url == documents[1].url


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The bridge is now expected to cost 12 million.", "now"),
        ("As things stand, the mill will close.", "now"),
        ("The school is still closed.", "now"),
        ("To this day nobody has been charged.", "now"),
        ("The bridge is expected to cost 12 million.", "present"),
        ("The bridge will open in May 2031.", "present"),
        ("The firm employs 310 people.", "present"),
        ("In 2019 the firm employed 310 people.", "dated"),
        ("By the end of March 2020 the firm had 310 staff.", "then"),
        ("When it was approved, the bridge was put at 12 million.", "then"),
        ("The bridge was to open in May 2031.", "then"),
        ("Originally the bridge was planned for 2031.", "then"),
        ("The council voted by 12 to 3 for the bridge.", "past"),
        ("Seven people died in the collapse.", "past"),
        ("大橋目前的經費為12億元。", "now"),
        ("按現在的計畫，大橋將在2031年通車。", "now"),
        ("依現行規劃，大橋設四個車道。", "now"),
        ("審查至今尚未通過。", "now"),
        ("大橋預計2031年5月通車。", "present"),
        ("大橋的經費為12億元。", "present"),
        ("2019年公司有310名員工。", "dated"),
        ("動工時，大橋的經費為12億元。", "then"),
        ("大橋原訂2031年通車。", "then"),
        ("當時公司有310名員工。", "then"),
        ("議會以12票對3票通過了大橋預算。", "past"),
    ],
)
def test_of_what_time_a_claim_speaks(claim: str, expected: str) -> None:
    assert timing(facts_of(fold(claim)), date(2021, 6, 1)) == expected


@pytest.mark.parametrize(
    ("text", "was"),
    [
        ("The price was raised from 40 euros to 55 euros.", ["40 euros"]),
        ("The price is 55 euros, up from 40 euros.", ["40 euros"]),
        ("The council had approved the hall at 40 euros.", ["40 euros"]),
        ("It costs 55 euros instead of 40 euros.", ["40 euros"]),
        ("It costs 55 euros.", []),
        ("The price has climbed to 55 euros.", []),
        ("票價由40元調高為55元。", ["40元"]),
        ("票價40元調漲為55元。", ["40元"]),
        ("票價55元，高於原訂的40元。", ["40元"]),
        ("票價自今年起調為55元。", []),
        ("票價為55元。", []),
    ],
)
def test_which_number_held_before(text: str, was: list[str]) -> None:
    facts = facts_of(fold(text))
    found = [
        one.text.strip() for one in facts.quantities if one.dimension and former(facts, one.start, one.end)
    ]
    assert found == [fold(one) for one in was]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2019", True),
        ("May 2021", True),
        ("September 2021", False),
        ("autumn 2024", False),
        ("2019年", True),
        ("2021年9月", False),
        ("民國113年", False),
    ],
)
def test_which_dates_were_over(text: str, expected: bool) -> None:
    (moment,) = moments(fold(text))
    assert gone(moment, date(2021, 6, 1)) is expected


def test_siblings_are_told_apart() -> None:
    for language in ("en", "zh"):
        for world in worlds(language)[:6]:
            sources = Sources([item(one) for one in world["documents"]])
            topics = Topics(sources)
            older, newer, *_, sibling = sources.documents
            assert topics.same(older, newer), (older.item.name, newer.item.name)
            # Phases of one line are one subject; the number beside the word tells their sentences apart.
            if "phase" not in older.item.name:
                assert not topics.same(older, sibling), (older.item.name, sibling.item.name)
