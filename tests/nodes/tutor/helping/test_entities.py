"""What an observation names: bounded, nothing twice, what was looked for first."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.facts import Entry, Fact, Found, Lines, Match, Matches, Measure, Search, Text
from nodes.tutor.helping.config_keys import MOST_KEYS, keys_in
from nodes.tutor.helping.entities import MOST_ENTITIES, Entity, entities_of
from nodes.tutor.helping.sightings import sighting_of

NAMES = st.text("abcdef", min_size=1, max_size=6)
PATHS = st.builds("/".join, st.lists(NAMES, min_size=1, max_size=3)).map(lambda path: f"{path}.txt")
TEXTS = st.text("ab:=. \n", max_size=40)
FACTS: st.SearchStrategy[Fact] = st.one_of(
    st.builds(Entry, path=PATHS, kind=st.sampled_from(["file", "directory", "absent", "link"])),
    st.builds(Text, path=PATHS, text=TEXTS),
    st.builds(
        Lines, path=PATHS, first=st.none() | st.integers(1, 9), lines=st.lists(NAMES, max_size=9).map(tuple)
    ),
    st.builds(Measure, path=PATHS, unit=st.just("lines"), value=st.integers(0, 99)),
    st.builds(
        Search,
        directory=st.just("."),
        found=st.lists(st.builds(Found, path=PATHS, kind=st.just("file")), max_size=12).map(tuple),
    ),
)


@given(st.lists(FACTS, max_size=5))
@settings(max_examples=25)
def test_entities_are_few_told_once_and_stand_in_the_facts(facts: list[Fact]) -> None:
    entities = entities_of(facts)
    assert len(entities) <= MOST_ENTITIES and len(set(entities)) == len(entities)
    shown = json.dumps([fact.model_dump(mode="json") for fact in facts])
    for entity in entities:
        path = entity.text.rpartition(":")[0] if entity.kind == "place" else entity.text
        assert path in shown


def test_what_is_absent_or_a_link_is_no_file() -> None:
    assert entities_of([Entry(path="a", kind="absent"), Entry(path="b", kind="link")]) == ()


def test_matches_come_before_a_long_listing() -> None:
    listing = Search(
        directory=".", found=tuple(Found(path=f"f{number}", kind="file") for number in range(200))
    )
    match = Match(path="deep/hit.py", number=7, text="token")
    matches = Matches(path="deep/hit.py", literal="token", count=1, lines=(match,))
    entities = entities_of([listing, matches])
    assert entities[:2] == (Entity("place", "deep/hit.py:7"), Entity("path", "deep/hit.py"))
    assert len(entities) == MOST_ENTITIES


def test_keys_and_names_have_room_beside_lines() -> None:
    source = "import os\nfrom .near import thing\n\nclass Box:\n    def open(self):\n" + "x = 1\n" * 100
    entities = entities_of(
        [
            Text(path="pkg/box.py", text=source),
            Text(path="app.json", text='{"a": {"b": [1, {"c": 2}]}}'),
        ]
    )
    texts = {entity.text for entity in entities if entity.kind in ("key", "name")}
    assert {"Box", "open", "os", "pkg.near", "pkg.near.thing", "a.b[1].c"} <= texts


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"server": {"port": 80, "on": true}, "hosts": [{"name": "x"}]}'),
        ("a.yaml", "server:\n  port: 80\n  on: true # yes\nhosts:\n- name: x\n"),
        ("a.yml", "server:\n    port: 80\n    on: true\nhosts:\n  - name: 'x'\n"),
    ],
)
def test_key_paths_of_nested_files_have_their_values(path: str, text: str) -> None:
    keys = dict(keys_in(path, text))
    assert keys["server.port"] == 80 and keys["server.on"] is True and keys["hosts[0].name"] == "x"


def test_key_paths_of_files_with_sections() -> None:
    assert dict(keys_in("a.toml", '[server]\nport = 80\nname = "x"\n')) == {
        "server.port": 80,
        "server.name": "x",
    }
    assert dict(keys_in("a.ini", "[server]\nport = 80\n; note\n")) == {"server.port": "80"}
    assert dict(keys_in("prod.env", "export PORT=80\n# X=1\n")) == {"PORT": "80"}


@given(st.sampled_from(["a.json", "a.yaml", "a.toml", "a.ini", ".env", "a.txt"]), st.text(max_size=200))
@settings(max_examples=50)
def test_any_text_can_be_scanned_for_keys(path: str, text: str) -> None:
    assert len(keys_in(path, text)) <= MOST_KEYS


@given(st.recursive(st.integers(), lambda inner: st.dictionaries(NAMES, inner, max_size=3), max_leaves=12))
@settings(max_examples=25)
def test_every_key_path_of_a_json_file_leads_to_its_value(tree: object) -> None:
    for key, value in keys_in("a.json", json.dumps(tree)):
        at = tree
        for part in re.findall(r"[^.\[\]]+", key):
            assert isinstance(at, dict)
            at = at[part]
        assert at == value


def test_deeply_nested_json_shows_few_keys_and_raises_nothing() -> None:
    assert keys_in("a.json", "[" * 50_000) == ()
    assert len(keys_in("a.json", '{"a":' * 900 + "1" + "}" * 900)) == MOST_KEYS


def test_lines_know_their_numbers_and_paths_in_texts_are_noted() -> None:
    seen = sighting_of((Text(path="log.txt", text='\nFile "app/main.py", line 3\n'),))
    assert seen.lines == (("log.txt", 2, 'File "app/main.py", line 3'),)
    assert "app/main.py" in seen.mentioned and seen.read == ("log.txt",)
    assert sighting_of((Lines(path="log.txt", first=None, lines=("x",)),)).lines == ()
