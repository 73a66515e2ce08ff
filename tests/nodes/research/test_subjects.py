import pytest

from nodes.research.checking.folding import fold
from nodes.research.lines import lines_of
from nodes.research.subjects import About, about, subjects


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("Lindow Animal Shelter", "Lindow Animal Shelter took in 300 dogs.", About.HELD),
        ("Lindow Animal Shelter", "Torvik Animal Shelter took in 300 dogs.", About.RIVAL),
        ("Lindow Animal Shelter", "The shelter took in 300 dogs.", About.NEUTRAL),
        ("Acme Corp", "Beta Group sold 300 cars.", About.RIVAL),
        ("觀瀾動物收容所", "托維克動物收容所收容300隻動物。", About.RIVAL),
        ("觀瀾動物收容所", "該收容所收容300隻動物。", About.NEUTRAL),
        ("觀瀾動物收容所", "觀瀾動物收容所收容300隻動物。", About.HELD),
        ("國泰人壽", "國泰金控去年獲利300億元。", About.NEUTRAL),
        ("台灣大學醫院", "台灣大學有300名教授。", About.NEUTRAL),
        ("泰恆捷運路網", "泰恆捷運的路網全長78公里。", About.HELD),
    ],
)
def test_whom_a_line_is_about(name: str, text: str, told: About) -> None:
    assert about(fold(name), fold(text)) is told


def test_a_line_that_names_nobody_is_about_the_last_who_was_named() -> None:
    text = (
        "Lindow Zoo is old. It keeps 9 lions. Torvik Zoo is new. It keeps 12. Lindow Zoo is cheap. It is big."
    )
    found = subjects("Lindow Zoo", "Two zoos", lines_of(text))
    assert [current for _, current in found] == [True, True, False, False, True, True]


def test_the_title_tells_until_another_is_named() -> None:
    text = "It keeps 9 lions.\n\n## Torvik Zoo\n\nIt keeps 12 lions.\n\n## Prices\n\nChildren pay 3 euros."
    found = subjects("Lindow Zoo", "Lindow Zoo: key data", lines_of(text))
    assert [current for _, current in found] == [True, False, True]
