import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.research.report_text import heading
from nodes.research.retrieve import read_given
from tests.nodes.research.corpus import GOOD_SENTENCE, researched
from tools.search.extraction.document import Unreadable
from tools.search.extraction.reading import Limits, read_document
from tools.search.items import Item
from tools.search.own_reports import is_own_report, is_report_item, without_reports


@pytest.mark.parametrize(
    "query", ["How much cargo did Lindow harbour handle in 2023?", "林德港2023年的貨物吞吐量？"]
)
async def test_no_report_is_a_source_of_another_however_it_was_saved(tmp_path: Path, query: str) -> None:
    state = await researched(tmp_path, "own", query=query)
    (item,) = state.result
    saved = {
        "report.md": item["description"],
        "plain.txt": item["description"],
        "front.md": f"---\ntitle: x\n---\n\n{item['description']}",
        "noted.md": f"My notes\n\n{item['description']}",
        "items.md": json.dumps(item, ensure_ascii=False) + "\n",
        "list.txt": json.dumps([item], indent=2),
    }
    for name, text in saved.items():
        path = tmp_path / name
        path.write_text(text, "utf-8")
        with pytest.raises(Unreadable, match="report of deep research"):
            read_document(path, Limits())
    kept, problems = read_given([item, {"url": "a", "description": "text"}])
    assert [one.url for one in kept] == ["a"] and any("left out: 1" in problem for problem in problems)


@pytest.mark.parametrize(
    "text",
    [
        "# Deep research\n\nHow reports are made.",
        "We read the deep research report: it was long.",
        '{"@type": "Report", "name": "x"}',
        "## 深度研究\n\n內容。",
        GOOD_SENTENCE,
        "",
    ],
)
def test_what_only_speaks_of_reports_is_a_document(text: str) -> None:
    assert not is_own_report(text)
    assert not is_report_item(Item(url="a", description=text))


@given(st.text(max_size=400), st.text(max_size=100))
def test_every_heading_of_a_report_is_known(query: str, rest: str) -> None:
    # Titles end in a blank that an empty query loses.
    assert is_own_report(f"# {heading(query)}\n\n{rest}")


def test_items_that_are_no_reports_stay_in_order() -> None:
    items = [Item(url=str(number), description="text") for number in range(5)]
    report = Item(url="r", description="text", schema_object={"@type": "NoDataReport"})
    assert without_reports([*items[:2], report, *items[2:]])[0] == items
    assert without_reports(items) == (items, [])
