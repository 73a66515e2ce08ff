"""`--replay` compares what it rests on with today, and tells; a manifest that was altered is no proof."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import main, parser
from cli.research_command import check_outputs
from configs.errors import UsageError
from configs.loading import load_settings
from models.scripted import Script, register_script
from nodes.research.replay_differences import differences, models_changed, prompts_changed
from tests.nodes.research.corpus import DRAFT, OFFICIAL, PASS, QUERY, REPORT


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one finished run over its own folder."""
    root = tmp_path_factory.mktemp("replayed")
    (root / "harbour.md").write_text(f"# Lindow\n\n{OFFICIAL}\n", "utf-8")
    (root / ".reflect").mkdir()
    (root / ".reflect/config.yaml").write_text("research:\n  search:\n    embedder: none\n", "utf-8")
    register_script("replayed", Script(roles={"analyst": [DRAFT], "critic": [PASS], "writer": [REPORT]}))
    words = ("--root", str(root), "--model", "scripted:replayed", "--thread", "one", "--quiet")
    assert main(["research", QUERY, *words]) == 0
    return root


def manifest_of(root: Path) -> Path:
    return root / "data/reasoning/iterations/one/manifest.json"


def falsified(root: Path, folder: Path, **values: Any) -> Path:
    """The manifest and its items elsewhere, with other values."""
    said = json.loads(manifest_of(root).read_text("utf-8")) | values
    (folder / "manifest.json").write_text(json.dumps(said), "utf-8")
    (folder / "sources.json").write_bytes((manifest_of(root).parent / "sources.json").read_bytes())
    return folder / "manifest.json"


def told(root: Path, manifest: Path) -> tuple[int, int]:
    """How much is altered and how much changed."""
    found = differences(str(manifest), root, load_settings(root).settings)
    return len(found.altered), len(found.changed)


def test_an_untouched_run_differs_in_nothing(recorded: Path) -> None:
    assert told(recorded, manifest_of(recorded)) == (0, 0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"prompts": {"research_writer": "0" * 64}}, (0, 1)),
        ({"model_digests": {"scripted:replayed": "sha256:0"}}, (0, 1)),
        ({"exchanges": []}, (1, 0)),
        ({"documents_sha256": "0" * 64}, (0, 1)),
        ({"documents_sha256": ""}, (0, 1)),
        ({"corpus_sha256": "0" * 64}, (1, 0)),
        ({"exchanges_sha256": "0" * 64}, (1, 0)),
        ({"searches": []}, (1, 0)),
    ],
)
def test_every_falsified_record_is_told(
    recorded: Path, tmp_path: Path, values: dict[str, Any], expected: tuple[int, int]
) -> None:
    assert told(recorded, falsified(recorded, tmp_path, **values)) == expected


@pytest.mark.parametrize(
    ("values", "code", "words"),
    [
        ({"prompts": {}}, 0, "Prompts changed since"),
        ({"report_sha256": "0" * 64}, 1, "differs from the recorded one"),
        ({"exchanges_sha256": "0" * 64}, 1, "The replies in the manifest are not those"),
    ],
)
def test_the_exit_code_of_a_replay_tells_alteration_and_not_change(
    recorded: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    values: dict[str, Any],
    code: int,
    words: str,
) -> None:
    manifest = falsified(recorded, tmp_path, **values)
    assert main(["research", "--replay", str(manifest), "--root", str(recorded), "--quiet"]) == code
    assert words in capsys.readouterr().err


def test_a_document_more_is_a_change_of_the_corpus(recorded: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "harbour.md").write_bytes((recorded / "harbour.md").read_bytes())
    manifest = falsified(recorded, tmp_path, corpus=str(folder))
    assert told(recorded, manifest) == (0, 0)
    (folder / "more.md").write_text("Another harbour.\n", "utf-8")
    assert told(recorded, manifest) == (0, 1)


def test_what_is_unknown_is_told_not_to_have_been_compared() -> None:
    same = {"a": "x", "b": "unknown"}
    assert models_changed(same, same) == [] and prompts_changed(same, same) == []
    (note,) = models_changed({"a": "x"}, {"a": "unknown"})
    assert "not compared" in note
    assert "a, c" in prompts_changed({"a": "x", "b": "y"}, {"b": "y", "c": "z"})[0]


@pytest.mark.parametrize(
    "beside",
    [
        ("query",),
        ("--mode", "strict"),
        ("--corpus", "a"),
        ("--sources", "a"),
        ("--from", "2023-01-01"),
        ("--to", "2023-01-01"),
        ("--ask",),
        ("--resume", "a"),
    ],
)
def test_a_replay_takes_what_to_research_from_its_manifest_only(beside: tuple[str, ...]) -> None:
    given = parser().parse_args(["research", "--replay", "m.json", *beside])
    with pytest.raises(UsageError, match="--replay and"):
        check_outputs(given)
    check_outputs(parser().parse_args(["research", "--replay", "m.json"]))
