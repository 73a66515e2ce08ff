from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from configs.settings import ExperienceSettings
from memory.corpus import HybridExperience
from memory.experience.open_indexes import close_indexes
from models import embeddings
from tests.memory.places import event
from tests.memory.test_episodes_and_feedback import episode, feedback
from tests.support.hashing_embedder import HashingEmbedder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(embeddings, "open_embedder", lambda _: HashingEmbedder())
    yield root
    close_indexes()


def corpus_of(root: Path) -> HybridExperience:
    return HybridExperience(ExperienceSettings(), root, HashingEmbedder)


def run(capsys: pytest.CaptureFixture[str], root: Path, *argv: str) -> tuple[int, str, str]:
    code = main(["experience", *argv, "--root", str(root)])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_a_search_shows_what_later_worked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = corpus_of(project)
    meta = {"category": "not_found", "lesson": "look first"}
    common = {"event_type": "reflection", "outcome_status": "failure", "error": "it is gone\x1b[31m"}
    corpus.append(event("count tests", event_id="r", meta=meta, **common))
    corpus.append(episode("e", goal="something else", meta={"steps": ["find", "count"]}))
    corpus.append(feedback("f", "r", resolved_by="e"))
    corpus.append(feedback("g", "r", helpful=1))
    code, out, _ = run(capsys, project, "search", "count tests it is gone look first")
    assert code == 0
    for part in (
        "PROJECT",
        "count tests",
        "failure",
        "it is gone",
        "look first",
        "find; then count",
        "helpful 1",
    ):
        assert part in out
    assert "\x1b" not in out
    code, out, _ = run(capsys, project, "search", "count tests it is gone look first", "--json")
    [hit] = json.loads(out)
    assert (hit["resolved_by"], hit["later"], hit["helpful"], hit["scope"]) == (
        "e",
        "find; then count",
        1,
        "project",
    )
    assert run(capsys, project, "search", "count tests it is gone", "--scope", "global")[0] == 1
    code, out, _ = run(capsys, project, "patterns")
    assert code == 0 and "not_found: 1 times, 100% solved" in out and "1 x find; then count" in out
    assert json.loads(run(capsys, project, "patterns", "other", "--json")[1]) == []


def test_stats_prune_reindex_export_and_import(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = corpus_of(project)
    corpus.append(episode("old", days_ago=40))
    corpus.append(episode("new"))
    with corpus.project.path.open("ab") as stream:
        stream.write(b"\xff\n")
    assert json.loads(run(capsys, project, "reindex", "--json")[1]) == {"project": 2, "global": 0}
    stats = json.loads(run(capsys, project, "stats", "--json")[1])["corpora"][0]
    assert (stats["events"], stats["bad_lines"], stats["indexed"]) == (2, 1, 2)
    assert "2 events, 1 unreadable lines" in run(capsys, project, "stats", "--scope", "project")[1]
    assert "1 events would be removed" in run(capsys, project, "prune", "--dry-run")[1]
    assert json.loads(run(capsys, project, "prune", "--json")[1])["project"]["events"] == 1
    out = str(tmp_path / "out.jsonl")
    assert "1 events exported, 1 unreadable" in run(capsys, project, "export", out)[1]
    assert "0 events imported, 1 were known" in run(capsys, project, "import", out)[1]
    shown = run(capsys, project, "import", out, "--scope", "global")[1]
    assert "1 events imported" in shown and "quarantine" in shown


@pytest.mark.parametrize("what", ["missing", "directory", "pipe", "binary"])
def test_bad_files_are_told_without_a_traceback(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    path = tmp_path / "file"
    if what == "directory":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "binary":
        path.write_bytes(os.urandom(10_000))
    code, out, err = run(capsys, project, "import", str(path))
    if what == "binary":
        assert code == 0 and "0 events imported" in out
    else:
        assert code == 2 and "reflect:" in err
    assert "Traceback" not in err
    if what in ("directory", "pipe"):
        assert run(capsys, project, "export", str(path))[0] == 2


def test_a_project_without_experience(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, project, "search", 'NEAR("')[0] == 1
    for action in ("stats", "patterns", "reindex", "prune"):
        assert run(capsys, project, action)[0] == 0
    assert not (project / ".reflect").exists()


def test_a_record_is_forgotten_by_its_id(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = corpus_of(project)
    corpus.append(event("leak the customer list", event_id="bad"), to_global=True)
    corpus.append(event("count the files", event_id="kept"))
    corpus.append(feedback("f", "bad", helpful=1))
    code, out, _ = run(capsys, project, "forget", "bad", "--dry-run", "--json")
    assert (code, json.loads(out)["project"]) == (0, {"lines": 2, "dry_run": True})
    code, out, _ = run(capsys, project, "forget", "bad")
    assert (code, out) == (0, "project: 2 lines removed\nglobal: 1 lines removed\n")
    assert "leak" not in corpus.project.path.read_text() and "count" in corpus.project.path.read_text()
    code, _, err = run(capsys, project, "forget", "bad", "nobody's")
    assert code == 1 and "no record has such an id" in err


def test_nothing_is_exchanged_where_nothing_is_shared(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus_of(project).append(event("count the files"))
    code, out, err = run(capsys, project, "sync")
    assert (code, out) == (1, "") and "experience.url_env" in err
    monkeypatch.setenv("REFLECT_EXPERIENCE__URL_ENV", "NO_SUCH_VARIABLE")
    code, _, err = run(capsys, project, "sync")
    assert code == 2 and "is not set, or holds no postgres:// URL" in err


def test_a_project_may_share_nothing_by_its_own_settings(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URL", "postgres://ann@db.example.org/records")
    own = project / ".reflect/config.yaml"
    own.parent.mkdir()
    for key, value in (("url_env", "URL"), ("chroma_url_env", "URL"), ("project_id", "another")):
        own.write_text(f"experience:\n  {key}: {value}\n")
        code, out, err = run(capsys, project, "stats")
        assert (code, out) == (2, "") and f"`experience.{key}`" in err and "only your own settings" in err
