from __future__ import annotations

import json
from pathlib import Path

import pytest

from configs.errors import UsageError
from evals.claims.sets import FOLDER, load, named
from evals.claims.suite import main

SETS = sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", SETS)
def test_each_claim_of_a_set_cites_its_sources_and_only_invented_ones_do_not(name: str) -> None:
    found = load(name)
    urls = {item.url for item in found.items}
    assert len(urls) == len(found.items) >= 20
    assert len(found.claims) >= 150
    for claim in found.claims.values():
        assert claim.label in ("correct", "wrong")
        assert claim.citations
        if claim.kind == "invented_citation":
            assert not set(claim.citations) <= urls
        else:
            assert set(claim.citations) <= urls


@pytest.mark.parametrize("name", SETS)
def test_copied_sentences_stand_in_what_they_cite(name: str) -> None:
    found = load(name)
    texts = {item.url: item.description for item in found.items}
    copied = [claim for claim in found.claims.values() if claim.kind == "copied"]
    for claim in copied:
        assert any(claim.claim.rstrip("。.") in texts[url] for url in claim.citations)


def test_the_held_out_sets_are_measured_unless_others_are_named() -> None:
    assert {name.rpartition("_")[0] for name in named([])} == {"held_out"}
    assert named(["tuned_en_1"]) == ["tuned_en_1"]
    with pytest.raises(UsageError, match="no set of claims"):
        named(["nowhere"])


def test_a_folder_of_ones_own_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "The ferry made 12 crossings in May."
    item = {"@type": "Item", "url": "https://a.test/1", "name": "Harbour", "description": text}
    (tmp_path / "sources.jsonl").write_text(json.dumps(item), "utf-8")
    claims = [
        {"id": "1", "claim": "The ferry made 12 crossings in May.", "label": "correct", "kind": "copied"},
        {"id": "2", "claim": "The ferry made 21 crossings in May.", "label": "wrong", "kind": "number"},
    ]
    lines = [json.dumps({**one, "citations": [{"url": "https://a.test/1"}]}) for one in claims]
    (tmp_path / "claims.jsonl").write_text("\n".join(lines), "utf-8")
    assert main([str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    figures = {one["name"]: one["value"] for one in told["metrics"]}
    assert figures["caught: number"] == 1.0
    assert figures["false alarms"] == 0.0
    assert [case["status"] for case in told["cases"]] == ["supported", "contradicted"]
