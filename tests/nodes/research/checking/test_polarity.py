"""Sentences of the same and of contrary meaning, each beside its source."""

from __future__ import annotations

import pytest

from nodes.research.checking.checker import check_claim
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")
SAME = [
    (
        "The council rejected the plan for a second bridge by 14 votes to 9.",
        "By 14 votes to 9, councillors turned down the plan for a second bridge.",
    ),
    (
        "The hospital did not close its maternity ward in 2023.",
        "In 2023 the hospital kept its maternity ward open.",
    ),
    ("Nobody was injured in the fire at the Dorn sawmill.", "The fire at the Dorn sawmill left no one hurt."),
    (
        "Three workers were hurt when the crane fell, but none of them seriously.",
        "None of the three workers hurt when the crane fell was seriously injured.",
    ),
    (
        "Exports climbed 7.1 percent, while imports dipped 2.4 percent.",
        "Imports fell by 2.4 percent even as exports rose by 7.1 percent.",
    ),
    (
        "The museum lies two kilometres west of the old harbour.",
        "West of the old harbour, two kilometres away, stands the museum.",
    ),
    (
        "The vaccine was less effective in adults over 65 than in younger people.",
        "Younger people were better protected by the vaccine than adults over 65.",
    ),
    ("Ridership has not recovered to the level of 2019.", "Ridership still lags behind the level of 2019."),
    (
        "The firm denied that it had dumped waste in the river Alme.",
        "According to the firm, no waste was dumped in the river Alme.",
    ),
    ("Unlike its rival, Castor pays no dividend this year.", "Castor will not pay a dividend this year."),
    ("The minister has ruled out a tax on sugar.", "There will be no tax on sugar, the minister said."),
    (
        "The glacier lost 12 metres of thickness between 2000 and 2020.",
        "The glacier became 12 metres thinner between 2000 and 2020.",
    ),
    ("The species is not found outside the Varga valley.", "The species occurs only in the Varga valley."),
    (
        "The tunnel was finished eight months ahead of schedule.",
        "The tunnel was completed eight months early.",
    ),
    ("The union called off the strike on 4 May.", "The strike planned by the union was cancelled on 4 May."),
    ("市議會沒有通過票價調漲案。", "票價調漲案遭市議會否決。"),
    ("該廠去年產量增加8%，用水量卻減少3%。", "去年該廠用水量下降3%，產量則成長8%。"),
    ("火災未造成人員傷亡。", "這場火災沒有人受傷或死亡。"),
    ("失業率低於全國平均。", "該地失業率比全國平均來得低。"),
    ("公司否認將關閉桃源廠。", "公司表示不會關閉桃源廠。"),
    ("工程比原訂時間提前三個月完成。", "工程早了三個月完工。"),
    ("法院认定被告没有侵权，驳回原告全部诉讼请求。", "法院驳回了原告的全部请求，认为被告不构成侵权。"),
    ("该省今年不再发放购车补贴。", "购车补贴今年在该省已经停发。"),
    ("他反对修建第二条跑道。", "他不赞成修建第二条跑道。"),
]
CONTRARY = [
    (
        "The council rejected the plan for a second bridge by 14 votes to 9.",
        "The council approved a second bridge by 14 votes to 9.",
    ),
    (
        "The hospital did not close its maternity ward in 2023.",
        "The hospital closed its maternity ward in 2023.",
    ),
    (
        "Nobody was injured in the fire at the Dorn sawmill.",
        "Several people were injured in the fire at the Dorn sawmill.",
    ),
    (
        "Exports climbed 7.1 percent, while imports dipped 2.4 percent.",
        "Exports dipped 7.1 percent while imports climbed 2.4 percent.",
    ),
    (
        "The museum lies two kilometres west of the old harbour.",
        "The museum is two kilometres east of the old harbour.",
    ),
    (
        "The vaccine was less effective in adults over 65 than in younger people.",
        "In adults over 65 the vaccine was more effective than in younger people.",
    ),
    ("The road will open before the end of June.", "The road is to open after the end of June."),
    ("Ridership has not recovered to the level of 2019.", "Ridership has recovered to the level of 2019."),
    (
        "The firm denied that it had dumped waste in the river Alme.",
        "The firm admitted that it had dumped waste in the river Alme.",
    ),
    ("Unlike its rival, Castor pays no dividend this year.", "Castor pays a dividend this year."),
    ("The minister has ruled out a tax on sugar.", "The minister plans a tax on sugar."),
    (
        "Profit rose for the third quarter in a row, to 48 million euros.",
        "Profit declined for the third quarter in a row, to 48 million euros.",
    ),
    (
        "The glacier lost 12 metres of thickness between 2000 and 2020.",
        "Between 2000 and 2020 the glacier gained 12 metres of thickness.",
    ),
    (
        "The gap between rich and poor districts narrowed to 9 points.",
        "The gap between rich and poor districts widened to 9 points.",
    ),
    (
        "The tunnel was finished eight months ahead of schedule.",
        "The tunnel was finished eight months behind schedule.",
    ),
    ("The union called off the strike on 4 May.", "The union went ahead with the strike on 4 May."),
    ("市議會沒有通過票價調漲案。", "市議會通過了票價調漲案。"),
    ("該廠去年產量增加8%，用水量卻減少3%。", "該廠去年產量減少8%，用水量卻增加3%。"),
    ("火災未造成人員傷亡。", "火災造成人員傷亡。"),
    ("新站位於舊站以北約600公尺。", "新站位於舊站以南約600公尺。"),
    ("失業率低於全國平均。", "失業率高於全國平均。"),
    ("這種藥對兒童無效。", "這種藥對兒童有效。"),
    ("公司否認將關閉桃源廠。", "公司證實將關閉桃源廠。"),
    ("工程比原訂時間提前三個月完成。", "工程比原訂時間延後三個月完成。"),
    ("法院认定被告没有侵权，驳回原告全部诉讼请求。", "法院认定被告侵权，支持原告全部诉讼请求。"),
    ("该省今年不再发放购车补贴。", "该省今年继续发放购车补贴。"),
    ("研究没有发现咖啡与失眠有关。", "研究发现咖啡与失眠有关。"),
    ("降幅由上月的4%扩大到6%。", "降幅由上月的4%收窄到6%。"),
    ("两地差距缩小到5个百分点。", "两地差距拉大到5个百分点。"),
    ("他反对修建第二条跑道。", "他支持修建第二条跑道。"),
]


def verdict(source: str, claim: str) -> str:
    beside = " The weather was mild that week." if source.isascii() else "當週天氣溫和。"
    item = Item(url="https://a.test/1", name="", site="", siteUrl="", description=source + beside)
    return check_claim(claim, [item]).verdict


@pytest.mark.parametrize(("source", "claim"), SAME)
def test_the_same_in_other_words_is_no_contradiction(source: str, claim: str) -> None:
    assert verdict(source, claim) not in FAILED


@pytest.mark.parametrize(("source", "claim"), CONTRARY)
def test_the_contrary_is_seen(source: str, claim: str) -> None:
    assert verdict(source, claim) == "contradicted"


def test_two_reports_bear_out_one_sentence() -> None:
    items = [
        Item(
            url="https://a.test/1",
            name="",
            site="",
            siteUrl="",
            description="Halver earned 12 million kroner in May. Its stock is in Oslo.",
        ),
        Item(
            url="https://a.test/2",
            name="",
            site="",
            siteUrl="",
            description="Brandt lost 7 million kroner in May. Its stock is in Bergen.",
        ),
    ]
    assert (
        check_claim("In May Halver earned 12 million kroner, whereas Brandt lost 7 million.", items).verdict
        == "supported"
    )
    assert (
        check_claim("In May Brandt earned 12 million kroner, whereas Halver lost 7 million.", items).verdict
        in FAILED
    )
