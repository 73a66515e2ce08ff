"""Duplicates: repeats against brute force; clones of type 1 and 2 found, tables and boilerplate not."""

from textwrap import indent

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tools.audit.duplication import duplicates
from tools.audit.file_facts import FileFacts
from tools.audit.python_scan import scan_python
from tools.audit.reading import Text
from tools.audit.repeats import repeats, suffix_array
from tools.audit.report import Duplicate
from tools.audit.units import Units

SEQUENCES = st.lists(st.integers(0, 2), max_size=24)
FUNCTION = """\
def load(path, limit=10):
    total = 0
    rows = []
    with open(path) as stream:
        for number, line in enumerate(stream):
            if number > limit or not line.strip():
                continue
            fields = line.split(",")
            total += len(fields)
            rows.append([field.lower() for field in fields if field])
    if not rows:
        raise ValueError(f"nothing in {path}")
    return total, sorted(rows, key=len)
"""
RENAMED = """\
def fetch(place, most=99):
    # The same with other names, numbers, layout and comments.
    sum_ = 1

    lines = []
    with open(place) as source:
        for index, text in enumerate(
            source,
        ):
            if index > most or not text.strip():
                continue
            parts = text.split(";")
            sum_ += len(parts)
            lines.append([
                part.lower() for part in parts if part
            ])
    if not lines:
        raise ValueError(f"no {place}")
    return sum_, sorted(lines, key=len)
"""


def found(least: int = 60, **files: str) -> tuple[Duplicate, ...]:
    units: dict[str, Units] = {}
    for name, text in files.items():
        facts: FileFacts = scan_python(name, Text(text, "utf-8"))
        assert facts.units is not None
        units[name] = facts.units
    return duplicates(units, least)[0]


def places(duplicate: Duplicate) -> list[tuple[str, int, int]]:
    return [(place.file, place.line, place.end_line) for place in duplicate.places]


def maximal(sequence: list[int]) -> set[tuple[int, tuple[int, ...]]]:
    """Passages that stand in several places and lose one when made longer, by trying all."""
    by_passage: dict[tuple[int, ...], list[int]] = {}
    for start in range(len(sequence)):
        for end in range(start + 1, len(sequence) + 1):
            by_passage.setdefault(tuple(sequence[start:end]), []).append(start)
    found = set()
    for passage, starts in by_passage.items():
        before = {sequence[start - 1] if start else -1 for start in starts}
        behind = {(*sequence, -1)[start + len(passage)] for start in starts}
        if len(starts) > 1 and len(before) > 1 and len(behind) > 1:
            found.add((len(passage), tuple(starts)))
    return found


@given(SEQUENCES)
def test_repeats_are_those_that_trying_all_finds(sequence: list[int]) -> None:
    numbers = np.array(sequence, np.int64)
    all_of = {
        (one.length, tuple(one.starts.tolist())) for one in repeats(numbers, np.ones(len(sequence), np.int64))
    }
    assert all_of == maximal(sequence)


@given(SEQUENCES.filter(bool))
def test_a_suffix_array_is_the_order_of_the_suffixes(sequence: list[int]) -> None:
    order = suffix_array(np.array(sequence, np.int64)).tolist()
    assert order == sorted(range(len(sequence)), key=lambda start: sequence[start:])


def test_renamed_and_laid_out_again_it_is_still_a_duplicate() -> None:
    [one] = found(a=f"import os\n{FUNCTION}", b=f"{RENAMED}\nx = 1\n")
    assert places(one) == [("a", 2, 14), ("b", 1, 19)]
    assert one.lines == 13 and one.tokens >= 100


def test_three_copies_are_one_duplicate() -> None:
    [one] = found(a=FUNCTION, b=RENAMED, c=f"if x:\n{indent(FUNCTION, '    ')}")
    assert [place.file for place in one.places] == ["a", "b", "c"]


def test_copies_in_one_file_are_found() -> None:
    [one] = found(a=f"{FUNCTION}\nx = f(1)\n\n{RENAMED}")
    assert places(one) == [("a", 1, 13), ("a", 17, 35)]


def test_below_the_least_tokens_nothing_is_a_duplicate() -> None:
    [one] = found(a=FUNCTION, b=FUNCTION)
    assert found(one.tokens, a=FUNCTION, b=FUNCTION) == (one,)
    assert found(one.tokens + 1, a=FUNCTION, b=FUNCTION) == ()


def test_a_change_in_the_middle_leaves_two_duplicates() -> None:
    changed = FUNCTION.replace("    if not rows:\n", "    if rows is None:\n")
    assert [one.lines for one in found(15, a=FUNCTION, b=changed)] == [10, 2]


def test_imports_and_docstrings_are_none() -> None:
    text = "\n".join(f"from package.module{number} import name{number}, other" for number in range(60))
    assert found(a=text, b=text) == ()
    text = "\n".join(f'def f{number}():\n    """{"word " * 200}"""' for number in range(3))
    assert found(a=text, b=text) == ()


def table(first: int) -> str:
    rows = "\n".join(
        f'ROWS["key{number}"] = ("value{number}", {number}, "x", "y")' for number in range(first, first + 40)
    )
    return f"{rows}\n"


def test_tables_of_other_values_are_none_and_the_same_table_is_one() -> None:
    assert found(a=table(0), b=table(100)) == ()
    [one] = found(a=table(0), b=table(0))
    assert places(one) == [("a", 1, 40), ("b", 1, 40)]


def test_alike_assignments_are_none() -> None:
    def text(names: str) -> str:
        return "\n".join(f"self.{name} = check({name}, {name}_type)" for name in names.split()) + "\n"

    assert found(a=text("a b c d e f g h i j"), b=text("k l m n o p q r s t")) == ()


def test_long_runs_of_one_line_take_no_time_and_are_none() -> None:
    assert found(a="x = f(x)\n" * 3_000, b="y = 1\nz.w(2)\nv = z\n" * 1_000) == ()


def test_functions_behind_a_long_run_are_still_found() -> None:
    run = "x = f(x)\n" * 500
    [one] = found(a=run + FUNCTION, b=run + RENAMED)
    assert places(one)[0] == ("a", 501, 513)


@given(st.permutations(["a", "b", "c"]))
def test_the_order_of_the_files_does_not_matter(names: list[str]) -> None:
    texts = {"a": FUNCTION, "b": RENAMED, "c": f"{FUNCTION}y = 2\n{FUNCTION}"}
    assert found(**{name: texts[name] for name in names}) == found(**texts)
