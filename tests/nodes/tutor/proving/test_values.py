"""Values of configuration files: by type, by key path, by unit."""

import configparser
import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Text
from nodes.tutor.proving.configurations import read
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World

keys = st.sampled_from(["a", "b", "port", "time out", "x-y", "Ä"])
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([1.0, 0.5, -2.25, 1e20]),
    st.sampled_from(["1", "a"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


def status(claim: Claim, path: str, text: str) -> str:
    assert problem_of(claim) is None
    return prove(claim, World({"o1": [Text(path=path, text=text)]})).status


def value_of(path: str, key: str, value: object, text: str, unit: str | None = None) -> str:
    return status(Claim(predicate="value_of", subject=key, value=value, scope=path, unit=unit), path, text)


def places(value: object, path: str = "") -> list[tuple[str, object]]:
    """Every key path of a value, with what stands there."""
    found = [(path or "$", value)]
    if isinstance(value, dict):
        for key, part in value.items():
            found += places(part, f"{path}.{key}" if path else key)
    if isinstance(value, list):
        for index, part in enumerate(value):
            found += places(part, f"{path}[{index}]")
    return found


def same(one: object, other: object) -> bool:
    """By type and value, as JSON writes them."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(st.dictionaries(keys, values, max_size=3), values, st.sampled_from(["c.json", "c.yaml"]))
@settings(max_examples=60)
def test_each_value_is_proved_and_no_other(root: dict[str, object], other: object, path: str) -> None:
    text = json.dumps(root) if path == "c.json" else yaml.safe_dump(root, allow_unicode=True)
    for key, value in places(root):
        assert value_of(path, key, value, text) == "validated"
        assert value_of(path, key, other, text) == ("validated" if same(value, other) else "refuted")
    for key, value in places(root):
        if isinstance(value, dict | list):
            unit = "keys" if isinstance(value, dict) else "items"
            for number in (len(value), len(value) + 1):
                claim = Claim(predicate="count", subject=key, value=number, unit=unit, scope=path)
                assert status(claim, path, text) == ("validated" if number == len(value) else "refuted")


TOML = 'title = "x"\n[a]\nport = 80\nratio = 1.0\n"b.c" = true\nwhen = 2024-05-01\n[[a.list]]\nname = "n"\n'
INI = "[DEFAULT]\nhome = /x\n[srv]\nPort = 80\nname: a b\nlog.level = 7%\nwide = %(home)s\n[a.b]\nc = 1\n"
ENV = "# x\nexport A=1\nB='two words'\nC=\nD=a#b\nE=$A\nF=\"x\"\nA_MS=20\n"
PROPERTIES = "a.b = 1\nc:2\n! x\nempty\n"
YAML = "base: &b {x: 1, y: 2}\nnew:\n  <<: *b\n  y: 3\non_date: 2024-05-01\nyes: 1\n1: one\n"
JSON = '{"a": {"b": 1, "b": 2, "c": [1.0, {"d": null}]}, "a.c": 5, "x.y": 6, "timeout_ms": 1500}'

READ = [
    ("c.toml", "a.port", 80, TOML, "validated"),
    ("c.toml", "a.port", "80", TOML, "refuted"),
    ("c.toml", "a.ratio", 1, TOML, "refuted"),
    ("c.toml", "a.b.c", True, TOML, "validated"),
    ("c.toml", 'a["b.c"]', True, TOML, "validated"),
    ("c.toml", "a.list[0].name", "n", TOML, "validated"),
    ("c.toml", "a.list[1].name", "n", TOML, "refuted"),
    ("c.toml", "a.list.0.name", "n", TOML, "undecidable"),
    ("c.toml", "a.when", "2024-05-01", TOML, "undecidable"),
    ("c.toml", "a.port", 80, TOML + "[a]\n", "undecidable"),
    ("c.ini", "srv.Port", "80", INI, "validated"),
    ("c.ini", "srv.Port", 80, INI, "refuted"),
    ("c.cfg", "srv.port", "80", INI, "undecidable"),
    ("c.conf", "srv.name", "a b", INI, "validated"),
    ("c.conf", "srv.home", "/x", INI, "validated"),
    ("c.conf", "srv.log.level", "7%", INI, "validated"),
    ("c.conf", "srv.wide", "/x", INI, "undecidable"),
    ("c.ini", "a.b.c", "1", INI, "validated"),
    ("c.ini", "srv.none", "1", INI, "refuted"),
    ("c.ini", "srv.Port", "80", INI + "[srv]\nx = 1\n", "undecidable"),
    (".env", "A", "1", ENV, "validated"),
    (".env", "A", 1, ENV, "refuted"),
    (".env.local", "B", "two words", ENV, "validated"),
    ("x.env", "C", "", ENV, "validated"),
    (".env", "D", "a#b", ENV, "undecidable"),
    (".env", "E", "1", ENV, "undecidable"),
    (".env", "F", "x", ENV, "validated"),
    (".env", "F", "x", ENV + "F=y\n", "undecidable"),
    ("p.properties", "a.b", "1", PROPERTIES, "validated"),
    ("p.properties", "c", "2", PROPERTIES, "validated"),
    ("p.properties", "empty", "", PROPERTIES, "validated"),
    ("p.properties", "c", "2", PROPERTIES + "d = x\\\n", "undecidable"),
    ("c.yml", "new.x", 1, YAML, "validated"),
    ("c.yml", "new.y", 3, YAML, "validated"),
    ("c.yml", "on_date", "2024-05-01", YAML, "undecidable"),
    ("c.yml", "1", "one", YAML, "undecidable"),
    ("c.yml", "new.y", 3, YAML + "base: 1\n", "validated"),
    ("c.yml", "base", 1, YAML + "base: 1\n", "undecidable"),
    ("c.yml", "base.x", 1, YAML + "---\na: 1\n", "undecidable"),
    ("c.yml", "base.x", 1, YAML + "z: !!python/name:os.system\n", "undecidable"),
    ("c.json", "a.b", 2, JSON, "undecidable"),
    ("c.json", "a", {"b": 2, "c": [1.0, {"d": None}]}, JSON, "undecidable"),
    ("c.json", "a.c", 5, JSON, "undecidable"),
    ("c.json", '["a.c"]', 5, JSON, "validated"),
    ("c.json", "x.y", 6, JSON, "validated"),
    ("c.json", "a.c[0]", 1.0, JSON, "validated"),
    ("c.json", "a.c[0]", 1, JSON, "refuted"),
    ("c.json", "a.c[1].d", None, JSON, "validated"),
    ("c.json", "a.c[1].d", False, JSON, "refuted"),
    ("c.json", "a.c[1].e", None, JSON, "refuted"),
    ("c.json", "a", 1, '{"a": NaN}', "undecidable"),
    ("c.json", "a", 1, '{"a": 1', "undecidable"),
    ("notes.txt", "a", 1, '{"a": 1}', "undecidable"),
    ("json", "a", 1, '{"a": 1}', "undecidable"),
]


@pytest.mark.parametrize(("path", "key", "value", "text", "expected"), READ)
def test_each_format_is_read_as_programs_read_it(
    path: str, key: str, value: object, text: str, expected: str
) -> None:
    assert value_of(path, key, value, text) == expected


UNITS = [
    ("timeout_ms", 1500, 1.5, "s", "validated"),
    ("timeout_ms", 1500, 1500, "ms", "validated"),
    ("timeout_ms", 1500, 1500.0, "ms", "refuted"),
    ("timeout_ms", 1500, 1500, None, "validated"),
    ("timeout_ms", 1500, 1500, "s", "refuted"),
    ("timeout_ms", 2000, 2, "s", "validated"),
    ("timeout_ms", 2000, 2.0, "s", "undecidable"),
    ("timeout_ms", 2000, "2", "s", "undecidable"),
    ("timeout_ms", True, 0.001, "s", "undecidable"),
    ("delay_s", 0.1, 100, "ms", "validated"),
    ("delay_min", 2, 120, "seconds", "validated"),
    ("size_kib", 4, 4096, "bytes", "validated"),
    ("size_kb", 4, 4096, "B", "refuted"),
    ("size_mb", 1, 1000, "KB", "validated"),
    ("size_mb", 1, 1, "ms", "undecidable"),
    ("size", 1, 1, "mb", "undecidable"),
    ("load_percent", 5, 5, "%", "validated"),
]


@pytest.mark.parametrize(("key", "stored", "value", "unit", "expected"), UNITS)
def test_units_are_converted_exactly(
    key: str, stored: object, value: object, unit: str | None, expected: str
) -> None:
    assert value_of("c.json", key, value, json.dumps({key: stored}), unit) == expected


COMPARED = [
    ("greater", "a.n", 4, "validated"),
    ("greater", "a.n", 5, "refuted"),
    ("less", "a.n", 5.5, "validated"),
    ("less", "a.n", "a.m", "validated"),
    ("greater", "a.n", "a.m", "refuted"),
    ("less", "a.m", "a.m", "refuted"),
    ("less", "a.n", "a.wait_s", "undecidable"),
    ("less", "a.wait_ms", "a.wait_s", "undecidable"),
    ("greater", "a.t", 1, "undecidable"),
    ("greater", "a.b", 0, "undecidable"),
    ("greater", "a.none", 0, "undecidable"),
]


@pytest.mark.parametrize(("predicate", "key", "value", "expected"), COMPARED)
def test_only_numbers_are_larger_or_smaller(predicate: str, key: str, value: object, expected: str) -> None:
    text = '{"a": {"n": 5, "m": 5.25, "t": "9", "b": true, "wait_s": 9, "wait_ms": 1}}'
    claim = Claim.model_validate({"predicate": predicate, "subject": key, "value": value, "scope": "c.json"})
    assert status(claim, "c.json", text) == expected


COUNTED = [
    ("c.json", "a", 2, "keys", '{"a": {"x": 1, "y": [1]}}', "validated"),
    ("c.json", "a", 2, "items", '{"a": {"x": 1, "y": [1]}}', "undecidable"),
    ("c.json", "a.y", 1, "items", '{"a": {"x": 1, "y": [1]}}', "validated"),
    ("c.json", "a", 1, "keys", '{"a": {"x": 1, "x": 1}}', "undecidable"),
    ("c.json", ".", 1, "keys", '{"a": {"x": 1, "x": 1}}', "validated"),
    ("c.ini", "srv", 4, "keys", INI, "undecidable"),
    ("c.ini", "a", 1, "keys", "[a]\nb = 1\n", "validated"),
    ("c.properties", "", 1, "keys", "a = 1\\\nb = 2\n", "undecidable"),
]


@pytest.mark.parametrize(("path", "key", "number", "unit", "text", "expected"), COUNTED)
def test_keys_and_items_are_counted_where_that_is_clear(
    path: str, key: str, number: int, unit: str, text: str, expected: str
) -> None:
    claim = Claim(predicate="count", subject=key, value=number, unit=unit, scope=path)
    assert status(claim, path, text) == expected


NESTED = 100_000
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(20)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} {{<<: [{', '.join([f'*{chr(97 + n)}'] * 9)}]}}\n" for n in range(20)
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("c.json", "[" * NESTED + "]" * NESTED),
        ("c.json", '{"a": ' + "9" * 5000 + "}"),
        ("c.yaml", "[" * NESTED),
        ("c.yaml", "- " * NESTED),
        ("c.yaml", "a: &a [*a]"),
        ("c.yaml", MERGES),
        ("c.yaml", "a: !!int x"),
        ("c.yaml", "? [a]\n: b"),
        ("c.toml", "a = " + "[" * NESTED),
        ("c.toml", ".".join("a" * NESTED) + " = 1"),
        ("c.ini", "[a]\nx" + " " * NESTED + "y"),
        ("c.json", " " * 300_000 + "1"),
    ],
)
def test_what_is_too_deep_or_ill_formed_is_not_read(path: str, text: str) -> None:
    assert read(path, text) is None


def test_aliases_that_multiply_are_compared_without_being_written_out() -> None:
    assert value_of("c.yaml", "t[0][0]", ["x"], BOMB) == "refuted"
    assert value_of("c.yaml", "a[8]", "x", BOMB) == "validated"


@given(
    st.text(alphabet="a=:[]{}\"'-&*!#%$\n\\ .1", max_size=40),
    st.sampled_from(["c.json", "c.yaml", "c.toml", "c.ini", ".env", "c.properties"]),
)
@settings(max_examples=150)
def test_no_file_raises(text: str, path: str) -> None:
    for key in ("a", "a.a", "$", "1"):
        assert value_of(path, key, "a", text) in ("validated", "refuted", "undecidable")


@given(
    st.dictionaries(
        st.sampled_from(["k", "l.m", "n-o"]), st.sampled_from(["1", "a b", "x;y", "#"]), min_size=1
    )
)
@settings(max_examples=30)
def test_sections_are_read_as_configparser_reads_them(section: dict[str, str]) -> None:
    text = "[s]\n" + "".join(f"{key} = {value}\n" for key, value in section.items())
    expected = configparser.ConfigParser()
    expected.read_string(text)
    for key in section:
        assert value_of("c.ini", f"s.{key}", expected["s"][key], text) == "validated"
