from __future__ import annotations

import shlex

import pytest

from tests.tools.places import Project
from tools.arguments import TOOLS, Command, Pipeline, Stage
from tools.errors import BadArguments, CommandRefused, ToolError, UnknownTool
from tools.parser import parse_command
from tools.stages import SHOWN_CHARS, parse_arguments, shown, stage_vector


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ({"tool": "head", "args": {"lines": 3, "path": "notes.txt"}}, "head -n 3 notes.txt"),
        ({"tool": "grep", "args": {"pattern": "x", "path": "src", "recursive": True}}, "grep -re x src"),
        ({"tool": "find", "args": {"type": "f", "empty": True}}, "find . -type f -empty -print"),
        ({"tool": "pwd"}, "pwd"),
        ({"tool": "sort", "args": {"reverse": True}}, "sort -r"),
    ],
)
def test_typed_and_written_stages_become_the_same_vector(
    typed: dict[str, object], written: str, shared: Project
) -> None:
    (stage,) = parse_command(written, shared.root)
    one, other = (stage_vector(each, shared.root) for each in (Stage.model_validate(typed), stage))
    assert (one.tool, one.argv, one.from_input) == (other.tool, other.argv, other.from_input)


@pytest.mark.parametrize(
    ("stage", "kind", "said"),
    [
        ({"tool": "rm", "argv": ["x"]}, UnknownTool, "'rm' is not in the read-only set"),
        ({"tool": "rm", "args": {"path": "x"}}, UnknownTool, "'rm' is not in the read-only set"),
        ({"tool": "head", "args": {"lines": "many"}}, BadArguments, "head: lines: .*integer"),
        ({"tool": "head", "args": {"n": 3}}, BadArguments, "Its arguments are: path, paths, lines"),
        ({"tool": "git", "args": {"subcommand": "log", "x": 1}}, BadArguments, "are: subcommand, argv"),
        ({"tool": "cat", "args": {"path": "../x"}}, CommandRefused, "outside the root"),
        ({"tool": "sort", "argv": ["-o", "x"]}, CommandRefused, "not a read-only option"),
        ({"tool": "uniq", "from_input": True}, CommandRefused, "does not read a list of files"),
    ],
)
def test_a_stage_that_does_not_pass_says_why(
    stage: dict[str, object], kind: type[ToolError], said: str, shared: Project
) -> None:
    with pytest.raises(kind, match=said):
        stage_vector(Stage.model_validate(stage), shared.root)


def test_at_most_five_mistakes_are_told() -> None:
    with pytest.raises(BadArguments) as error:
        parse_arguments(TOOLS["cat"], "cat", {f"wrong{number}": 1 for number in range(9)})
    assert error.value.what.count("Extra inputs") == 5


@pytest.mark.parametrize("value", [None, 3, "text", []])
def test_arguments_that_are_no_object_are_a_mistake(value: object) -> None:
    for model in (Command, Pipeline, TOOLS["cat"]):
        with pytest.raises(BadArguments, match="arguments: "):
            parse_arguments(model, "tool", value)


def test_names_from_the_input_replace_the_list_of_wc(shared: Project) -> None:
    vector = stage_vector(Stage(tool="wc", args={"lines": True, "files0_from_stdin": True}), shared.root)
    assert (vector.argv, vector.from_input, vector.null_separated) == (("-l",), True, True)
    assert vector.shown == "xargs -0 -r wc -l"


def test_a_stage_is_shown_as_a_person_types_it(shared: Project) -> None:
    text = (
        "find . -name '*.py' -print0 | xargs -0 -r grep -l -- 'a b' | xargs -r git log -1 --oneline | sort -r"
    )
    vectors = [stage_vector(stage, shared.root) for stage in parse_command(text, shared.root)]
    assert shown(vectors) == text
    again = [stage_vector(stage, shared.root) for stage in parse_command(shown(vectors), shared.root)]
    assert [(one.tool, one.argv, one.from_input) for one in again] == [
        (one.tool, one.argv, one.from_input) for one in vectors
    ]


def test_the_settings_that_keep_git_safe_are_run_but_not_shown(shared: Project) -> None:
    vector = stage_vector(Stage(tool="git", argv=["log", "-3"]), shared.root)
    assert "core.fsmonitor=false" in vector.argv and vector.shown == "git log -3"


def test_a_long_pipeline_is_shown_in_part(shared: Project) -> None:
    vector = stage_vector(Stage(tool="grep", argv=["x" * 1500]), shared.root)
    text = shown([vector, vector])
    assert len(text) == SHOWN_CHARS + 4 and text.endswith(" ...")
    assert shown([vector]) == shlex.join(["grep", "--", "x" * 1500])
