import pytest

from nodes.research.answer_kinds import answers
from nodes.research.checking.folding import fold
from nodes.research.facets import facets


@pytest.mark.parametrize(
    ("query", "text", "answered"),
    [
        (
            "What were the net sales of Ostra Works in 2025?",
            "Ostra Works spent 24.6% of its sales on research.",
            False,
        ),
        ("What were the net sales of Ostra Works in 2025?", "Ostra Works had net sales of €4 million.", True),
        ("How many turbines does Lindow Park have?", "With the last turbine it has 545 megawatts.", False),
        ("How many turbines does Lindow Park have?", "Lindow Park has 40 turbines.", True),
        ("How many kilometres did the van go?", "The van went 40 km.", True),
        ("How many kilometres did the van go?", "The van carried 40 people.", False),
        ("What share of voters stayed home?", "40,000 voters stayed home.", False),
        ("What share of voters stayed home?", "40 percent of voters stayed home.", True),
        ("When did the museum open?", "The museum opened on 4 May 2021.", True),
        ("When did the museum open?", "The museum opened with 40 guests.", False),
        ("新浦儲能2020年營收多少？", "新浦儲能2020年研發支出占營收1.2%。", False),
        ("新浦儲能2020年營收多少？", "新浦儲能2020年營收為3億元。", True),
        ("亮水風場有幾支風機？", "亮水風場有40支風機。", True),
        ("亮水風場有幾支風機？", "亮水風場裝置容量為40MW。", False),
        ("海曦航運有幾艘船？", "海曦航運全年載客88萬人次。", False),
        ("碼頭何時啟用？", "碼頭於1987年啟用。", True),
        ("Who runs the library?", "Maria runs the library.", True),
    ],
)
def test_only_the_kind_that_is_wanted_answers(query: str, text: str, answered: bool) -> None:
    (facet,) = facets(query)
    assert (answers(facet.kind, fold(text)) is not None) is answered


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (
            "Did the Lindow Trial see deaths, and by how much did the Lindow Trial cut costs?",
            ["Lindow Trial"] * 2,
        ),
        ("維斯特島睡眠試驗收了多少受試者？", ["維斯特島睡眠試驗"]),
        ("2022年泰恆積雪觀測所測得冰舌退縮多少？", ["泰恆積雪觀測所測得冰舌退縮"]),
        ("錦沙濕地保護區可以捕魚嗎？", ["錦沙濕地保護區"]),
    ],
)
def test_each_part_of_a_question_has_its_name(query: str, names: list[str]) -> None:
    assert [facet.shown for facet in facets(query)] == names
