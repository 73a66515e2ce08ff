"""Verdicts: equal by execution, nearly so, in words, or different."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.report import Case
from evals.shell.judge import LEVELS, Attempt, Level, judge, level
from evals.shell.suite import judged, unsolved
from evals.shell.truth import COPIED_TIMES, Effect, Truth

ROOT = Path("/play/fs")
WORDS = st.text(alphabet="abc/. 12", min_size=1, max_size=8)

TEXTS = st.text(alphabet="a\n\0 é", max_size=3)


def ran(output: str, answer: str = "", **changes: str) -> Attempt:
    return Attempt(ran=True, outputs=[output], answer=answer, claims=True, changes=changes)


def done(output: str, **changes: str) -> Effect:
    return Effect(output=output, changes=changes, returncode=0)


@given(output=TEXTS, other=TEXTS)
def test_only_the_same_bytes_are_the_same(output: str, other: str) -> None:
    assert (level(ran(output), done(other), ROOT) == "same") == (output == other)


@given(lines=st.lists(WORDS, min_size=1, max_size=5), data=st.data())
def test_rows_may_change_places_separators_and_spelling(lines: list[str], data: st.DataObject) -> None:
    gold = "".join(f"{ROOT}/{line}\n" for line in lines)
    mixed = data.draw(st.permutations(lines))
    assert level(ran("".join(f"{line}\0" for line in mixed)), done(gold), ROOT) in ("same_rows", "same")


@given(output=WORDS, name=WORDS)
def test_another_change_is_never_right(output: str, name: str) -> None:
    assert level(ran(output, output), done(output, **{name: "gone"}), ROOT) == "different"
    assert level(ran(output, output, **{name: "gone"}), done(output), ROOT) == "different"


@given(output=TEXTS)
def test_what_did_not_run_is_never_right(output: str) -> None:
    attempt = Attempt(ran=False, outputs=[output], answer=output, claims=True)
    assert level(attempt, done(output), ROOT) == "different"


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("It has 12 lines.", "12\n", "told"),
        ("It has 112 lines.", "12\n", "different"),
        ("It has 12.5 lines.", "12\n", "different"),
        ("12-fold", "12\n", "different"),
        ("12 here\n13 there", "12\n", "different"),
        ("2 files:\na.txt\nb.txt", "/play/fs/b.txt\n/play/fs/a.txt\n", "told"),
        ("a.txt\nb.txt", "./b.txt\n./a.txt\n", "told"),
        ("3 files:\na.txt\nb.txt\nc.txt", "b.txt\na.txt\n", "different"),
        ("1 file:\na.txt", "b.txt\na.txt\n", "different"),
        ("", "", "different"),
    ],
)
def test_an_answer_in_words_states_all_rows_and_no_others(answer: str, gold: str, expected: Level) -> None:
    assert level(ran("something else", answer), done(gold), ROOT) == expected


def test_the_second_gold_command_counts_and_is_told_apart() -> None:
    truth = Truth(gold=done("a\n"), gold2=done("b\n"))
    verdict = judge(ran("b\n"), truth, ROOT)
    assert (verdict.by_gold, verdict.by_either) == ("different", "same")
    assert judge(ran("a\n"), truth, ROOT).by_gold == "same"


@pytest.mark.parametrize(
    "gold", [Effect(), Effect(output="bash: line 1: x: command not found", returncode=0, missing=True)]
)
def test_a_gold_command_that_cannot_be_relied_on_decides_nothing(gold: Effect) -> None:
    verdict = judge(ran(gold.output), Truth(gold=gold, gold2=gold), ROOT)
    assert not verdict.decidable and verdict.by_either == "different"
    unstable = Truth(gold=done("1\n"), gold2=done("1\n"), stable=(False, False))
    assert not judge(ran("1\n"), unstable, ROOT).decidable
    timed = Effect(output="1\n", returncode=0, timed=True)
    assert not judge(ran("1\n"), Truth(gold=timed, gold2=timed), ROOT).decidable
    one = Truth(gold=gold, gold2=done("b\n"))
    assert (
        judge(ran("b\n"), one, ROOT).by_either == "same"
        and judge(ran("b\n"), one, ROOT).by_gold == "different"
    )


CASE = Case(id="2-0", group="file system 2", variant="graph_v30", passed=False)


@given(
    output=st.sampled_from(["a\n", "b\n", "b a"]),
    answer=st.sampled_from(["", "it is a", "it is b"]),
    claims=st.booleans(),
    ran_it=st.booleans(),
    stable=st.booleans(),
)
def test_a_success_is_false_only_if_claimed_and_refuted(
    output: str, answer: str, claims: bool, ran_it: bool, stable: bool
) -> None:
    truth = Truth(gold=done("a\n"), gold2=done("a\n"), stable=(stable, stable))
    attempt = Attempt(ran=ran_it, outputs=[output], answer=answer, claims=claims)
    verdict = judge(attempt, truth, ROOT)
    case = judged(CASE, attempt, verdict, truth)
    assert case.passed == (stable and ran_it and output == "a\n")
    assert not (case.passed and case.false_success)
    assert case.false_success == (claims and stable and verdict.by_either == LEVELS[-1])
    assert bool(case.detail) == (not case.passed)


def test_causes_say_what_kind_of_difference_it_is() -> None:
    wants = Truth(gold=done("", new="file"), gold2=done("", new="file"))
    same = Truth(gold=done("/play/fs/a\n"), gold2=done("/play/fs/a\n"))
    for attempt, truth, part in [
        (ran(""), wants, "no change"),
        (ran("", old="gone"), wants, "other changes"),
        (ran("a\n"), same, "another format"),
        (ran("x", "a"), same, "in words"),
        (ran("x"), same, "another output"),
        (Attempt(cause="refused by the policy"), same, "refused"),
    ]:
        assert part in unsolved(attempt, judge(attempt, truth, ROOT), truth)


def test_the_same_paths_are_noticed_whatever_is_said_of_them() -> None:
    truth = Truth(gold=done("-rw 66 /play/fs/d/a\n"), gold2=done(""))
    assert judge(ran("66 d/a\n"), truth, ROOT).same_paths
    assert not judge(ran("66 d/a\n7 d/b\n"), truth, ROOT).same_paths
    assert not judge(Attempt(outputs=["d/a"]), truth, ROOT).same_paths
    assert not judge(ran("no path"), Truth(gold=done("none"), gold2=done("")), ROOT).same_paths


@pytest.mark.parametrize(
    "command", ["find . -cmin +5", "find . -atime -1", "find . -newerct 2020-01-01", "ls --time=atime"]
)
def test_times_that_no_copy_keeps_are_known(command: str) -> None:
    assert COPIED_TIMES.search(command)


@pytest.mark.parametrize(
    "command", ["find . -mmin +5", "find . -newer x", "date +%A", "ls -lt", "cut -c1 a", "du -c"]
)
def test_other_times_are_kept(command: str) -> None:
    assert not COPIED_TIMES.search(command)
