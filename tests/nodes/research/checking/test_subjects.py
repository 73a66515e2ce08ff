"""Facts given to the right one, and to another of the same documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.checking.checker import Checker, check_claim
from nodes.research.checking.facts import facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.han_roster import han_names
from nodes.research.checking.roster import roster, same
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
OF_NAMES = re.compile(
    r"tells it of|says it of|the source quotes|say it, not|nowhere|names .*, and|has \"\w+ ", re.IGNORECASE
)


def item(text: str, name: str = "", number: int = 1) -> Item:
    return Item(
        url=f"https://one.example/{number}",
        name=name or f"Document {number}",
        site="",
        siteUrl="",
        description=text,
    )


@pytest.fixture(scope="module")
def told() -> list[dict[str, Any]]:
    return list(yaml.safe_load((Path(__file__).parent / "subjects.yaml").read_text("utf-8")))


@pytest.fixture(scope="module")
def subject_checker(told: list[dict[str, Any]]) -> Checker:
    return Checker([item_of(one) for one in told], [])


def item_of(one: dict[str, Any]) -> Item:
    return Item(url=one["url"], name=one["name"], site="", siteUrl="", description=one["text"])


@pytest.mark.parametrize("chinese", [False, True])
def test_facts_given_to_another_are_caught(
    told: list[dict[str, Any]], subject_checker: Checker, chinese: bool
) -> None:
    wrong = [(one["url"], claim) for one in told for claim in one["wrong"]]
    wrong = [(url, claim) for url, claim in wrong if any("\u3400" <= c <= "\u9fff" for c in claim) == chinese]
    missed = [claim for url, claim in wrong if subject_checker.claim(claim, [url]).verdict not in FAILED]
    assert len(wrong) >= 45
    assert len(missed) <= 0.1 * len(wrong), missed


@pytest.mark.parametrize("chinese", [False, True])
def test_facts_given_to_the_right_one_raise_no_alarm_of_names(
    told: list[dict[str, Any]], subject_checker: Checker, chinese: bool
) -> None:
    right = [(one["url"], claim) for one in told for claim in one["correct"]]
    right = [(url, claim) for url, claim in right if any("\u3400" <= c <= "\u9fff" for c in claim) == chinese]
    checks = [subject_checker.claim(claim, [url]) for url, claim in right]
    alarms = [
        (check.sentence, check.reason)
        for check in checks
        if check.verdict in FAILED and OF_NAMES.search(check.reason)
    ]
    assert len(right) >= 65
    assert len(alarms) <= 0.02 * len(right), alarms


SPEECH = item(
    "Mayor Ines Corral presented the plan on Friday. Her deputy, Aldo Brix, answered questions.\n\n"
    '"We build it because nobody else will," he said. "The money is there." '
    'Union leader Jana Petric disagreed. "It is a bridge to nowhere," she told reporters.'
)
HAN_SPEECH = item(
    "市長方若蘭週五說明計畫。副市長鄭立德回答提問。「沒有人願意蓋，所以我們來蓋，」他說。\n\n"
    "工會理事長蘇婉儀並不同意。「這是一座通往荒地的橋，」她說。"
)


@pytest.mark.parametrize(
    ("claim", "source", "failed"),
    [
        ('"We build it because nobody else will," said Aldo Brix.', SPEECH, False),
        ('"We build it because nobody else will," said Ines Corral.', SPEECH, True),
        ('Deputy mayor Brix assured reporters: "The money is there."', SPEECH, False),
        ('Jana Petric called it "a bridge to nowhere".', SPEECH, False),
        ('"It is a bridge to nowhere," Jana Petric said.', SPEECH, False),
        ('"It is a bridge to nowhere," Aldo Brix said.', SPEECH, True),
        ("鄭立德說：「沒有人願意蓋，所以我們來蓋。」", HAN_SPEECH, False),
        ("方若蘭說：「沒有人願意蓋，所以我們來蓋。」", HAN_SPEECH, True),
        ("蘇婉儀認為「這是一座通往荒地的橋」。", HAN_SPEECH, False),
        ("鄭立德表示：「這是一座通往荒地的橋。」", HAN_SPEECH, True),
    ],
)
def test_a_quotation_keeps_its_speaker(claim: str, source: Item, failed: bool) -> None:
    check = check_claim(claim, [source])
    assert (check.verdict in FAILED) == failed, check.reason


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The race went to a Hungarian.", "The race was won by Gyula Harmath of Hungary."),
        ("A runner from Norway came second.", "The Norwegian runner Nils Aas came second."),
        ("The Kenyan won in Velmar.", "Mercy Chebwai of Kenya won in Velmar."),
        ("Brazilian buyers took half of it.", "Buyers from Brazil took half of the harvest."),
        ("接種點離得太遠是主因。", "主因是接種的地方太遠。"),
        ("機電標遲至八月才決標。", "機電標拖到八月才決標。"),
        ("從嶺澤火車站到園區約需32分鐘。", "從嶺澤火車站到園區的行車時間約32分鐘。"),
        ("登革熱病例以海東鎮最多。", "登革熱病例最多的是海東鎮。海東鎮占58%。"),
    ],
)
def test_words_cut_or_formed_otherwise_are_not_missing_names(claim: str, text: str) -> None:
    check = check_claim(claim, [item(text)])
    assert check.verdict not in FAILED, check.reason


def test_a_name_that_one_of_two_cited_sources_has_is_not_missing() -> None:
    one = item("Halden Marine's margin rose to 11.6 percent in 2023.", "Halden Marine", 1)
    two = item("Brantvik's margin fell to 7.7 percent in 2023.", "Brantvik", 2)
    told = "Halden Marine's margin rose to 11.6 percent in 2023, that of Brantvik fell to 7.7 percent."
    assert check_claim(told, [one, two]).verdict not in FAILED
    assert check_claim("Brantvik's margin rose to 11.6 percent in 2023.", [one, two]).verdict in FAILED


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("财务长贺佩珊说明,毛利率回升。", "贺佩珊", "person"),
        ("前厂长杜建铭因认罪改判2年。", "杜建铭", "person"),
        ("法务总监祝云则说不会上诉。", "祝云", "person"),
        ("协会会长路遥呼吁补贴业者。", "路遥", "person"),
        ("女子组由日本的中村彩乃以2小时封后。", "中村彩乃", "person"),
        ("30座由国内的台泽重工制造。", "台泽重工", "group"),
        ("与日商东和重工共同承揽。", "东和重工", "group"),
        ("授权给瑞典药厂诺维斯,签约金3万元。", "诺维斯", "group"),
        ("邻近的平溪镇升至27%。", "平溪镇", "place"),
    ],
)
def test_chinese_names_are_found_by_what_stands_beside_them(text: str, name: str, kind: str) -> None:
    assert (name, kind) in set(han_names(text))


@pytest.mark.parametrize("text", ["消费性电子的库存调整", "年末全市常住人口", "船员全数获救", "首度超过去年"])
def test_ordinary_chinese_words_are_no_names(text: str) -> None:
    assert list(han_names(text)) == []


@pytest.mark.parametrize(
    ("text", "name", "kinds"),
    [
        ("The captain, Owen Blake, limped off.", "Owen Blake", {"person"}),
        ("Co-author Pablo Ruiz measured it.", "Pablo Ruiz", {"person"}),
        ("Its insurer, Corvan Mutual, has paid.", "Corvan Mutual", {"group"}),
        ("The oil leaked from the tanker Calder Star.", "Calder Star", {"vessel"}),
        ("They live in Penbrook.", "Penbrook", {"place"}),
    ],
)
def test_english_names_have_the_kind_their_neighbours_give_them(
    text: str, name: str, kinds: set[str]
) -> None:
    assert {one.name: one.kinds for one in roster("", [facts_of(text)])}[name] == kinds


@given(st.text(alphabet="甲乙市由的说,。12ABab '\"-", max_size=40))
def test_any_text_has_a_roster_whose_names_stand_in_it(text: str) -> None:
    folded = fold(text)
    for one in roster("", [facts_of(folded)]):
        assert one.name in folded or one.name.lower() in folded.lower()
        assert one.kinds and same(one.name, one.name)
