import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import UsageError
from nodes.contractive.portable import portable
from nodes.contractive.state import ContractiveState
from nodes.contractive.trace_export import FORMAT, read_trace, trace_of, trace_text
from nodes.reflective.state import Failure
from tests.nodes.contractive.trees import event, question, towers

KEY = "sk-" + "a1B2" * 8


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    state = towers()
    trace = trace_of(state, tmp_path)
    (tmp_path / "t.json").write_text(trace_text(trace), "utf-8")
    read = read_trace(tmp_path / "t.json")
    assert read == trace and trace == trace_of(state.model_dump(mode="json"), tmp_path)
    assert (read.answer, read.status, read.stop_reason) == (state.final_answer, "uncertain", "fixed_point")
    assert read.parameters.limits == state.limits and read.parameters.seed == 7
    assert read.passes == state.passes and read.metrics == state.metrics and set(read.tree) == set(state.tree)
    assert [one.type for one in read.events][-1] == "finished" and not any(
        one.events for one in read.tree.values()
    )
    assert {"python", "langgraph", "reflective-graph"} <= set(read.parameters.versions)


def test_no_secret_and_no_path_of_the_machine_is_in_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "anna"
    monkeypatch.setenv("HOME", str(home))
    root = home / "work" / "project"
    secret = f"password={KEY} and {home}/notes"
    state = towers().model_copy(
        update={
            "question": f"What is in {root}/a.txt and in /etc/fstab? {secret}",
            "context": f"all of {secret}",
            "model": f"embedded:{home}/models/small.gguf",
            "peer": "scripted:/opt/scripts/peer.yaml",
            "notes": [f"{root}/x was not read", "/opt/lib/y.so is missing"],
            "failure": Failure(node="solve", kind="X", what="no /opt/lib/z.so", remedy=f"see {home}"),
            "tree": {"0": question("0", secret, secret, errors=["/var/lib/q/r: gone"])},
            "events": [event("call_failed", 1, "0", problem="/var/lib/q/s: gone", said=secret)],
        }
    )
    trace = trace_of(ContractiveState.model_validate(state.model_dump()), root)
    text = trace_text(trace)
    for word in (KEY, str(home), str(tmp_path), "/opt/", "/var/lib", "all of"):
        assert word not in text, word
    assert trace.question.startswith("What is in ./a.txt and in /etc/fstab?")
    assert (trace.parameters.model, trace.parameters.peer) == ("embedded:small.gguf", "scripted:peer.yaml")
    assert trace.notes == ["./x was not read", "y.so is missing"]
    assert trace.tree["0"].errors == ["r: gone"] and trace.events[0].facts["problem"] == "s: gone"
    assert trace.parameters.context.characters == len(state.context)


@settings(max_examples=25)
@given(
    st.recursive(st.text() | st.integers() | st.none(), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_what_was_made_portable_stays_as_it_is(value: object) -> None:
    directories = {"/home/anna": "~", "/home/anna/p": "."}
    once = portable(value, directories)
    assert portable(once, directories) == once


@pytest.mark.parametrize("name", ["notes", "question"])
def test_words_with_strokes_are_no_paths(name: str) -> None:
    for text in ("60 km/h and/or 3/4", "see https://example.org/a/b", "TCP/IP/x", "a/b/c", "~/x/y", "/etc"):
        assert portable({name: text}, {"/home/anna": "~"}) == {name: text}
    assert portable({name: "/home/anna2/x"}, {"/home/anna": "~"})[name] in ("/home/anna2/x", "x")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", b"[]", b"\xff\xfe\x00", b'{"format": "something else"}', b"x" * 1000,
        json.dumps({"format": FORMAT, "version": 2}).encode(), json.dumps({"format": FORMAT}).encode(),
    ],
)  # fmt: skip
def test_what_is_no_trace_is_not_read_as_one(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(UsageError, match="is no trace"):
        read_trace(tmp_path / "f")


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", Path("/dev/zero")):
        with pytest.raises(UsageError, match="is no file"):
            read_trace(path)


def test_a_trace_of_another_version_or_with_a_field_more_is_refused(tmp_path: Path) -> None:
    values = trace_of(towers(), tmp_path).model_dump(mode="json")
    for changed in ({"version": 2}, {"more": 1}, {"status": "fine"}, {"confidence": "high"}):
        (tmp_path / "t").write_text(json.dumps(values | changed), "utf-8")
        with pytest.raises(UsageError, match=next(iter(changed))):
            read_trace(tmp_path / "t")
