"""`reflect research` over a folder of real documents, with a live small model behind Ollama's protocol."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.ollama_server import MODEL
from tests.support.processes import ROOT, free_port, reflect

pytestmark = pytest.mark.integration

QUERY = "Which Python version does Reflective Graph need?"
# How long the model takes is the machine's affair; nothing here measures it.
PATIENT = {f"REFLECT_RESEARCH__{agent}_TIMEOUT": "500" for agent in ("ANALYST", "CRITIC", "WRITER")}
SMALL = {"REFLECT_MODELS__DEFAULT__NUM_CTX": "1280", "REFLECT_MODELS__DEFAULT__TIMEOUT": "500"}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """This project's own documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("README.md", "LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, folder / (name if name.endswith(".md") else f"{name}.txt"))
    shutil.copytree(ROOT / "configs" / "prompts", folder / "prompts")
    return folder


def report(docs: Path, model: str, code: set[int], **variables: str) -> dict[str, Any]:
    """The one item a run answers with."""
    done = reflect(
        "research",
        QUERY,
        *("--corpus", str(docs), "--model", f"ollama:{model}", "--thread", "t", "--json"),
        home=docs.parent,
        timeout=580,
        **variables,
    )
    assert done.returncode in code, done.stderr
    (item,) = json.loads(done.stdout)
    return item


def check_honest(item: dict[str, Any], docs: Path) -> None:
    """Every sentence lies, word for word, where it is said to lie."""
    told = item["schema_object"]
    if told["@type"] == "NoDataReport":
        assert "Not enough evidence" in item["description"] and "[1]" not in item["description"]
        return
    assert told["@type"] == "ResearchReport" and told["sentences"]
    for sentence in told["sentences"]:
        assert sentence["verdict"] == "supported" and sentence["spans"], sentence
        for span in sentence["spans"]:
            text = (docs / span["url"]).read_text("utf-8")
            assert text[span["start"] : span["end"]] == span["text"]
    assert set(told["sources_used"]) <= {
        path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.is_file()
    }


def test_a_live_model_is_asked_and_the_report_holds_nothing_but_what_the_documents_say(
    docs: Path, ollama: str
) -> None:
    item = report(docs, MODEL, {0, 1}, OLLAMA_HOST=ollama, **SMALL, **PATIENT)
    check_honest(item, docs)
    told = item["schema_object"]
    assert told["models"]["analyst"] == f"ollama:{MODEL}"
    assert told["usage"]["analyst"]["prompt_tokens"] > 300 and told["usage"]["analyst"]["completion_tokens"]
    directory = docs.parent / "data/reasoning/iterations/t"
    asked = json.loads((directory / "iteration_1_analyst.json").read_text("utf-8"))
    assert QUERY in asked["input_prompt"] and asked["metadata"]["sources_shown"]
    manifest = json.loads((directory / "manifest.json").read_text("utf-8"))
    assert manifest["model_digests"][f"ollama:{MODEL}"] == "0" * 64
    # The same words without the server: the replies were recorded as they came over the wire.
    again = reflect("research", "--replay", str(directory / "manifest.json"), "--json", home=docs.parent)
    assert again.returncode == 0 and json.loads(again.stdout) == [item], again.stderr


@pytest.mark.parametrize(
    ("model", "told"),
    [("fault-500:x", "terminated"), ("fault-cut:x", "broke off"), ("fault-stall:x", "within 2 seconds")],
)
def test_a_server_that_fails_in_the_middle_leaves_a_report_that_says_so(
    docs: Path, ollama: str, model: str, told: str
) -> None:
    limits = {name: "2" for name in PATIENT} if model.startswith("fault-stall") else PATIENT
    item = report(docs, model, {0, 1}, OLLAMA_HOST=ollama, **limits)
    check_honest(item, docs)
    notes = item["schema_object"]["notes"]
    assert any("copied from the sources" in note and told in note for note in notes), notes


def test_a_model_or_a_server_that_is_not_there_is_an_error_with_what_helps(docs: Path, ollama: str) -> None:
    for model, address, helps in (
        ("nothing:7b", ollama, "ollama pull nothing:7b"),
        (MODEL, f"http://127.0.0.1:{free_port()}", "ollama serve"),
    ):
        item = report(docs, model, {2}, OLLAMA_HOST=address)
        assert item["schema_object"]["@type"] == "ErrorReport" and helps in item["description"]
