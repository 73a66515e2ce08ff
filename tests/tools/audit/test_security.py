"""Security: what bandit's own command finds, suppressions marked, and nothing a tree may turn off."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from configs.audit import AuditSettings
from tools.audit.crew import Crew
from tools.audit.report import SecurityFinding, Skipped
from tools.audit.security import LONGEST_CODE, LONGEST_MESSAGE, MOST_FINDINGS, findings
from tools.audit.sources import Source

SETTINGS = AuditSettings(processes=1)
STATEMENTS = (
    "import pickle, subprocess",
    "assert x",
    "subprocess.call(f'ls {x}', shell=True)",
    "subprocess.Popen(\n    ['ls',\n     x],\n    shell=True,\n)",
    "password = 'hunter2'",
    "eval(\n    x\n)",
    "exec(x)",
    "requests.get('http://x', verify=False)",
    "yaml.load(x)",
    "hashlib.md5(x)",
    "'SELECT * FROM t WHERE a = ' + x",
    "open('/tmp/x')",
    "os.chmod('x', 0o777)",
    "__import__('telnetlib')",
    "class A:\n    @staticmethod\n    def f(token='secret'):\n        return random.random()",
    "try:\n    f()\nexcept Exception:\n    pass",
    "if x:\n    async def g(password='x'):\n        assert pickle.loads(x), [\n            marshal.loads(x)]",
)
COMMENTS = (
    "",
    "  # nosec",
    "  # nosec: B101, B602",
    "  # nosec B307 B105",
    "  # nosec subprocess",
    "  #nosec:B",
)


def programs() -> Iterator[str]:
    """Each statement under each comment, on its first line and on its last one."""
    for statement, comment in itertools.product(STATEMENTS, COMMENTS):
        first, _, rest = statement.partition("\n")
        yield f"{first}{comment}\n{rest}\n"
        yield f"{statement}{comment}\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tree")
    for number, program in enumerate(programs()):
        (place / f"f{number:03}.py").write_text(f'"""Docs."""\nimport subprocess as sp\n{program}')
    (place / "latin.py").write_bytes(b"# coding: latin-1\npassword = '\xe9'\nassert password\n")
    (place / "bom.py").write_bytes(b"\xef\xbb\xbfassert x\r\nassert y\rassert z\n")
    (place / "bidirectional.py").write_text("x = 1\n# \u202e hidden\n")
    (place / "empty.py").write_text("")
    return place


def sources(tree: Path) -> list[Source]:
    return [
        Source(path.name, path, "python" if path.suffix == ".py" else "other", path.stat().st_size)
        for path in sorted(tree.iterdir())
        if path.is_file()
    ]


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    with Crew(SETTINGS) as crew:
        yield crew


def scanned(tree: Path, crew: Crew) -> tuple[tuple[SecurityFinding, ...], tuple[Skipped, ...]]:
    return findings(sources(tree), SETTINGS, crew)


Row = tuple[str, int, int, str, str, str]


def rows_of_command(tree: Path, *options: str) -> list[Row]:
    command = [
        sys.executable,
        "-m",
        "bandit",
        "-q",
        "-f",
        "json",
        *options,
        *sorted(map(str, tree.glob("*.py"))),
    ]
    # Its plugins' list would be written to the user's home.
    environment = {**os.environ, "XDG_CACHE_HOME": os.devnull}
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, env=environment)
    return sorted(
        (
            Path(one["filename"]).name,
            one["line_number"],
            max(one["line_range"]),
            one["test_id"],
            one["issue_severity"].lower(),
            one["issue_confidence"].lower(),
        )
        for one in json.loads(done.stdout)["results"]
    )


def row(one: SecurityFinding) -> Row:
    return one.place.file, one.place.line, one.place.end_line, one.rule, one.severity, one.confidence


def test_it_finds_what_bandits_own_command_finds(tree: Path, crew: Crew) -> None:
    found, skipped = scanned(tree, crew)
    assert skipped == ()
    assert len({one.rule for one in found}) > 15
    assert sorted(row(one) for one in found if not one.suppressed) == rows_of_command(tree)
    assert sorted(row(one) for one in found) == rows_of_command(tree, "--ignore-nosec")


def test_the_tree_cannot_configure_the_scanner(tmp_path: Path, crew: Crew) -> None:
    (tmp_path / "a.py").write_text("assert x\nexec(x)\n")
    before, _ = scanned(tmp_path, crew)
    (tmp_path / ".bandit").write_text("[bandit]\nskips: B101,B102\nexclude: /\n")
    (tmp_path / "bandit.yaml").write_text("skips: [B101, B102]\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.bandit]\nskips = ["B101", "B102"]\nexclude_dirs = ["."]\n'
    )
    (tmp_path / "setup.cfg").write_text("[bandit]\nskips = B101,B102\n")
    after, _ = scanned(tmp_path, crew)
    assert [one.rule for one in before] == ["B101", "B102"]
    assert after == before


def test_what_cannot_be_scanned_is_left_out_and_the_rest_is_not(tmp_path: Path, crew: Crew) -> None:
    (tmp_path / "broken.py").write_text("x = 1\ndef f(:\n")
    (tmp_path / "coding.py").write_bytes(b"# coding: no-such\nassert x\n")
    (tmp_path / "garbled.py").write_bytes(b"assert x\n\xff\n")
    (tmp_path / "good.py").write_text("assert x\n")
    (tmp_path / "nested.py").write_text("x = " + "-" * 20_000 + "1\n")
    (tmp_path / "nul.py").write_bytes(b"assert x\0\n")
    (tmp_path / "rule.py").write_text(
        "import importlib\nassert x\nimportlib.import_module(package='x')\n" * 2
    )
    (tmp_path / "script.js").write_text("eval(x)")
    found, skipped = scanned(tmp_path, crew)
    assert [(one.place.file, one.place.line) for one in found] == [
        ("good.py", 1),
        ("rule.py", 2),
        ("rule.py", 5),
    ]
    assert [(one.file, one.reason, one.kernel) for one in skipped] == [
        ("broken.py", "syntax", "security"),
        ("coding.py", "encoding", "security"),
        ("garbled.py", "encoding", "security"),
        ("nested.py", "crashed", "security"),
        ("nul.py", "binary", "security"),
        ("rule.py", "crashed", "security"),
    ]
    assert (skipped[0].line, skipped[-1].line) == (2, 3)
    assert skipped[-1].what == "Rule B001 failed there and at 1 further places (KeyError)."


def looked(tmp_path: Path, crew: Crew, content: bytes) -> tuple[SecurityFinding, ...]:
    (tmp_path / "a.py").write_bytes(content)
    return scanned(tmp_path, crew)[0]


def test_of_endless_findings_the_first_are_given(tmp_path: Path, crew: Crew) -> None:
    (tmp_path / "a.py").write_text("assert x\n" * (MOST_FINDINGS + 50))
    found, (skipped,) = scanned(tmp_path, crew)
    assert [one.place.line for one in found] == list(range(1, MOST_FINDINGS + 1))
    assert (skipped.reason, skipped.line) == ("too_many", MOST_FINDINGS + 1)
    assert f"Of {MOST_FINDINGS + 50} findings" in skipped.what


def test_words_of_the_tree_are_bounded_and_cannot_act(tmp_path: Path, crew: Crew) -> None:
    long = "x" * 5_000
    hostile = f"password = '\x1b[2J\u202e\u2028{long}'\n".encode()
    (found,) = [one for one in looked(tmp_path, crew, hostile) if one.rule == "B105"]
    for text, most in ((found.message, LONGEST_MESSAGE), (found.code, LONGEST_CODE)):
        assert text.isprintable() and len(text) <= most and text.endswith("…")
    assert "\\x1b[2J\\u202e" in found.code


def test_a_key_does_not_stand_in_the_report(tmp_path: Path, crew: Crew) -> None:
    key = "sk-" + "a1b2c3d4e5f6"
    (found,) = looked(tmp_path, crew, f"password = '{key}'\n".encode())
    assert key not in found.message + found.code


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_lines_are_those_of_python(tmp_path: Path, crew: Crew, sign: str) -> None:
    content = f"x = 1  # {sign}\r\n# {sign} \u202e\rassert x  # {sign}\n"
    found = looked(tmp_path, crew, content.encode())
    assert {(one.rule, one.place.line) for one in found} == {("B613", 2), ("B101", 3)}
    assert next(one.code for one in found if one.rule == "B101").startswith("assert x")
