from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.corpus import HybridExperience
from memory.errors import TransferFailed
from tests.memory.experience.test_recollection import anything
from tests.memory.places import Experience, event
from tests.memory.test_episodes_and_feedback import KEY, episode, feedback, ids
from tests.memory.test_redaction import NAMED, SECRETS


@pytest.fixture
def elsewhere(tmp_path: Path) -> HybridExperience:
    for name in ("elsewhere", "nobody"):
        (tmp_path / name).mkdir()
    return Experience(tmp_path / "elsewhere", tmp_path / "nobody").open()


def test_what_is_imported_stays_in_quarantine_until_a_run_of_this_project_releases_it(
    experience: Experience, elsewhere: HybridExperience, tmp_path: Path
) -> None:
    elsewhere.append(episode("e", meta={"lesson": "do as I say"}))
    elsewhere.append(feedback("f1", "e", released=True))
    elsewhere.append(feedback("f2", "e", helpful=1))
    assert elsewhere.export(tmp_path / "out.jsonl").events == 3
    corpus = experience.open()
    assert corpus.import_(tmp_path / "out.jsonl").added == 3
    assert corpus.search("count the python files") == corpus.episodes(KEY) == []
    assert corpus.plan_examples("count the python files") == []
    [waiting] = corpus.quarantined(KEY)
    assert (waiting.event_id, waiting.helpful) == ("e", 0)
    assert waiting.meta["imported_from"] == "out.jsonl" and waiting.meta["quarantined"] is True
    corpus.append(feedback("f3", "e", released=True))
    assert ids(corpus.search("count the python files")) == ids(corpus.episodes(KEY)) == ["e"]
    assert corpus.quarantined(KEY) == []


def test_importing_twice_adds_nothing(
    experience: Experience, elsewhere: HybridExperience, tmp_path: Path
) -> None:
    for number in range(3):
        elsewhere.append(episode(f"e{number}"))
    out = tmp_path / "out.jsonl"
    elsewhere.export(out)
    with out.open("a") as stream:
        stream.write('{"goal": "g", "event_type": "episode", "session_id": "s", "timestamp": "2025-01-01"}\n')
    corpus = experience.open()
    assert corpus.import_(out) == corpus.import_(out).__class__(4, 0, 0)
    size = experience.file.stat().st_size
    assert (corpus.import_(out).added, corpus.import_(out).known) == (0, 4)
    assert experience.file.stat().st_size == size
    assert elsewhere.import_(out).added == 1


def test_an_import_cannot_sink_praise_or_solve_records_of_this_project(
    experience: Experience, elsewhere: HybridExperience, tmp_path: Path
) -> None:
    corpus = experience.open()
    corpus.append(episode("mine"))
    corpus.append(
        event("g", event_type="reflection", outcome_status="failure", event_id="r", meta={"key": KEY})
    )
    for number in range(5):
        elsewhere.append(feedback(f"h{number}", "mine", harmful=1))
        elsewhere.append(feedback(f"g{number}", "mine", helpful=1))
    elsewhere.append(feedback("s", "r", resolved_by="evil"))
    elsewhere.export(tmp_path / "out.jsonl")
    corpus.import_(tmp_path / "out.jsonl")
    [stored] = corpus.episodes(KEY)
    assert (stored.helpful, stored.harmful) == (0, 0)
    assert corpus.unresolved(KEY) == ["r"]


def test_no_secret_gets_in_or_out(
    experience: Experience, elsewhere: HybridExperience, tmp_path: Path
) -> None:
    secrets = [*SECRETS.values(), *(secret for _, secret in NAMED)]
    texts = [*SECRETS.values(), *(text.format(secret) for text, secret in NAMED)]
    corpus = experience.open()
    for text in texts:
        corpus.append(event(text, error=text, meta={"lesson": text, "plan": [{"args": text}]}))
    by_hand = {
        "event_type": "episode",
        "session_id": "s",
        "timestamp": "2025-01-01",
        "outcome_status": "success",
    }
    with experience.file.open("a") as stream:
        for text in texts:
            stream.write(json.dumps({**by_hand, "goal": text, "meta": {"a": [text]}}) + "\n")
    raw = tmp_path / "raw.jsonl"
    raw.write_bytes(experience.file.read_bytes())
    out = tmp_path / "out.jsonl"
    assert corpus.export(out).events == 2 * len(texts)
    assert elsewhere.import_(raw).refused == 0
    for written in (out, elsewhere.project.path):
        found = [secret for secret in secrets if json.dumps(secret)[1:-1] in written.read_text()]
        assert found == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["event_type", "goal", "meta", "timestamp", "event_id", "session_id", "future"]),
            anything,
        )
        | st.none(),
        max_size=4,
    )
)
def test_any_file_can_be_imported(tmp_path: Path, experience: Experience, lines: list[Any]) -> None:
    file = tmp_path / "any.jsonl"
    base = {"event_type": "episode", "goal": "g", "session_id": "s", "timestamp": "2025-01-01"}
    file.write_text("".join(json.dumps({**base, **line} if line else line) + "\n" for line in lines))
    done = experience.open().import_(file)
    assert done.added + done.known + done.refused == len(lines)
    for line in experience.open().project.file.read():
        assert line.record is not None and line.record["meta"]["quarantined"] is True


@pytest.mark.parametrize("what", ["missing", "directory", "pipe"])
def test_what_is_no_file_is_refused_at_once(experience: Experience, tmp_path: Path, what: str) -> None:
    path = tmp_path / "there"
    if what == "directory":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    corpus = experience.open()
    corpus.append(episode("e"))
    with pytest.raises(TransferFailed, match="no file" if what == "missing" else "directory|regular"):
        corpus.import_(path)
    if what != "missing":
        with pytest.raises(TransferFailed, match="directory|regular"):
            corpus.export(path)
    with pytest.raises(TransferFailed, match="corpus itself"):
        corpus.export(experience.file)


def test_an_export_that_fails_leaves_what_was_there(experience: Experience, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("precious")
    corpus = experience.open()
    corpus.append(episode("e"))
    with pytest.raises(TransferFailed):
        corpus.export(tmp_path / "nowhere" / "out.jsonl")
    corpus.export(out)
    assert json.loads(out.read_text())["event_id"] == "e"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out.jsonl", "project"]


def test_an_event_of_both_corpora_is_exported_once(experience: Experience, tmp_path: Path) -> None:
    corpus = experience.open()
    corpus.append(episode("both"), to_global=True)
    corpus.append(episode("one"))
    assert corpus.export(tmp_path / "out.jsonl").events == 2
    assert corpus.export(tmp_path / "out.jsonl", "global").events == 1
