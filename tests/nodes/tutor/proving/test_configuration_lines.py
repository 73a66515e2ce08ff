"""Lines of configuration files: every key has a name of its own, so that its line can be told by it."""

import json
import random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.proving.configuration_lines import settings_of


def tree(rng: random.Random, depth: int, names: list[str]) -> dict[str, object]:
    """Mappings, lists and scalars; names are taken from the list, each once."""
    found: dict[str, object] = {}
    for _ in range(rng.randint(1, 4)):
        name = names.pop()
        kind = rng.randrange(4 if depth else 2)
        if kind == 3:
            found[name] = tree(rng, depth - 1, names)
        elif kind == 2:
            found[name] = [{names.pop(): 1} for _ in range(rng.randint(1, 2))]
        else:
            found[name] = rng.choice([1, 0.5, True, "text: {", "", "line\nline"])
    return found


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["json", "yaml", "toml", "ini", "env"]))
def test_every_key_is_on_the_line_that_names_it(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    value = tree(rng, 2, [f"k{number}" for number in range(300, 100, -1)])
    if kind == "json":
        text = json.dumps(value, indent=rng.choice([None, 1, 4]))
    elif kind == "yaml":
        text = "# k300: no\n" + yaml.safe_dump(
            value, sort_keys=False, default_flow_style=rng.choice([True, False])
        )
    else:
        value, text = flat(rng, kind)
    found = settings_of(f"a.{kind}", text)
    assert found is not None and found.value == value
    rows = text.split("\n")
    for path, setting in found.by_path.items():
        name = path[-1]
        if isinstance(name, str):
            assert setting.line is not None and name in rows[setting.line - 1], (
                path,
                setting,
                text,
            )
            assert name not in "\n".join(rows[: setting.line - 1]).replace("# k", ""), (path, text)


def flat(rng: random.Random, kind: str) -> tuple[dict[str, object], str]:
    names = [f"k{number}" for number in range(300, 100, -1)]
    sections = [None] if kind == "env" else [names.pop() for _ in range(3)]
    value: dict[str, object] = {}
    rows = ["# some words"]
    for section in sections:
        rows += [f"[{section}]"] * (section is not None)
        keys: dict[str, object] = value if section is None else {}
        for _ in range(rng.randint(0, 4)):
            name, text = names.pop(), rng.choice(["x", "a b", "5"])
            keys[name] = text
            rows += [""] * rng.randint(0, 2)
            rows.append(f'{name} = "{text}"' if kind != "ini" else f"{name} = {text}")
        if kind == "toml" and rng.random() < 0.5:
            name = names.pop()
            keys[name] = [1, 2]
            rows += [f"{name} = [", "  1,", "  2,", "]"]
        if section is not None:
            value[section] = keys
    return value, "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"a": 1, "a": 2}'),
        ("a.json", "[" * 500 + "]" * 500),
        ("a.json", '{"a": 1,}'),
        ("a.yaml", "a: 1\na: 2\n"),
        ("a.yaml", "a: 1\n---\nb: 2\n"),
        ("a.yaml", "a: !!python/object:os.system {}\n"),
        ("a.yaml", "[" * 5000),
        ("a.toml", "a = 1\na = 2\n"),
        ("a.ini", "[a]\nb = 1\nb = 2\n"),
        ("a.ini", "b = 1\n"),
        (".env", "A=1\nA=2\n"),
        (".env", "A=$B\n"),
        (".env", 'A="1\n2"\n'),
        ("a.txt", "a = 1\n"),
    ],
)
def test_what_has_no_single_reading_is_not_read(path: str, text: str) -> None:
    assert settings_of(path, text) is None


def test_what_stands_there_by_reference_has_no_line() -> None:
    found = settings_of("a.yaml", "base: &base\n  port: 1\nprod:\n  <<: *base\n  host: x\nsame: *base\n")
    assert found is not None and found.value["prod"] == {"port": 1, "host": "x"}
    lines = {path: setting.line for path, setting in found.by_path.items()}
    assert (lines[("prod", "host")], lines[("prod", "port")], lines[("same", "port")]) == (5, None, None)
