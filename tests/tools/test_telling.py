from __future__ import annotations

from pathlib import Path

from tools.pipeline import Outcome
from tools.protocol import ToolResult
from tools.telling import Keeping, kept, told


def test_a_failed_stage_decides_the_code_and_a_cut_output_is_an_error() -> None:
    keeping = Keeping(None, 100, 1000)
    fields = told(Outcome(b"x", b"why", [0, 3, 0], 1), keeping)
    assert (fields["returncode"], fields["stderr"], fields["stage_returncodes"]) == (3, "why", [0, 3, 0])
    fields = told(Outcome(b"x", b"", [0], None, capped=True), keeping)
    assert (fields["returncode"], fields["error_kind"]) == (-1, "output_cap")
    assert "1000 bytes" in fields["error"]


def test_diagnostics_stay_when_the_output_cannot_be_kept_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    fields = told(Outcome(b"x" * 200, b"why\n", [1], 0), Keeping(tmp_path / "file", 100, 1000))
    assert fields["stdout"] == "x" * 200
    assert fields["stderr"].startswith("why\n") and "could not be kept" in fields["stderr"]


def test_bytes_that_are_no_text_are_escaped_everywhere() -> None:
    outcome = Outcome(b"\xff", b"\xfe", [0], None, left_out=["odd\udcff"])
    fields = told(outcome, Keeping(None, 100, 1000))
    result = ToolResult(tool="x", **fields)
    assert ToolResult.model_validate_json(result.model_dump_json()) == result
    assert (result.stdout, result.stderr.split()[0]) == ("\\xff", "\\xfeleft")


def test_a_long_output_is_kept_once(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path, 100, 1000)
    fields = kept(b"x" * 200, keeping)
    assert kept(b"x" * 200, keeping) == fields
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"x" * 200]
    assert len(fields["stdout"]) < 250 and fields["artifact"] in fields["stdout"]
