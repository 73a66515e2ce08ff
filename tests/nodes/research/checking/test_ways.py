"""Rises and falls, denials and facts of two passages, in sentences of many topics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.checking.checker import check_claim
from nodes.research.checking.clauses import clauses
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.ways import only_way, turned
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")


def item(text: str, number: int = 0) -> Item:
    return Item(
        url=f"https://ways.test/{number}",
        name="",
        site="",
        siteUrl="",
        description=text,
        schema_object={"datePublished": "2024-06-01"},
    )


def verdict(claim: str, *texts: str) -> str:
    return check_claim(claim, [item(text, number) for number, text in enumerate(texts)]).verdict


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (
            "The lake's water level dropped from 3.4 metres in May to 2.9 metres in August.",
            "Between May and August the level of the lake went up.",
        ),
        (
            "Rents in the old quarter are lower than those in the harbour district.",
            "Rents in the old quarter exceed those in the harbour district.",
        ),
        (
            "The orchestra has not renewed the contract of its conductor.",
            "The orchestra renewed its conductor's contract.",
        ),
        ("None of the tested wells contained arsenic.", "Arsenic was found in some of the tested wells."),
        ("The premiere was brought forward to March.", "The premiere has been postponed to March."),
        (
            "Attendance at the zoo was 410,000 in 2023, against 455,000 in 2022.",
            "More people attended the zoo in 2023 than in 2022.",
        ),
        (
            "Since the toll was introduced, traffic on the bridge has thinned by a fifth.",
            "Traffic on the bridge has grown by a fifth since the toll was introduced.",
        ),
        (
            "Neither of the pilots was licensed for night flights.",
            "Both pilots were licensed for night flights.",
        ),
        ("经复查，名单准确无误。", "经复查，名单有误。"),
        ("今年的枇杷产量为410吨，去年为500吨。", "今年的枇杷产量比去年有所增加。"),
        ("茶园今年的采摘面积由去年的320亩减至270亩。", "茶园今年的采摘面积比去年有所扩大。"),
        ("手册从未向会员公布，不能作为依据。", "手册已经向会员公布过，可以作为依据。"),
        ("演唱会的开场时间提前到晚上七点。", "演唱会的开场时间推迟到晚上七点。"),
        ("渔港今年的渔获量低于去年，但平均单价更高。", "渔港今年的渔获量高于去年。"),
        (
            "乐团的票房由2022年的310万元升至2023年的420万元。",
            "乐团的票房从2022年的420万元变为2023年的310万元。",
        ),
    ],
)
def test_the_contrary_is_seen(source: str, claim: str) -> None:
    assert verdict(claim, source) in FAILED


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (
            "Rents in the old quarter are lower than those in the harbour district.",
            "Rents in the harbour district are higher than those in the old quarter.",
        ),
        (
            "The ferry carried 410 passengers on Friday and 560 on Saturday.",
            "On Saturday the ferry carried 150 more passengers than on Friday.",
        ),
        (
            "The inspection took place on 4 March 2023. The bridge was closed on 11 March.",
            "A week after the inspection, the bridge was closed.",
        ),
        (
            "The mayor hopes for 40 stalls, a more cautious figure than the 55 forecast before.",
            "The mayor hopes for fewer stalls than the 55 forecast before.",
        ),
        (
            "Turnout was 61 per cent, down from 66 per cent four years ago.",
            "Turnout was 61 per cent, down from 66 per cent four years before.",
        ),
        ("The play reached 30 theatres in its fifth week.", "The play was in 30 theatres by week five."),
        (
            "The council kept the swimming pool, although its heating will be switched off in winter.",
            "The pool survives, but it will not be heated in winter.",
        ),
        (
            "Neither of the pilots was licensed for night flights.",
            "The two pilots lacked a licence for night flights.",
        ),
        ("The choir has 48 members, six more than a year ago.", "A year ago the choir had 42 members."),
        (
            "The museum, once loss-making, made a surplus of £40,000.",
            "The museum no longer makes a loss; its surplus was £40,000.",
        ),
        (
            "Two of the crew were rescued by a fishing boat, three by helicopter.",
            "Five members of the crew were rescued.",
        ),
        ("地铁二号线的客流比一号线少。", "地铁一号线的客流比二号线多。"),
        ("老城区的房租没有上涨。", "老城区的房租维持不变。"),
        ("茶园的采摘面积由去年的320亩减至270亩。", "茶园的采摘面积比去年少了50亩。"),
        ("工会表示不接受资方的方案。", "工会拒绝了资方的方案。"),
        ("图书馆在2023年内购入新书1,200册。", "2023年间图书馆购入新书1200册。"),
        ("池塘清理不及时。", "池塘没有及时清理。"),
        ("他的公司并未停业，车间照常开工。", "车间没有停工，公司也没有停业。"),
    ],
)
def test_the_same_in_other_words_raises_no_alarm(source: str, claim: str) -> None:
    assert verdict(claim, source) not in FAILED


def test_facts_of_two_reports_are_not_called_missing() -> None:
    north = "Tollund Mill sold flour worth £3.3 million in 2023."
    south = "Averley Mill sold flour worth £2.9 million in 2023."
    claim = "Tollund Mill outsells Averley Mill, by £3.3 million to £2.9 million."
    assert verdict(claim, north, south) not in FAILED
    assert verdict(claim.replace("2.9", "2.4"), north, south) in FAILED


def test_what_a_relative_clause_denies_is_denied_of_its_antecedent() -> None:
    source = "The bell, which was never stolen, hangs in the west tower. The cross was stolen in 1962."
    assert verdict("The bell was stolen.", source) in FAILED
    assert verdict("The cross was stolen.", source) not in FAILED


@given(
    st.sampled_from(["rents", "wages", "yields", "fares"]),
    st.sampled_from([("higher", "lower"), ("larger", "smaller"), ("shorter", "longer")]),
    st.permutations(["harbour", "market", "garden"]),
)
def test_a_mirrored_comparison_is_turned(thing: str, pair: tuple[str, str], places: list[str]) -> None:
    one, other = places[:2]
    told = clauses(facts_of(fold(f"The {thing} of the {one} are {pair[0]} than those of the {other}.")))[0]
    mirrored = clauses(facts_of(fold(f"The {thing} of the {other} are {pair[1]} than those of the {one}.")))[
        0
    ]
    assert turned(told, mirrored)
    assert not turned(told, told)
    assert only_way(told)["much"] == -only_way(mirrored)["much"]
