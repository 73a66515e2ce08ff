from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.places import Project
from tools.errors import CommandRefused
from tools.policy.find import ALONE, PATHS, VALUED, check_find

ACTIONS = "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls".split()
FOLLOWING = "-L -H -follow -files0-from -D -O3 -context -newerXY -newerat -help --help -version".split()
PLAIN = {
    "-name": "*.py", "-iname": "A*", "-path": "./src/*", "-ipath": "./SRC/*", "-wholename": "./a*",
    "-iwholename": "./A*", "-regex": ".*py", "-iregex": ".*PY", "-lname": "*", "-ilname": "*", "-user": "0",
    "-group": "0", "-newermt": "2020-01-01", "-perm": "-u+r", "-regextype": "posix-extended", "-type": "f,d",
    "-xtype": "f", "-size": "+0k", "-maxdepth": "2", "-mindepth": "1", "-printf": "%p %s\\n",
    "-newer": "a.py", "-anewer": "a.py", "-cnewer": "a.py", "-samefile": "notes.txt",
}  # fmt: skip
WORDS = st.one_of(
    st.sampled_from(sorted(ALONE | PATHS | VALUED.keys())),
    st.sampled_from(ACTIONS + FOLLOWING),
    st.sampled_from(
        [".", "src", "..", "link_out", "5", "+1", "f", "*.py", "%p", "touch", "{}", ";", "+", "\\;"]
    ),
)


@pytest.mark.parametrize("word", ACTIONS + FOLLOWING)
@pytest.mark.parametrize("before", [[], ["."], [".", "-name", "x"], [".", "("], ["src", "-print", ","]])
def test_actions_and_followers_are_refused_at_every_place(
    word: str, before: list[str], shared: Project
) -> None:
    with pytest.raises(CommandRefused, match="it runs|it writes|it follows|does not know it"):
        check_find(shared.root, [*before, word, "x"])


@settings(max_examples=200, deadline=None)
@given(argv=st.lists(WORDS, max_size=7))
def test_what_passes_holds_listed_words_only_and_every_value_stands_behind_its_test(
    argv: list[str], shared: Project
) -> None:
    try:
        checked = check_find(shared.root, argv)
    except CommandRefused:
        return
    assert check_find(shared.root, checked) == checked
    words = iter(checked)
    start = [word for word in checked[: next((i for i, w in enumerate(checked) if w[0] in "-!(),"), None)]]
    assert start and not {"..", "link_out"} & set(start)
    for _ in start:
        next(words)
    for word in words:
        assert word in ALONE or next(words) is not None and word in PATHS | VALUED.keys()


@pytest.mark.parametrize("word", sorted(ALONE))
def test_words_alone_are_words_of_find(word: str, shared: Project) -> None:
    if word in ("!", "(", ")", ",", "-a", "-and", "-o", "-or", "-not", "-P"):
        argv = {"!": "! -true", "-not": "-not -true", "(": "( -true )", ")": "( -true )", "-P": ""}
        text = argv.get(word, f"-true {word} -true").split()
    else:
        text = [word]
    run_and_look(shared, check_find(shared.root, [".", *text]))


@pytest.mark.parametrize("word", sorted(PATHS | VALUED.keys()))
def test_tests_with_a_value_are_tests_of_find(word: str, shared: Project) -> None:
    argv = [".", word, PLAIN.get(word, "1")]
    assert check_find(shared.root, argv) == argv
    run_and_look(shared, argv)


def run_and_look(project: Project, argv: list[str]) -> None:
    before = project.snapshot()
    done = subprocess.run(
        ["find", *argv],
        cwd=project.root,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert project.snapshot() == before


@pytest.mark.parametrize(
    "argv",
    [
        ["..", "-name", "x"],
        ["/"],
        [".", "-newer", "../outside/secret.txt"],
        [".", "-samefile", "link_out"],
        ["link_out"],
        [".", "-type"],
        [".", "-type", "x"],
        [".", "-type", "f,"],
        [".", "-size", "1x"],
        [".", "-size", "k"],
        [".", "-mtime", "1;2"],
        [".", "-maxdepth", "x"],
        [".", "-regextype", "a b"],
        [".", "-printf", "%"],
        [".", "-printf", "%Q"],
        [".", "-printf", "\\c"],
        [".", "-name", "x", "src"],
    ],
)
def test_start_points_outside_and_strange_values_are_refused(argv: list[str], shared: Project) -> None:
    with pytest.raises(CommandRefused):
        check_find(shared.root, argv)


@pytest.mark.parametrize(
    "value", ["%p\\n", "%s\\t%P\\0", "100%%", "%TY-%Tm-%Td %-10.3f", "%A@ %C+ %u %g %#m", "\\041", "é 中", ""]
)
def test_facts_of_files_may_be_printed(value: str, shared: Project) -> None:
    assert check_find(shared.root, ["-printf", value]) == [".", "-printf", value]
    run_and_look(shared, [".", "-printf", value])


def test_without_a_start_point_the_root_is_searched(shared: Project) -> None:
    assert check_find(shared.root, []) == ["."]
    assert check_find(shared.root, ["-empty"]) == [".", "-empty"]
    assert check_find(shared.root, ["(", "-empty", ")"])[0] == "."


def test_a_value_that_looks_like_an_action_stays_a_value(shared: Project) -> None:
    assert check_find(shared.root, [".", "-name", "-delete"]) == [".", "-name", "-delete"]
    run_and_look(shared, [".", "-name", "-delete"])
