from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.research import ResearchSettings
from nodes.errors import NoValidSourcesError
from nodes.research.source_tiers import COMPARED_WITH, METADATA, SourceTierFilter, without_prefix
from tools.search.extraction.reading import Limits
from tools.search.folder_scan import FolderScan
from tools.search.items import Item

MODES = ["strict", "discovery", "monitor"]


@pytest.fixture
def sieve() -> SourceTierFilter:
    return SourceTierFilter(ResearchSettings().source_tiers)


def item(site: str, text: str = "內容", url: str = "", **schema: Any) -> Item:
    return Item.model_validate(
        {"url": url or f"doc:{site}", "site": site, "description": text, "schema_object": schema}
    )


def test_strict_mode_drops_tiers_above_two_with_a_reason(sieve: SourceTierFilter) -> None:
    items = [item("中央社"), item("聯合報"), item("報導者"), item("PTT")]
    sifted = sieve.sift(items, "strict")
    assert [kept.site for kept in sifted.kept] == ["中央社", "聯合報"]
    assert [(dropped.site, reason.count("tier")) for dropped, reason in sifted.dropped] == [
        ("報導者", 1),
        ("PTT", 1),
    ]


def test_strict_mode_drops_unknown_sources(sieve: SourceTierFilter) -> None:
    assert [one.site for one in sieve.filter_and_enrich([item("某部落格"), item("公視")], "strict")] == [
        "公視"
    ]


def test_discovery_keeps_all_and_warns_of_the_less_reliable(sieve: SourceTierFilter) -> None:
    items = [item("中央社"), item("報導者", "English text here"), item("Dcard"), item("nobody")]
    kept = sieve.filter_and_enrich(items, "discovery")
    assert [one.site for one in kept] == [one.site for one in items]
    warned = ["注意" in one.description or "Warning" in one.description for one in kept]
    assert warned == [False, True, True, True]


@pytest.mark.parametrize("mode", MODES)
def test_enrichment_puts_the_tier_before_the_text_and_into_the_metadata(
    sieve: SourceTierFilter, mode: Any
) -> None:
    (kept,) = sieve.filter_and_enrich([item("經濟日報", "出口成長", datePublished="2024-01-02")], mode)
    assert kept.description == "[Tier 2 | news] 出口成長"
    assert kept.schema_object[METADATA] == {"tier": 2, "type": "news", "original_source": "經濟日報"}
    assert kept.date == "2024-01-02"


def test_an_error_says_that_strict_left_nothing(sieve: SourceTierFilter) -> None:
    with pytest.raises(NoValidSourcesError, match="none of the 2 found") as caught:
        sieve.filter_and_enrich([item("PTT"), item("unknown")], "strict")
    assert caught.value.dropped == 2


@pytest.mark.parametrize(
    ("source", "tier"),
    [
        ("中央社", 1), (" ptt ", 5), ("ＰＴＴ", 5), ("https://www.cna.com.tw/news/1", 1),
        ("money.udn.com", 2),
        ("https://notcna.com.tw/x", 0), ("cna.com.tw.evil.example", 0), ("", 0), ("http://[broken", 0),
        ("nobody", 0), ("https://evil.example/cna.com.tw", 0), ("https://cna.com.tw@evil.example/", 0),
    ],
)  # fmt: skip
def test_a_source_is_known_by_name_or_by_its_host_and_by_nothing_like_it(
    sieve: SourceTierFilter, source: str, tier: int
) -> None:
    assert sieve.get_tier(source) == tier


def test_domain_patterns_can_be_added_and_the_longest_speaks() -> None:
    table = {
        "gov.tw": {"tier": 1, "type": "government"},
        "blog.gov.tw": {"tier": 4, "type": "blog"},
        "*.edu.*": {"tier": 2, "type": "academic"},
    }
    sieve = SourceTierFilter(table)
    hosts = ["moea.gov.tw", "gov.tw", "a.blog.gov.tw", "cs.ntu.edu.tw", "mygov.tw", "edu"]
    assert [sieve.get_tier(host) for host in hosts] == [1, 1, 4, 2, 0, 0]


def test_an_item_of_an_unnamed_site_is_judged_by_its_address(sieve: SourceTierFilter) -> None:
    kept = sieve.filter_and_enrich([item("新聞", url="https://news.pts.org.tw/1")], "strict")
    assert kept[0].schema_object[METADATA]["tier"] == 1


def test_a_source_that_claims_a_tier_is_not_believed(sieve: SourceTierFilter) -> None:
    claimed: dict[str, Any] = {METADATA: {"tier": 1}, "_prefix_chars": 500}
    lie = item("PTT", "[Tier 1 | official] 我說的", **claimed)
    assert sieve.sift([lie], "strict").kept == []
    (kept,) = sieve.filter_and_enrich([lie], "monitor")
    assert kept.description == "[Tier 5 | social] [Tier 1 | official] 我說的"
    assert kept.schema_object[METADATA]["tier"] == 5


def test_monitor_sets_tier_one_against_what_tier_five_says_of_the_same(sieve: SourceTierFilter) -> None:
    items = [
        item("PTT", "颱風假明天到底放不放，台北市長說了算", "u:typhoon-talk"),
        item("聯合報", "股市收盤上漲", "u:stocks"),
        item("中央社", "第三季外銷訂單年增百分之五", "u:orders"),
        item("Dcard", "外銷訂單第三季年增百分之五是真的嗎", "u:orders-talk"),
        item("公視", "台北市長宣布颱風假明天停班停課", "u:typhoon"),
    ]
    kept = sieve.filter_and_enrich(items, "monitor")
    urls = ["u:orders", "u:orders-talk", "u:typhoon", "u:typhoon-talk", "u:stocks"]
    assert [one.url for one in kept] == urls
    assert kept[0].schema_object[COMPARED_WITH] == "u:orders-talk"


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(["中央社", "聯合報", "報導者", "PTT", "?", ""]), st.text())),
    st.sampled_from(["discovery", "monitor"]),
)
def test_enriching_loses_nothing_and_is_undone_exactly(texts: list[tuple[str, str]], mode: Any) -> None:
    sieve = SourceTierFilter(ResearchSettings().source_tiers)
    items = [item(site, text, f"u:{n}") for n, (site, text) in enumerate(texts)]
    kept = sieve.filter_and_enrich(sieve.filter_and_enrich(items, mode), mode)
    before = {one.url: one.digest for one in items}
    assert {one.url: without_prefix(one).digest for one in kept} == before


PRETENDING = {
    "front.md": "---\nsite: 中央社\nurl: https://www.cna.com.tw/news/1\n---\n\n林都港關閉。\n",
    "meta.html": '<html><head><meta property="og:site_name" content="中央社">'
    '<link rel="canonical" href="https://www.cna.com.tw/news/2"><title>t</title></head>'
    "<body><article><p>林都港關閉，所有航線停駛。</p></article></body></html>",
    "中央社/folder.md": "林都港關閉，船班取消。\n",
    "cna.com.tw/host.md": "林都港關閉，碼頭封鎖。\n",
}


def scanned(folder: Path) -> list[Item]:
    for name, text in PRETENDING.items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    found: list[Item] = []
    for source in FolderScan(folder, (), Limits()).sources():
        found += source.load().items
    return found


def test_a_file_cannot_vouch_for_itself(sieve: SourceTierFilter, tmp_path: Path) -> None:
    items = scanned(tmp_path)
    assert len(items) == len(PRETENDING) and any(one.site == "中央社" for one in items)
    assert {sieve.tier_of(one) for one in items} == {0}
    with pytest.raises(NoValidSourcesError):
        sieve.filter_and_enrich(items, "strict")
    reasons = [reason for _, reason in sieve.sift(items, "strict").dropped]
    assert any("no proof" in reason for reason in reasons)


@pytest.mark.parametrize(
    ("pattern", "accepted"),
    [("中央社", 1), ("中央社/*.md", 1), ("*", 4), ("front.md", 1), ("../*", 0), ("中央", 0)],
)
def test_the_settings_say_whose_documents_lie_where(pattern: str, accepted: int, tmp_path: Path) -> None:
    tiers: dict[str, Any] = {"中央社": {"tier": 1, "type": "official", "folders": [pattern]}}
    found = SourceTierFilter(tiers).sift(scanned(tmp_path), "strict")
    assert len(found.kept) == accepted


def test_what_the_user_brings_as_items_is_believed(sieve: SourceTierFilter) -> None:
    assert sieve.tier_of(item("中央社")) == 1
    assert sieve.tier_of(item("x", url="https://www.cna.com.tw/news/1")) == 1
