from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main as reflect
from nodes.research.check import main

ITEM = {
    "@type": "Item",
    "url": "https://a.example/1",
    "name": "Harbor",
    "description": "Harbor Foods employs 320 people.",
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(ITEM) + "\nnot json\n", "utf-8")
    return path


def test_a_report_as_json(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.md"
    report.write_text("Harbor Foods employs 320 people [1]. Harbor Foods employs 500 people [1].", "utf-8")
    assert main([str(report), "--sources", str(sources), "--json"]) == 1
    out, err = capsys.readouterr()
    checks = json.loads(out)
    assert [check["verdict"] for check in checks] == ["supported", "contradicted"]
    assert checks[0]["spans"][0]["text"] == ITEM["description"]
    assert "items.jsonl:2" in err


def test_claims_through_the_command(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = tmp_path / "claims.jsonl"
    lines = [
        {"claim": "Harbor Foods has 320 employees.", "citations": [{"url": "https://a.example/1"}]},
        {"sentence": "Harbor Foods employs 320 people.", "citations": ["https://b.example/2"]},
        {"citations": []},
    ]
    claims.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    assert reflect(["check", "--claims", str(claims), "--sources", str(sources), "--json"]) == 1
    out, err = capsys.readouterr()
    assert [check["verdict"] for check in json.loads(out)] == ["supported", "unsupported"]
    assert "claims.jsonl:3" in err


def test_text_output_names_the_passage(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.md"
    report.write_bytes("Harbor Foods employs 320 people [1].".encode("utf-16"))
    assert main([str(report), "--sources", str(sources)]) == 0
    assert "https://a.example/1 [0:32]" in capsys.readouterr().out


def test_bad_use_is_told(sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sources", str(sources)]) == 2
    assert main([str(tmp_path / "missing.md"), "--sources", str(sources)]) == 2
    assert main([str(sources), "--sources", str(tmp_path / "none.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_report_that_is_no_text_is_a_usage_error(
    sources: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.md"
    report.write_bytes(b"a\0b")
    assert main([str(report), "--sources", str(sources)]) == 2
    assert "no text" in capsys.readouterr().err
