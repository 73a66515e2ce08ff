import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import UsageError
from tools.search.items import Item, read_items


def written(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return path


def test_an_address_completes_what_is_missing() -> None:
    item = Item.model_validate({"url": "https://www.cna.com.tw/news/%E5%8F%B0%E7%81%A3", "description": "文"})
    assert (item.name, item.site, item.siteUrl) == ("台灣", "www.cna.com.tw", "https://www.cna.com.tw")
    assert item.dump()["@type"] == "Item"
    assert item.date is None


def test_metadata_may_be_json_text_as_nlweb_stores_it() -> None:
    item = Item.model_validate({"url": "u", "schema_object": '[{"datePublished": "2024-05-01"}]'})
    assert item.date == "2024-05-01"


def test_bad_lines_are_told_with_their_numbers_and_the_rest_is_read(tmp_path: Path) -> None:
    good = json.dumps({"url": "https://a.example/1", "description": "一"}, ensure_ascii=False)
    lines: list[str | bytes] = [
        good,
        "",
        "{",
        '{"name": "no address"}',
        b'{"url": "\xa4\xa4"}',
        "[1]",
        '{"url": "u", "score": 900}',
    ]
    items, problems = read_items(written(tmp_path / "items.jsonl", *lines))
    assert [item.description for item in items] == ["一"]
    assert [problem.split(": ")[0].rsplit(":")[-1] for problem in problems] == ["3", "4", "5", "6", "7"]
    assert "url" in problems[1] and "UTF-8" in problems[2] and "score" in problems[4]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_one_list_of_items_is_read_like_lines(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "items.json"
    path.write_text(json.dumps([{"url": "a"}, {"no": 1}], indent=1), encoding)
    items, problems = read_items(path)
    assert [item.url for item in items] == ["a"]
    assert len(problems) == 1 and "item 2" in problems[0]


def test_a_file_that_is_not_there_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_items(tmp_path / "none.jsonl")


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.dictionaries(st.text(), st.integers(), max_size=3),
)
@settings(max_examples=40)
def test_an_item_survives_its_own_json(text: str, metadata: dict[str, Any]) -> None:
    item = Item(url="u", description=text, schema_object=metadata)
    assert Item.model_validate(json.loads(json.dumps(item.dump()))) == item
    assert item.digest == hashlib.sha256(text.encode()).hexdigest()


def test_half_an_escape_is_no_character() -> None:
    assert (
        Item.model_validate(json.loads('{"url": "u", "description": "a\\ud800b"}')).description == "a\ufffdb"
    )
