"""Tables of goals and engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.labelled_goals import TableInvalid
from evals.routing.__main__ import main
from evals.routing.table import ENGINE_BY_NAME, RoutedGoal, engine_named, read_routed_goals
from nodes.collective.engines import ENGINES, Engine

QUESTIONS = Path(__file__).parents[3] / "evals" / "questions"
GOALS = st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1).map(lambda text: f"a {text}")


def table(path: Path, text: str) -> list[RoutedGoal]:
    file = path / "goals.tsv"
    file.write_bytes(text.encode())
    return read_routed_goals(file)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@given(
    rows=st.lists(st.tuples(st.sampled_from(ENGINES), GOALS), min_size=1, max_size=5),
    header=st.booleans(),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
    mark=st.booleans(),
    quoted=st.booleans(),
)
def test_however_it_is_written_the_rows_are_the_same(
    place: Path, rows: list[tuple[Engine, str]], header: bool, end: str, mark: bool, quoted: bool
) -> None:
    def cell(text: str) -> str:
        doubled = text.replace('"', '""')
        return f'"{doubled}"' if quoted else text

    lines = [f"{number}\t{cell(engine)}\t{cell(goal)}" for number, (engine, goal) in enumerate(rows)]
    lines = ["id\tengine\tgoal", *lines] if header else lines
    read = table(place, ("\ufeff" if mark else "") + end.join(lines) + end)
    assert [(row.engine, row.goal) for row in read] == rows


def test_a_header_may_order_the_columns_anew_and_name_others(place: Path) -> None:
    assert table(place, "Note\tGoal\tEngine\tID\nx\tcount\tv30\t7\n") == [
        RoutedGoal("7", "reflective", "count")
    ]


def test_a_goal_keeps_its_tabs_and_its_inner_quotes(place: Path) -> None:
    assert table(place, '1\tthink\tis "a\tb" c?\n')[0].goal == 'is "a\tb" c?'


@pytest.mark.parametrize("name", sorted(ENGINE_BY_NAME))
def test_names_count_in_any_case(name: str) -> None:
    assert engine_named(name.upper()) == engine_named(f" {name.title()} ") == ENGINE_BY_NAME[name]


@pytest.mark.parametrize(
    ("cell", "engine"),
    [
        ("ReasoningLoop / v30", "reflective"),
        ("Interpreter-Tutor", "tutor"),
        ("graph_v30", "reflective"),
        ("deep-research", "research"),
        ("Contractive Reasoner", "contractive"),
        ("v30 / tutor", None),
        ("oracle", None),
        ("", None),
    ],
)
def test_other_names_of_the_engines(cell: str, engine: str | None) -> None:
    assert engine_named(cell) == engine


def test_all_unknown_engines_are_told_with_their_lines(place: Path) -> None:
    with pytest.raises(TableInvalid, match=r"'oracle' \(line 2\), 'magic' \(line 4\)"):
        table(place, "id\tengine\tgoal\n1\toracle\ta\n2\tv30\tb\n3\tmagic\tc\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no row"),
        ("id\tengine\tgoal\n", "no row"),
        ("1\tv30\n", "2 fields"),
        ("1\tv30\t  \n", "the goal is empty"),
        ("1\tv30\ta\n1\tv30\tb\n", "twice"),
    ],
)
def test_what_is_no_table_is_told(place: Path, text: str, told: str) -> None:
    with pytest.raises(TableInvalid, match=told):
        table(place, text)


def test_bytes_that_are_no_text_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    (tmp_path / "bytes.tsv").write_bytes(b"1\tv30\t\xff\n")
    for name in ("bytes.tsv", "missing.tsv"):
        with pytest.raises(TableInvalid, match=name):
            read_routed_goals(tmp_path / name)


def test_the_command_tells_a_bad_table_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.tsv").write_text("1\toracle\twhy\n")
    assert main([str(tmp_path / "bad.tsv")]) == 2
    assert "oracle" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["routing_tuned", "routing_tuned_2", "routing_held_out", "routing_held_out_2"]
)
def test_the_shipped_tables_hold_every_engine_and_no_goal_of_another(name: str) -> None:
    rows = read_routed_goals(QUESTIONS / f"{name}.tsv")
    assert {row.engine for row in rows} == set(ENGINES) and len(rows) >= 100
    others = {
        row.goal.casefold()
        for path in QUESTIONS.glob("routing_*.tsv")
        if path.stem != name
        for row in read_routed_goals(path)
    }
    assert not {row.goal.casefold() for row in rows} & others
