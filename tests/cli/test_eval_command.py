"""`reflect eval` names its suites and hands over what they say."""

import sys
from pathlib import Path

import pytest

from cli import eval_command
from cli.main import main


def test_help_says_what_each_suite_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["eval", "--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0
    for name, (_, about) in eval_command.SUITES.items():
        assert name in shown and about in shown


@pytest.mark.parametrize(("ending", "code"), [("3", 3), ("None", 0), ("'broken'", 1)])
def test_the_exit_code_and_the_options_are_the_suites_own(
    ending: str, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tiny_suite.py").write_text(
        "import sys\n"
        "assert sys.argv == ['reflect eval tiny', '--limit', '2', '--help'], sys.argv\n"
        f"raise SystemExit({ending})\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(eval_command.SUITES, "tiny", ("tiny_suite", "for this test"))
    before = list(sys.argv)
    assert main(["eval", "tiny", "--limit", "2", "--help"]) == code
    assert sys.argv == before


def test_an_unknown_suite_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["eval", "everything"])
    assert end.value.code == 2 and "reflective" in capsys.readouterr().err
