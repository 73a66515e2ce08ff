import pytest

from tools.search.copies import COPIES, with_copies
from tools.search.items import Item

REPORT = (
    "The port authority of Harbourton said on Monday that 1,204 ships called at its terminals last year, "
    "nine percent more than the year before. Most of them carried timber and grain to markets in the south. "
    "A new quay will be finished in 2026, the authority said, and two more cranes have been ordered."
)
CHINESE = (
    "經濟部今天公布第三季外銷訂單統計，金額為1475億美元，較去年同期增加5.2%。統計處長表示，主要動能來自人工智慧"
    "伺服器需求，預期第四季仍將維持成長，但國際情勢仍有不確定性，廠商備貨趨於保守。"
)


def items(*texts: str) -> list[Item]:
    return [Item.model_validate({"url": f"u:{n}", "description": text}) for n, text in enumerate(texts)]


def copies(*texts: str) -> list[list[str]]:
    return [item.schema_object.get(COPIES, []) for item in with_copies(items(*texts))]


@pytest.mark.parametrize("text", [REPORT, CHINESE])
def test_a_syndicated_copy_with_a_line_of_its_own_is_found_from_both_sides(text: str) -> None:
    assert copies(text, "Reprinted with permission.\n" + text, "Something else. " * 20) == [
        ["u:1"],
        ["u:0"],
        [],
    ]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (REPORT, "1,204", "1,240"),
        (CHINESE, "1475", "1574"),
        (CHINESE, "5.2%", "8.2%"),
        (REPORT, "2026", "2027"),
    ],
)
def test_a_version_with_another_figure_is_no_copy(text: str, before: str, after: str) -> None:
    assert copies(text, text.replace(before, after)) == [[], []]


def test_the_same_thing_said_in_other_words_is_no_copy() -> None:
    other = (
        "Last year 1,204 ships came to Harbourton, up nine percent, its port authority reported on Monday."
    )
    assert copies(REPORT, other) == [[], []]


def test_an_excerpt_of_several_sentences_is_a_copy() -> None:
    assert copies(REPORT, REPORT[: REPORT.index(" A new quay")]) == [["u:1"], ["u:0"]]


def test_an_item_cannot_call_another_its_copy() -> None:
    one, other = items("It was 9.", "It was 4.")
    forged = one.model_copy(update={"schema_object": {COPIES: [other.url], "x": 1}})
    assert [item.schema_object for item in with_copies([forged, other])] == [{"x": 1}, {}]


def test_short_texts_are_copies_only_when_they_are_equal() -> None:
    assert copies("Yes.", "Yes.", "Yes, we can.") == [["u:1"], ["u:0"], []]
