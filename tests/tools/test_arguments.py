from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.tools.places import Project
from tools.arguments import TOOLS, Arguments, Command, Pipeline, Stage
from tools.policy.check import check_argv
from tools.protocol import ToolCall

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
NAME = st.sampled_from(["notes.txt", "src", "-dash.txt", "a.py", "src/with space.md", "missing", "."])
# What a field may hold where any text would be a mistake; all others take any text.
SHAPED: dict[str, st.SearchStrategy[str]] = {
    "key": st.sampled_from(["1", "2,2n", "1.2,3rn"]),
    "field_separator": st.sampled_from([",", ":", " ", "\t", "é"]),
    "delimiter": st.sampled_from([",", ":", " ", "-"]),
    "fields": st.sampled_from(["1", "1,3-", "-2"]),
    "characters": st.sampled_from(["1-5", "2"]),
    "size": st.sampled_from(["+1k", "10c", "-3"]),
    "sizes": st.sampled_from(["+1k", "10c", "-3"]),
    "mtime": st.sampled_from(["-1", "+7", "0"]),
    "mmin": st.sampled_from(["-60", "5"]),
    "amin": st.sampled_from(["-60", "5"]),
    "name_tests": st.fixed_dictionaries({"globs": st.lists(TEXT, min_size=1, max_size=2)}),
    "newer": NAME,
    "path": NAME,
    "paths": NAME,
    "printf": st.sampled_from(["%p\\n", "%s %P\\0"]),
    "suppress": st.sampled_from(["1", "12", "3"]),
}
GIT = st.sampled_from([["log", "-5"], ["show", "HEAD"], ["grep", "-n", "x"], ["ls-files"]])


def field_values(tool: str, name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a field's JSON schema allows."""
    options = schema.get("anyOf", [schema])
    (kind,) = [option for option in options if option.get("type") != "null"]
    if "enum" in kind:
        return st.sampled_from(kind["enum"])
    text = SHAPED.get(name, TEXT)
    many = st.lists(text, max_size=1 if tool == "uniq" else 2)
    values: dict[str, st.SearchStrategy[Any]] = {
        "boolean": st.booleans(),
        "integer": st.integers(kind.get("minimum", 1), kind.get("maximum", 1000)),
        "string": text,
        "array": many if "$ref" in kind.get("items", {}) else st.one_of(text, many),
    }
    return values[kind["type"]]


@st.composite
def typed_calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    tool = draw(st.sampled_from(sorted(set(TOOLS) - {"git"})))
    schema = TOOLS[tool].model_json_schema()
    required = set(schema.get("required", ()))
    args = {}
    for name, field in schema["properties"].items():
        if name in required or draw(st.integers(0, 2)) == 0:
            args[name] = draw(field_values(tool, name, field))
    if tool in ("diff", "comm"):
        args = {**args, "path": draw(NAME), "paths": draw(NAME)}
    return tool, args


@settings(max_examples=250, deadline=None)
@given(call=typed_calls())
def test_typed_arguments_become_a_vector_that_the_policy_passes(
    call: tuple[str, dict[str, Any]], shared: Project
) -> None:
    tool, args = call
    argv = TOOLS[tool].model_validate(args).argv()
    checked = check_argv(shared.root, tool, argv)
    given_texts = [text for text in (args.get("path"), args.get("pattern")) if isinstance(text, str)]
    for text in given_texts:
        assert any(word.endswith(text) for word in checked)


@settings(max_examples=30, deadline=None)
@given(words=GIT)
def test_git_takes_its_options_as_git_does(words: list[str], shared: Project) -> None:
    model = TOOLS["git"].model_validate({"subcommand": words[0], "argv": words[1:]})
    assert model.argv() == words
    assert TOOLS["git"].model_validate({"subcommand": words[0], "arguments": words[1:]}).argv() == words
    assert words[0] in check_argv(shared.root, "git", model.argv())


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_an_unknown_argument_is_a_mistake(tool: str) -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        TOOLS[tool].model_validate({"no_such_argument": 1})


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_every_flag_and_option_belongs_to_a_field_and_every_tool_says_what_it_does(tool: str) -> None:
    model = TOOLS[tool]
    assert set(model.flags) | set(model.options) <= set(model.model_fields)
    assert model.__doc__ and model.__doc__ != Arguments.__doc__


@pytest.mark.parametrize(
    ("tool", "args", "argv"),
    [
        ("cat", {"path": "a"}, ["--", "a"]),
        ("cat", {"path": ["a"], "paths": ["b", "c"], "number": True}, ["-n", "--", "a", "b", "c"]),
        ("head", {}, ["-n", "10"]),
        ("head", {"lines": 3, "path": "-x"}, ["-n", "3", "--", "-x"]),
        ("tail", {"from_line": 2}, ["-n", "+2"]),
        ("tail", {"lines": 2, "path": "a"}, ["-n", "2", "--", "a"]),
        ("grep", {"pattern": "-v", "path": "a", "count": True}, ["-c", "-e", "-v", "--", "a"]),
        (
            "grep",
            {"pattern": "x", "recursive": True, "include": "*.py", "exclude_dirs": ["b"], "max_count": 2},
            ["-r", "-m", "2", "--include=*.py", "--exclude-dir=b", "-e", "x"],
        ),
        ("ls", {"sort": "name", "long": True}, ["-l"]),
        ("ls", {"sort": "size"}, ["--sort=size"]),
        ("du", {"max_depth": 1, "exclude": ".git"}, ["--exclude=.git", "--max-depth=1"]),
        ("comm", {"paths": ["a", "b"], "suppress": "12"}, ["-12", "--", "a", "b"]),
        ("basename", {"path": ["a", "b"], "suffix": ".py"}, ["-a", "-s", ".py", "--", "a", "b"]),
        ("tr", {"set1": "a-z", "set2": "A-Z"}, ["--", "a-z", "A-Z"]),
        ("tr", {"set1": "x", "delete": True}, ["-d", "--", "x"]),
        ("uniq", {"path": "a", "count": True}, ["-c", "--", "a"]),
        ("seq", {"last": 5}, ["--", "1", "5"]),
        ("pwd", {}, []),
        ("find", {}, [".", "-print"]),
        ("find", {"print0": True, "path": "src"}, ["src", "-print0"]),
        ("find", {"printf": "%s", "print0": True}, [".", "-printf", "%s"]),
        ("find", {"name": "*.py", "type": "f"}, [".", "-type", "f", "(", "-name", "*.py", ")", "-print"]),
        ("find", {"not_names": ["a"], "empty": True}, [".", "!", "-name", "a", "-empty", "-print"]),
        (
            "find",
            {"exclude_dirs": ["b"], "exclude_paths": ["./c*/"], "maxdepth": 2},
            [".", "-maxdepth", "2", "(", "-type", "d", "-name", "b", "-o"]
            + ["(", "-path", "./c\\*", "-o", "-path", "c\\*", ")", ")", "-prune", "-o", "-print"],
        ),
    ],
)  # fmt: skip
def test_arguments_become_options_as_a_person_would_type_them(
    tool: str, args: dict[str, Any], argv: list[str]
) -> None:
    assert TOOLS[tool].model_validate(args).argv() == argv


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"name": ["*.py"], "also_names": ["b*"]}, ["./src/b.py"]),
        ({"names": ["*.py", "*.md"]}, ["./a.py", "./src/b.py", "./src/with space.md"]),
        ({"name": "*", "type": "f", "exclude_dirs": "src"}, ["./-dash.txt", "./a.py", "./notes.txt"]),
        ({"type": "f", "exclude_paths": ["src", "a.py", "./notes.txt"]}, ["./-dash.txt"]),
        ({"type": "d", "not_names": "src"}, ["."]),
        ({"size": ["+20c", "-40c"], "type": "f", "iname": "NOTES*"}, ["./notes.txt"]),
        ({"path_glob": "./src/*", "type": "f", "mindepth": 2}, ["./src/b.py", "./src/with space.md"]),
        ({"type": "f", "maxdepth": 1, "newer": "notes.txt", "name": "a.py"}, []),
        ({"type": "d", "name": "src", "prune_matches": True}, ["./src"]),
    ],
)
async def test_find_finds_what_its_arguments_say(
    args: dict[str, Any], found: list[str], project: Project
) -> None:
    (project.root / "notes.txt").touch()  # the newest
    result = await project.toolbox().run(ToolCall(tool="find", args=args))
    assert result.ok, result
    assert sorted(result.stdout.split("\n")[:-1]) == found


@pytest.mark.parametrize(
    ("model", "value"),
    [
        (Stage, {"tool": "cat", "args": {}, "argv": []}),
        (Stage, {"tool": "cat", "shell": "x"}),
        (Pipeline, {"stages": []}),
        (Pipeline, {"stages": [{"tool": "cat"}] * 13}),
        (Command, {"command": ""}),
        (Command, {"command": "x" * 8001}),
        (TOOLS["grep"], {}),
        (TOOLS["grep"], {"pattern": "x" * 4001}),
        (TOOLS["head"], {"lines": -1}),
        (TOOLS["sort"], {"key": "1 -o x"}),
        (TOOLS["cut"], {"delimiter": "ab"}),
        (TOOLS["comm"], {"suppress": "4"}),
        (TOOLS["git"], {"subcommand": "commit"}),
        (TOOLS["find"], {"type": "x"}),
    ],
)
def test_what_makes_no_sense_is_not_accepted(model: type[Arguments], value: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(value)
