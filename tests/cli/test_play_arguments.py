"""What `reflect play` may be asked for together, and the line that goes on with a game."""

import argparse
import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import parser
from cli.play_arguments import check_arguments
from cli.play_command import resume_line, resuming
from configs.errors import UsageError
from tests.cli.playing import CLAIM

PARSER = parser()


def arguments_of(*words: str) -> argparse.Namespace:
    return PARSER.parse_args(["play", *words])


VALUES: dict[str, st.SearchStrategy[str]] = {
    "--model": st.text(min_size=1, max_size=5),
    "--player": st.sampled_from(["model", "me"]),
    "--profile": st.sampled_from(["safe", "dev"]),
    "--root": st.text(min_size=1, max_size=5),
    "--export": st.text(min_size=1, max_size=5),
    "--html": st.text(min_size=1, max_size=5),
}
OF_THE_GAME = {"--seed": st.just("3"), "--arm": st.just("all"), "--turns": st.just("9")}
FLAGS = st.sets(st.sampled_from(["--watch", "--json", "--quiet"]))


@settings(max_examples=40)
@given(
    st.fixed_dictionaries({}, optional=VALUES),
    st.fixed_dictionaries({}, optional=OF_THE_GAME),
    FLAGS,
    st.text(min_size=1, max_size=5),
)
def test_the_line_that_goes_on_names_every_choice_but_those_the_game_keeps(
    values: dict[str, str], kept: dict[str, str], flags: set[str], thread: str
) -> None:
    words = [f"{name}={value}" for name, value in {**values, **kept}.items()]
    begun = arguments_of("B01", *words, *flags)
    line = shlex.split(resume_line(thread, begun))
    gone_on = vars(PARSER.parse_args(line[1:]))
    wanted = vars(begun) | {"game": None, "resume": thread, "seed": None, "arm": None, "turns": None}
    assert line[0] == "reflect" and gone_on == wanted


def test_what_resume_was_given_is_given_on() -> None:
    words = ["resume", "--root", "/a", "--model", "m:x", "--profile", "dev", "--json", "--quiet", "--", "-t"]
    handed = resuming(PARSER.parse_args(words))
    assert (handed.resume, handed.root, handed.model, handed.profile) == ("-t", "/a", "m:x", "dev")
    assert handed.json and handed.quiet and handed.game is None
    check_arguments(handed)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no game"),
        (("B01", "--goal", "x"), "both given"),
        (("B01", "--claim", CLAIM), "--claim"),
        (("--goal", "x", "--seed", "1"), "--seed"),
        (("--resume", "t", "B01"), "a game"),
        (("--resume", "t", "--arm", "all"), "--arm"),
        (("--list", "B01"), "a game"),
        (("--list", "--verify", "f"), "--verify"),
        (("--verify", "f", "--html", "g.html"), "--html"),
        (("B01", "--watch", "--quiet"), "--watch"),
        (("B01", "--seed", "x"), "seed"),
        (("B01", "--seed=-1"), "seed"),
        (("B01", "--seed", "١"), "seed"),
        (("B01", "--seed", str(2**63)), "seed"),
        (("B01", "--turns", "0"), "turns"),
        (("B01", "--turns", "10001"), "turns"),
        (("B01", "--export", "/nowhere/at/all.json"), "can be made"),
        (("B01", "--html", "/"), "can be made"),
        (("B01", "--html", "f", "--export", "f"), "as well"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_runs(words: tuple[str, ...], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        check_arguments(arguments_of(*words))
    assert told in refused.value.what and refused.value.remedy
