"""Another name where a claim has one, and whose surname, office or clause a sentence speaks of."""

from __future__ import annotations

import pytest

from nodes.research.checking.checker import check_claim
from nodes.research.checking.folding import fold
from nodes.research.checking.roster import PERSON, roster
from nodes.research.checking.sources import Sources
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
BREAD = (
    "The Tarrow Valley bread prize was handed out in Lunne on Friday. "
    "Baker Ines Moreau took first place with a rye loaf that had proved for 40 hours; "
    "the jury praised its crust. "
    "Second was Otto Brandl, whose sourdough lost points for its weight.\n\n"
    "The jury's chair, Hedda Lunde, said that entries had risen to 212. "
    '"'
    'I have never eaten so much and regretted so little," '
    "she said. "
    "Sponsor Kornhaus Mills will double the prize money to 8,000 crowns next year. "
    "Its rival Altmark Flour had withdrawn in 2021 after a dispute about labelling.\n\n"
    "Moreau learned her trade from Pieter Vos in the village of Skell. "
    "Vos, who is 81, sold his shop to a chain in 2016. "
    "Brandl says he will try again. "
    "The prize for young bakers, worth 1,500 crowns, went to Salma Idrissi of Dorrin."
)
ZITHERS = (
    "松峡县第九届古琴制作大赛11日在云杉镇落幕。"
    "来自榆陂的制琴师傅鲍远山凭一张以百年杉木制成的仲尼式古琴获得金奖，奖金6万元。"
    "银奖由女琴师蔺若溪获得，她的作品音色清亮，但漆面有瑕疵。\n\n"
    "评委会主席聂怀章表示，今年参赛作品增至134件。"
    "“好琴不怕等，怕的是人不肯等，”"
    "他说。"
    "主办方桐声文化公司宣布，明年将把比赛移到县城举行。"
    "另一家企业弦歌乐器公司原为冠名商，因资金紧张于2022年退出。\n\n"
    "鲍远山师从老匠人戚守拙，学艺十二年。"
    "戚守拙2019年关闭了在榆陂的作坊。"
    "青年奖授予19岁的段青禾，她现就读于临泽艺术学院。"
)
BREAD_WRONG = [
    "Otto Brandl won first place with a rye loaf that had proved for 40 hours.",
    "The prize for young bakers went to Ines Moreau.",
    '"I have never eaten so much and regretted so little," said Ines Moreau.',
    "Altmark Flour is to double the prize money to 8,000 crowns next year.",
    "It was Otto Brandl who sold his shop to a chain in 2016.",
    "After a dispute about labelling, Kornhaus Mills withdrew in 2021.",
    "The rise in entries to 212 was announced by Otto Brandl.",
    "Salma Idrissi was taught the trade by Pieter Vos in Skell.",
    "Pieter Vos, whose sourdough lost points for its weight, came second.",
    "The young bakers' prize of 1,500 crowns was won by Hedda Lunde.",
]
BREAD_RIGHT = [
    "Ines Moreau won the Tarrow Valley bread prize with a rye loaf proved for 40 hours.",
    "Otto Brandl came second because his sourdough was marked down for its weight.",
    "Hedda Lunde, who chairs the jury, put the number of entries at 212.",
    '"I have never eaten so much and regretted so little," said the jury\'s chair, Hedda Lunde.',
    "Kornhaus Mills will raise the prize money to 8,000 crowns.",
    "Altmark Flour pulled out in 2021 over a labelling dispute.",
    "The 81-year-old Pieter Vos, who taught Moreau, gave up his shop in 2016.",
    "Salma Idrissi received 1,500 crowns as the best young baker.",
    "While Moreau won with a rye loaf, Brandl had to be content with second place.",
    "Moreau was trained in Skell by Pieter Vos.",
]
ZITHERS_WRONG = [
    "金奖由蔺若溪获得，奖金6万元。",
    "“好琴不怕等，怕的是人不肯等，”鲍远山说。",
    "获得青年奖的是鲍远山。",
    "弦歌乐器公司宣布，明年将把比赛移到县城举行。",
    "桐声文化公司因资金紧张于2022年退出。",
    "鲍远山2019年关闭了在榆陂的作坊。",
    "段青禾师从老匠人戚守拙，学艺十二年。",
    "戚守拙现就读于临泽艺术学院。",
    "鲍远山的作品音色清亮，但漆面有瑕疵。",
    "蔺若溪表示，今年参赛作品增至134件。",
]
ZITHERS_RIGHT = [
    "鲍远山以一张百年杉木古琴夺得金奖，拿到6万元奖金。",
    "银奖得主是蔺若溪，作品漆面有瑕疵。",
    "聂怀章说，今年有134件作品参赛。",
    "评委会主席聂怀章说：“好琴不怕等，怕的是人不肯等。”",
    "明年比赛将由桐声文化公司移到县城举办。",
    "弦歌乐器公司2022年因缺资金退出冠名。",
    "教鲍远山手艺的戚守拙已在2019年关掉作坊。",
    "19岁的段青禾获得青年奖。",
    "获金奖的是榆陂制琴师傅鲍远山，银奖则归蔺若溪。",
    "鲍远山跟戚守拙学了十二年。",
]
OF_WHOM = (
    "Runa Petersson, the harbour master, found the anchor in May. "
    "Ivo Castellan, who runs the museum, had looked for it since 1998. "
    "It weighs 640 kilos.\n\n"
    '"'
    'It was never lost, only unasked for," '
    "said the diver, Teo Marchetti."
)


def item(text: str, name: str) -> Item:
    return Item(url="https://one.example/1", name=name, site="", siteUrl="", description=text)


@pytest.fixture(scope="module")
def documents() -> dict[str, Item]:
    return {
        "bread": item(BREAD, "Bread prize in the Tarrow Valley"),
        "zithers": item(ZITHERS, "松峡县古琴制作大赛落幕"),
    }


@pytest.mark.parametrize(("which", "claims"), [("bread", BREAD_WRONG), ("zithers", ZITHERS_WRONG)])
def test_facts_of_another_are_caught(documents: dict[str, Item], which: str, claims: list[str]) -> None:
    missed = [claim for claim in claims if check_claim(claim, [documents[which]]).verdict not in FAILED]
    assert len(missed) <= 2, missed


@pytest.mark.parametrize(("which", "claims"), [("bread", BREAD_RIGHT), ("zithers", ZITHERS_RIGHT)])
def test_facts_of_the_right_one_raise_no_alarm(
    documents: dict[str, Item], which: str, claims: list[str]
) -> None:
    checks = [check_claim(claim, [documents[which]]) for claim in claims]
    assert not [(check.sentence, check.reason) for check in checks if check.verdict in FAILED]


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("The anchor was found in May by Ivo Castellan.", True),
        ("The anchor was found in May by the harbour master, Runa Petersson.", False),
        ('Ivo Castellan, the director, said: "It was never lost, only unasked for."', True),
        ('"It was never lost, only unasked for," in the words of the diver Teo Marchetti.', False),
        ("Castellan, the head of the museum, had searched for it since 1998.", False),
    ],
)
def test_a_name_in_any_part_of_the_sentence(claim: str, wrong: bool) -> None:
    check = check_claim(claim, [item(OF_WHOM, "An anchor")])
    assert (check.verdict in FAILED) == wrong, check.reason


def test_a_roster_holds_no_parts_of_sentences() -> None:
    text = (
        "2024年全县水稻总产量增加。但会先做无人机电池，再谈市场。"
        "师傅霍启明说，霍启明的徒弟潜水员裴立安打捞了船钟。"
    )
    known = {
        one.name: one.kinds for one in roster("", [one.facts for one in Sources([item(text, "x")]).passages])
    }
    assert known.get(fold("霍启明")) == {PERSON}
    assert known.get(fold("裴立安")) == {PERSON}
    assert "年全县" not in known
    assert not [name for name in known if name.startswith(("但会", "傅"))]
