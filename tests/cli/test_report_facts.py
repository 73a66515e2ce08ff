"""Without reports the items are anybody's: what they say of themselves decides nothing and breaks nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from cli.report_facts import FORM, KINDS, report_facts
from cli.research_page import page_of
from tests.nodes.research.corpus import OFFICIAL, QUERY, item

SCALARS = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=8), st.booleans())
NAMES = st.sampled_from(["start", "end", "spans", "stances", "copies", "url", "tier", "text"])
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
FACTS = st.dictionaries(st.sampled_from([*FORM, "confidence", "mode"]), ANYTHING, max_size=4)


@given(FACTS, st.sampled_from([*KINDS, "Article", 5, None, ["ResearchReport"]]))
def test_any_schema_object_makes_a_page(facts: dict[str, Any], kind: object) -> None:
    given_item = {"name": "n", "description": "Cargo rose [1].", "schema_object": {**facts, "@type": kind}}
    assert "Cargo rose" in page_of(given_item)
    if kind not in KINDS:
        assert report_facts(given_item) == {}


def test_what_has_the_form_is_kept() -> None:
    facts = {
        "@type": "ResearchReport",
        "mode": "strict",
        "sentences": [{"start": 1, "spans": [{"url": "a"}]}, 5],
    }
    assert report_facts({"schema_object": facts})["sentences"] == [{"start": 1, "spans": [{"url": "a"}]}]
    assert report_facts({"schema_object": 5}) == {} == report_facts({})


@pytest.mark.parametrize(
    "facts", [{"@type": "Dataset", "sources": 5, "notes": 7}, {"@type": 5, "confidence": []}]
)
def test_a_document_does_not_decide_the_exit_code_of_a_plain_search(
    tmp_path: Path, facts: dict[str, Any]
) -> None:
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect/config.yaml").write_text("research:\n  enabled: false\n", "utf-8")
    found = item("https://a.example/1", "行政院", OFFICIAL) | {"schema_object": facts}
    (tmp_path / "in.jsonl").write_text(json.dumps(found) + "\n", "utf-8")
    words = ["--sources", str(tmp_path / "in.jsonl"), "--html", str(tmp_path / "page.html")]
    assert main(["research", QUERY, *words, "--root", str(tmp_path), "--model", "embedded"]) == 0
    assert "4.2 million tonnes" in (tmp_path / "page.html").read_text("utf-8")
