import pytest
from pydantic import ValidationError

from configs.errors import SettingsError
from configs.research import ResearchSettings, SourceTier
from configs.settings import Settings
from tests.configs.places import Places


def test_the_shipped_values_are_those_of_the_document_it_grew_from() -> None:
    research = Settings().research
    assert research.enabled
    assert (research.max_iterations, research.analyst_timeout) == (3, 60)
    assert (research.critic_timeout, research.writer_timeout) == (30, 45)
    tiers = {name: (entry["tier"], entry["type"]) for name, entry in research.source_tiers.items()}
    assert tiers == {
        "中央社": (1, "official"), "公視": (1, "official"), "行政院": (1, "government"),
        "聯合報": (2, "news"), "經濟日報": (2, "news"), "自由時報": (2, "news"),
        "報導者": (3, "digital"), "關鍵評論網": (3, "digital"), "PTT": (5, "social"), "Dcard": (5, "social"),
    }  # fmt: skip
    modes = research.mode_configs
    assert (modes.strict.max_tier, modes.discovery.max_tier, modes.monitor.compare_tiers) == (2, 5, (1, 5))


def test_a_source_of_ones_own_is_laid_over_the_table(places: Places) -> None:
    mine = {"gov.tw": {"tier": 1, "type": "government"}, "PTT": {"tier": 4, "type": "forum"}}
    places.write_project({"research": {"source_tiers": mine}})
    tiers = places.load().settings.research.source_tiers
    assert (tiers["gov.tw"]["tier"], tiers["PTT"]["tier"], tiers["中央社"]["tier"]) == (1, 4, 1)
    assert places.load().origins["research.source_tiers"].startswith("file ")


@pytest.mark.parametrize(
    "entry", [{"tier": 9, "type": "x"}, {"tier": 1}, {"tier": True, "type": "x"}, "high"]
)
def test_a_source_without_a_proper_tier_is_refused_with_its_place(places: Places, entry: object) -> None:
    places.write_project({"research": {"source_tiers": {"x": entry}}})
    with pytest.raises(
        SettingsError, match=r"research\.source_tiers.*NAME: \{tier, type, domains, folders\}"
    ):
        places.load()


def test_one_value_of_a_mode_leaves_the_others(places: Places) -> None:
    places.write_project({"research": {"mode_configs": {"strict": {"max_tier": 1}}}})
    modes = places.load().settings.research.mode_configs
    assert (modes.strict.max_tier, modes.monitor.compare_tiers) == (1, (1, 5))


def test_settings_cannot_be_changed_by_what_was_read_from_them() -> None:
    ResearchSettings().source_tiers["mine"] = SourceTier(tier=1, type="x")
    assert "mine" not in ResearchSettings().source_tiers
    with pytest.raises(ValidationError):
        ResearchSettings().enabled = False  # type: ignore[misc]  # frozen is what is tested
