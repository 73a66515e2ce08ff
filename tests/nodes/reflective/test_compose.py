"""Answers written from rows of tool output."""

import ast
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.recipe import AnswerTemplate, load_recipes
from nodes.reflective.compose import LISTED, MOST_LIKELY, Composed, compose
from nodes.reflective.grounding import ungrounded

LARGEST = AnswerTemplate(
    reader="counted",
    take="n",
    none="There are none.",
    one="The ${ordinal}largest is ${path}, with ${count} bytes.",
    many="The largest:\n${listing}",
    row="${path}: ${count}",
    pick="ties",
)
USES = AnswerTemplate(
    reader="hits", pick="uses", none="Unused.", one="Once, in ${within}: ${path}:${line}", many="${listing}",
    row="${line} in ${within}",
)  # fmt: skip
SIZES = "  90 ./a b.txt\n  70 ./c.txt\n  70 ./d.txt\n  10 ./e.txt\n"


def test_the_nth_is_the_nth_and_not_the_first_n() -> None:
    answer = compose(SIZES, LARGEST, {"n": 1, "nth": 2, "ordinal": "2nd "}).text
    assert answer == "The 2nd largest is c.txt, with 70 bytes."


def test_there_may_be_no_nth() -> None:
    assert compose(SIZES, LARGEST, {"n": 1, "nth": 9, "ordinal": "9th "}).text == "There are none."


def test_ties_at_the_end_are_all_shown() -> None:
    answer = compose(SIZES, LARGEST, {"n": 2, "nth": None, "ordinal": ""}).text
    assert answer == "The largest:\na b.txt: 90\nc.txt: 70\nd.txt: 70"


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=30))
def test_counts_and_sums_are_those_of_the_rows(sizes: list[int]) -> None:
    template = AnswerTemplate(
        reader="counted", one="${sum} in ${how_many_rows}", many="${sum} in ${how_many_rows}"
    )
    output = "".join(f"{size} ./f{number}.txt\n" for number, size in enumerate(sizes))
    assert compose(output, template, {}).text == f"{sum(sizes)} in {len(sizes)}"


COUNTED = AnswerTemplate(
    reader="counted",
    none="None.",
    one="${path}: ${count}",
    many="${how_many}:\n${listing}",
    row="${path}: ${count}",
)


def written(output: str, template: AnswerTemplate, **slots: object) -> Composed:
    """The answer to an output, which code must hold to be grounded in that output and in what it computed."""
    composed = compose(output, template, slots)
    assert ungrounded(composed.text or "", [output, *composed.computed]) == []
    return composed


@given(st.lists(st.integers(0, 10**6), max_size=3 * LISTED), st.integers(0, 10**6), st.integers(0, 10**6))
def test_rows_within_the_limits_are_all_counted_and_the_first_are_listed(
    counts: list[int], low: int, high: int
) -> None:
    output = "".join(f"{count} ./f{number}.txt\n" for number, count in enumerate(counts))
    template = COUNTED.model_copy(update={"pick": "over_limits"})
    text = written(output, template, min_count=low, max_count=high).text
    kept = [f"f{n}.txt: {count}" for n, count in enumerate(counts) if low < count < high]
    if len(kept) < 2:
        assert text == (kept[0] if kept else "None.")
    else:
        more = [f"... and {len(kept) - LISTED} more"] if len(kept) > LISTED else []
        assert text == "\n".join([f"{len(kept)}:", *kept[:LISTED], *more])


def test_a_listing_too_long_to_show_is_an_answer_all_the_same() -> None:
    output = "".join(f"{letter * 3} {other}.py\0" for letter in "abcdefgh" for other in "ijklmnopq")
    template = AnswerTemplate(reader="paths", one="${path}", many="${how_many} files:\n${listing}")
    assert (written(output, template).text or "").endswith("... and 22 more")


@given(st.lists(st.sampled_from("abc"), max_size=6))
def test_repeated_rows_are_those_whose_digest_stands_more_than_once(digests: list[str]) -> None:
    output = "".join(f"{digest}  ./f{number}\0" for number, digest in enumerate(digests))
    template = AnswerTemplate(
        reader="fields", fields=("digest", "path"), split="  ", pick="repeated", none="-", one="${path}",
        many="${listing}", row="${path}",
    )  # fmt: skip
    expected = [f"f{number}" for number, digest in enumerate(digests) if digests.count(digest) > 1]
    assert written(output, template).text == ("\n".join(expected) or "-")


def test_the_place_itself_is_not_below_itself() -> None:
    template = AnswerTemplate(
        reader="counted", pick="below_root", one="${path}", many="${listing}", row="${path}"
    )
    output = "9\t./src\n4\t./src/a\n5\t./src/b\n"
    assert written(output, template, scope=["src/"]).text == "src/a\nsrc/b"
    assert written("9\t.\n4\t./a\n5\t./b\n", template).text == "a\nb"


SIZED = st.dictionaries(
    st.lists(st.sampled_from(["a", "b c", "d\te", "f.txt"]), min_size=1, max_size=4).map(tuple),
    st.integers(0, 9999),
    max_size=8,
)


@given(SIZED, st.sampled_from([".", "a", "a/b c"]))
def test_a_directory_is_as_large_as_all_files_in_it(files: dict[tuple[str, ...], int], scope: str) -> None:
    template = AnswerTemplate(
        reader="directory_bytes", pick="below_root", none="-", one="${path}: ${count}", many="${listing}",
        row="${path}: ${count}",
    )  # fmt: skip
    start = () if scope == "." else tuple(scope.split("/"))
    here = {parts: size for parts, size in files.items() if parts[: len(start)] == start and parts != start}
    totals: dict[str, int] = {}
    for parts, size in here.items():
        for depth in range(len(start) + 1, len(parts)):
            name = "/".join(parts[:depth])
            totals[name] = totals.get(name, 0) + size
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    prefix = "./" if scope == "." else ""
    output = "".join(f"{size}\t{prefix}{'/'.join(parts)}\0" for parts, size in here.items())
    expected = "\n".join(f"{name}: {size}" for name, size in ordered) or "-"
    assert written(output, template, scope=[scope]).text == expected


def test_counts_that_a_reader_makes_are_computed_facts() -> None:
    template = AnswerTemplate(reader="extensions", one="${text}", many="${listing}", row="${text}: ${count}")
    composed = written("a.py\0b.py\0c.txt\0", template)
    assert composed.text == ".py: 2\n.txt: 1" and ".py: 2" in composed.computed


def test_a_template_that_needs_a_slot_nobody_filled_gives_no_answer() -> None:
    template = AnswerTemplate(reader="lines", one="${text} for ${person}")
    assert compose("x\n", template, {}).text is None


BLOCK = st.deferred(
    lambda: st.lists(
        st.one_of(
            st.just("target()"),
            st.just("other()"),
            st.tuples(st.sampled_from(["def", "class", "async def"]), st.sampled_from("abcde"), BLOCK),
        ),
        min_size=1,
        max_size=3,
    )
)


def source_of(block: list[object], indent: int = 0) -> str:
    """Python source of nested definitions and calls."""
    lines = []
    for item in block:
        pad = "    " * indent
        if isinstance(item, str):
            lines.append(f"{pad}{item}\n")
        else:
            keyword, name, inner = item  # type: ignore[misc]  # a tuple of three, by BLOCK
            arguments = "" if keyword == "class" else "()"
            lines.append(f"{pad}{keyword} {name}{arguments}:\n{source_of(inner, indent + 1)}")
    return "".join(lines)


def calls_of(tree: ast.AST, within: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    """(line, enclosing definitions, innermost first) of every call of `target`, by Python's own parser."""
    found = []
    for node in ast.iter_child_nodes(tree):
        inside = within
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (node.name, *within)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "target":
            found.append((node.lineno, " in ".join(within) or "no function"))
        found += calls_of(node, inside)
    return found


@settings(max_examples=40, deadline=None)
@given(block=BLOCK)
def test_a_use_stands_in_the_definitions_that_python_says_it_stands_in(
    block: list[object],
) -> None:
    source = source_of(block)
    text = "".join(f"m.py\0{number}:{line}\n" for number, line in enumerate(source.splitlines(), 1))
    composed = compose(text, USES, {"name": "target"}).text
    expected = calls_of(ast.parse(source))
    if not expected:
        assert composed == "Unused."
    elif len(expected) == 1:
        assert composed == f"Once, in {expected[0][1]}: m.py:{expected[0][0]}"
    else:
        assert composed == "\n".join(f"{line} in {within}" for line, within in expected)


def test_hits_are_read_from_grep_itself(tmp_path: Path) -> None:
    (tmp_path / "odd:name 1.py").write_text("def a():\n    target()\n")
    argv = ["grep", "-nHZ", "target\\|def", "odd:name 1.py"]
    output = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert compose(output, USES, {"name": "target"}).text == "Once, in a: odd:name 1.py:2"


@given(st.integers(0, 10**6), st.sampled_from(("lines", "blank lines", "classes", "bytes", "words", "files")))
def test_one_of_a_thing_is_not_said_in_the_plural(count: int, noun: str) -> None:
    template = AnswerTemplate(reader="counted", one=f"${{path}} has ${{count}} {noun}.")
    text = written(f"{count} ./f.txt\n", template).text
    one = {"classes": "class"}.get(noun, noun[:-1])
    assert text == f"f.txt has {count} {one if count == 1 else noun}."


def test_what_files_are_called_is_not_reworded() -> None:
    template = AnswerTemplate(reader="counted", one="${path}: ${count} words")
    assert written("1 ./1 lines\n", template).text == "1 lines: 1 word"


def test_a_noun_stays_where_its_verb_is_in_the_plural() -> None:
    template = AnswerTemplate(reader="counted", one="${count} files are here, ${path} too")
    assert written("1 ./a\n", template).text == "1 files are here, a too"


@pytest.mark.parametrize(
    ("line", "text", "problem"),
    [
        ("def target():", "Unused.", ""),
        ("def other():", None, "target is no name"),
        ("def target_like():", None, "target is no name"),
    ],
)
def test_what_no_code_names_is_not_called_unused(line: str, text: str | None, problem: str) -> None:
    template = USES.model_copy(update={"problem": "${name} is no name"})
    composed = compose(f"./a.py\0001:{line}\n", template, {"name": "target"})
    assert (composed.text, composed.problem) == (text, problem)


LIKELIEST = AnswerTemplate(
    reader="hits", pick="likeliest", problem="no line of ${words}", one="${text}", many="${listing}",
    row="${text}",
)  # fmt: skip


def likeliest(lines: list[str], words: list[str], **slots: object) -> Composed:
    output = "".join(f"./a.txt\0{number}:{line}\n" for number, line in enumerate(lines, start=1))
    return compose(output, LIKELIEST, {"sought_words": words, "words": " or ".join(words), **slots})


def test_lines_with_more_words_of_the_question_stand_first() -> None:
    found = likeliest(["server:", "the server is paid", "who pays for the server?"], ["pays", "server"])
    assert found.text == "who pays for the server?\nserver:\nthe server is paid"


def test_where_many_lines_hold_a_word_the_rare_one_decides() -> None:
    lines = [*[f"server {number}" for number in range(40)], "workers: 3"]
    assert likeliest(lines, ["workers", "server"]).text == "workers: 3"


def test_a_word_that_stands_everywhere_finds_nothing() -> None:
    found = likeliest([f"server {number}" for number in range(40)], ["server"])
    assert (found.text, found.problem) == (None, "no line of server")
    assert likeliest([], ["server"]).problem == "no line of server"


def test_who_asks_how_many_is_shown_lines_with_numbers() -> None:
    lines = ["workers do the work", "workers: 3"]
    assert likeliest(lines, ["workers"], number_sought=True).text == "workers: 3"


@given(
    st.lists(st.lists(st.sampled_from(["pays", "server", "late"]), max_size=4).map(" ".join), max_size=60),
    st.lists(st.sampled_from(["pays", "server", "late"]), min_size=1, max_size=3, unique=True),
)
def test_the_likeliest_are_few_and_hold_words_of_the_question(lines: list[str], words: list[str]) -> None:
    found = likeliest(lines, words)
    shown = (found.text or "").splitlines()
    assert len(shown) <= MOST_LIKELY
    assert all(set(line.split()) & set(words) for line in shown)
    assert bool(shown) == (found.text is not None)


def test_a_call_below_the_last_function_of_a_script_stands_in_none(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text('def main():\n    pass\n\n\nif __name__ == "__main__":\n    main()\n')
    recipe = next(recipe for recipe in load_recipes() if recipe.id == "usages-of")
    stage = recipe.steps[0].stages[-1]
    assert isinstance(stage, dict)
    argv = ["grep", "-nHZE", stage["args"]["pattern"].replace("${name:re}", "main"), "m.py"]
    output = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert compose(output, USES, {"name": "main"}).text == "Once, in no function: m.py:6"
