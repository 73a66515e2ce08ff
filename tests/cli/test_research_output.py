import json
import os
from pathlib import Path

import pytest

from cli.research_output import MOST_NOTES, print_report, tell_notes, write_files
from configs.errors import UsageError

ITEM = {"name": "a", "description": "Words \x1b[31m.", "schema_object": {"notes": ["left out \x07"]}}


def test_files_are_written_whole_and_keep_links_and_modes(tmp_path: Path) -> None:
    items, link = tmp_path / "kept" / "items.jsonl", tmp_path / "link.html"
    items.parent.mkdir()
    page = tmp_path / "kept" / "page.html"
    page.write_text("old")
    page.chmod(0o600)
    link.symlink_to(page)
    write_files([{**ITEM, "description": "字"}], str(items), str(link))
    assert json.loads(items.read_text("utf-8"))["description"] == "字"
    assert link.is_symlink() and "字" in page.read_text("utf-8") and page.stat().st_mode & 0o777 == 0o600
    assert len(list(items.parent.iterdir())) == 2


def test_a_file_that_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    old = tmp_path / "page.html"
    old.write_text("old")
    with pytest.raises(UsageError, match="--items .* cannot be written") as raised:
        write_files([ITEM], str(tmp_path / "gone" / "items.jsonl"), str(old))
    assert "--replay" in raised.value.remedy and old.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_what_is_printed_cannot_command_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    notes = [f"note {n} \x1b]0;x\x07" for n in range(MOST_NOTES + 3)]
    print_report([ITEM], as_json=False)
    tell_notes([{"schema_object": {"notes": notes}}])
    tell_notes([])
    told = capsys.readouterr()
    assert "\x1b" not in told.out + told.err
    assert told.err.count("Note: note") == MOST_NOTES and "3 more" in told.err
