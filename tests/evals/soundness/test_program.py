"""The program: files of probes in, lists of ids and an exit code out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.soundness.__main__ import main
from evals.soundness.probes import BadLine, Probe, probe_of, read_probes
from evals.soundness.running import Outcome
from evals.soundness.scoring import listed, score, summary

TRUE = {
    "id": "t",
    "category": "reading",
    "files": {"a": "x\n"},
    "actions": [{"tool": "cat", "args": {"path": "a"}}],
    "claim": {"predicate": "contains", "subject": "a", "value": "x"},
    "cites": [0],
    "why": "shown",
}
FALSE = {**TRUE, "id": "f", "claim": {**TRUE["claim"], "value": "y"}, "falsity": "it is x"}  # type: ignore[dict-item]


def lines(path: Path, *probes: object) -> Path:
    written = [probe if isinstance(probe, str) else json.dumps(probe) for probe in probes]
    path.write_text("\n".join(written) + "\n", "utf-8")
    return path


def test_lines_that_are_no_probes_are_told_by_their_number_or_name(tmp_path: Path) -> None:
    wrong = [
        "{",
        "",
        "[]",
        '{"id": "n"}',
        '{"id": "m", "claim": {}, "files": {"a": 5}}',
        '{"id": true, "claim": 1}',
    ]
    read = read_probes(lines(tmp_path / "p.jsonl", TRUE, *wrong))
    assert isinstance(read[0], Probe)
    assert [(type(one), one.id) for one in read[1:]] == [
        (BadLine, "2"),
        (BadLine, "4"),
        (BadLine, "n"),
        (BadLine, "m"),
        (BadLine, "7"),
    ]
    assert isinstance(probe_of('{"id": 3, "claim": null}', 1), Probe)


def test_ids_by_result_are_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lines(tmp_path / "p.jsonl", FALSE, TRUE)
    assert main([str(path), "--json"]) == 0
    expected = {"accepted": ["t"], "refuted": ["f"], "undecidable": [], "refused": [], "errors": []}
    assert json.loads(capsys.readouterr().out) == expected
    assert main([str(path), "--json", str(tmp_path / "out.json")]) == 0
    assert json.loads((tmp_path / "out.json").read_text()) == expected
    assert capsys.readouterr().out == ""


def test_errors_and_unreadable_input_are_told_by_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(lines(tmp_path / "p.jsonl", TRUE, "{")), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["errors"] == ["2"]
    assert main([str(tmp_path / "none.jsonl"), "--json"]) == 2
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\n")
    assert main([str(tmp_path / "bytes.jsonl")]) == 2
    with pytest.raises(SystemExit):
        main([])


def test_a_table_says_what_was_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = {**TRUE, "id": "bad", "files": {"../a": ""}}
    unproved = {**TRUE, "id": "unproved", "cites": []}
    assert main([str(lines(tmp_path / "p.jsonl", TRUE, FALSE, bad, unproved))]) == 1
    out = capsys.readouterr().out
    assert "bad: errors: outside the probe's directory" in out
    assert "unproved: undecidable: No observation was cited that counts." in out
    assert "False accepted: 0 of 1. True accepted: 1 of 3 (33.3%)." in out


def test_generated_probes_are_written_and_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made.jsonl"
    assert main(["--generate", "12", "--seed", "3", "--out", str(path)]) == 0
    assert [probe.id for probe in read_probes(path)] == [f"s3-{number}" for number in range(1, 13)]
    assert main(["--random", "12", "--seed", "3", "--json"]) in (0, 1)
    report = json.loads(capsys.readouterr().out)
    ids = [
        one
        for result in ("accepted", "refuted", "undecidable", "refused", "errors")
        for one in report[result]
    ]
    assert sorted(ids) == sorted(f"s3-{number}" for number in range(1, 13))
    assert report["score"]["false_accepted"] == []


def outcomes(*results: str) -> list[Outcome]:
    return [Outcome(str(number), result, "why", {}) for number, result in enumerate(results)]  # type: ignore[arg-type]


def test_the_score_counts_each_kind_apart() -> None:
    weak = {**TRUE, "insufficient": "nothing is shown"}
    probes = [Probe.model_validate(one) for one in (TRUE, TRUE, FALSE, FALSE, weak, weak)]
    good = score(probes, outcomes("accepted", "accepted", "refuted", "refused", "undecidable", "undecidable"))
    assert good.met and good.true_share == 1.0
    for wrong in (
        ("accepted", "undecidable", "refuted", "refused", "undecidable", "undecidable"),
        ("accepted", "accepted", "accepted", "refused", "undecidable", "undecidable"),
        ("accepted", "accepted", "refuted", "errors", "undecidable", "undecidable"),
        ("accepted", "accepted", "refuted", "refused", "undecidable", "accepted"),
    ):
        assert not score(probes, outcomes(*wrong)).met
    found = score(probes, outcomes("accepted", "refuted", "accepted", "errors", "accepted", "refused"))
    assert (found.true_share, found.false_accepted, found.insufficient_accepted) == (0.5, ("2",), ("4",))
    assert found.errors == 1
    assert "False accepted: 2 of 2" in summary(probes, outcomes(*["accepted"] * 6))
    assert listed(outcomes("refuted", "accepted", "refuted"))["refuted"] == ["0", "2"]
