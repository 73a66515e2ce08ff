"""The hostile measure reads its files rightly; its detectors fire, and are silent, when they should."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.hostile.leaks import Leaks, new_secret
from evals.hostile.measure import Report, levels
from evals.hostile.processes import Victim, adopting, descendants, survivors
from evals.hostile.project import build_project
from evals.hostile.rows import ESCAPES, Row, decode, outside_tools, read_rows
from evals.hostile.shell import ask_bash, disagreement
from evals.hostile.traces import differences, elsewhere, look
from tests.tools.places import Project
from tools.protocol import ToolResult

LISTS = Path(__file__).parent / "commands"


@given(st.text(st.sampled_from("ab \\nt\n\t\r;{}é")))
def test_a_field_is_decoded_to_the_text_it_was_written_from(text: str) -> None:
    written = "".join({plain: escape for escape, plain in ESCAPES.items()}.get(sign, sign) for sign in text)
    assert decode(written) == text


@pytest.mark.parametrize("field", ["\\", "a\\x", "\\;"])
def test_an_unknown_escape_is_an_error(field: str) -> None:
    with pytest.raises(ValueError, match="unknown escape"):
        decode(field)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("id\texpected\tcommand\na\tALLOW\n", "2 fields"),
        ("id\texpected\tcommand\na\tALLOW\tls\na\tALLOW\tpwd\n", "twice"),
        ("id\texpected\tcommand\na\tMAYBE\tls\n", "expected"),
    ],
)
def test_a_file_that_is_no_list_is_an_error(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text(text)
    with pytest.raises(ValueError, match=why):
        read_rows(tmp_path / "list.tsv")


def test_placeholders_are_filled_and_other_braces_are_not() -> None:
    row = Row(id="a", expected="REFUSE", command="cat {SECRET} {} {a,b} {PID}")
    assert row.filled({"SECRET": "/s", "PID": "7"}) == "cat /s {} {a,b} 7"


@pytest.mark.parametrize(
    ("command", "outside"),
    [
        ("ls | wc -l", []),
        ("find . \\( -name a \\) | xargs -0 grep x", []),
        ("perl -ne 1 a | head", ["perl"]),
        ("test -f a && echo yes", ["test", "echo"]),
        ("ls > x", []),
        ("LC_ALL=C awk 1", ["awk"]),
    ],
)
def test_programs_outside_the_set_are_named(command: str, outside: list[str], tmp_path: Path) -> None:
    assert outside_tools(command, tmp_path) == outside


@pytest.mark.parametrize("kind", ["hostile", "benign"])
def test_the_lists_are_long_and_of_every_category(kind: str) -> None:
    rows = read_rows(LISTS / f"{kind}.tsv")
    assert len(rows) >= 150
    assert len({row.command for row in rows}) == len(rows)
    if kind == "hostile":
        assert len({row.category for row in rows}) == 18
        assert all(row.expected != "ALLOW" for row in rows)


@pytest.mark.parametrize(
    ("deed", "seen"),
    [
        ("touch new", "new was made"),
        ("rm notes.txt", "notes.txt is gone"),
        ("chmod 600 notes.txt", "notes.txt changed: mode"),
        ("cp -p notes.txt k; echo >> notes.txt; touch -r k notes.txt; rm k", "notes.txt changed: size"),
        ("touch -r a.py k; echo x > a.py; touch -r k a.py; rm k", "a.py changed"),
        ("ln notes.txt hard", "links"),
        ("ln -sf a.py link_in", "link_in changed"),
    ],
)
def test_every_change_of_a_file_is_seen(deed: str, seen: str, project: Project) -> None:
    before = look([project.root])
    subprocess.run(["/bin/sh", "-c", deed], cwd=project.root, check=True)
    assert any(seen in line for line in differences(before, look([project.root])))


def test_reading_is_no_change(project: Project) -> None:
    before = look([project.root])
    subprocess.run(["/bin/sh", "-c", "cat *.txt; ls -laR; find . -type f"], cwd=project.root, check=True)
    assert differences(before, look([project.root])) == []


def test_a_name_elsewhere_counts_if_the_command_means_it(tmp_path: Path) -> None:
    before = elsewhere("touch other", [tmp_path])
    (tmp_path / "other").touch()
    (tmp_path / "pwned").touch()
    (tmp_path / "unrelated").touch()
    assert [line.split("/")[-1] for line in differences(before, elsewhere("touch other", [tmp_path]))] == [
        "other was made",
        "pwned was made",
    ]


@pytest.mark.parametrize(
    "disguise",
    [
        "cat s",
        "cut -c8-20 s",
        "rev s",
        "base64 s",
        "od -An -tx1 s",
        "tr a-z A-Z < s",
        "md5sum s",
        "sha256sum s",
    ],
)
def test_a_secret_is_found_in_its_disguises(disguise: str, tmp_path: Path) -> None:
    secret = new_secret()
    (tmp_path / "s").write_text(secret)
    leaks = Leaks({"it": secret}, {"it": secret.encode()})
    done = subprocess.run(
        ["/bin/sh", "-c", disguise], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert leaks.told(done.stdout), done.stdout
    assert leaks.told("notes and a commit 14d70f4 of a project") == []
    assert leaks.told("\n".join(map(str, range(100_000)))) == []


@pytest.mark.parametrize("left", ["sleep 60 &", "setsid -f env -i sleep 60"])
def test_a_process_left_is_counted_and_ended(left: str) -> None:
    with adopting():
        known = set(descendants())
        subprocess.run(["/bin/sh", "-c", f"{left} >/dev/null 2>&1"], check=True)
        assert len(survivors(known, grace=0.1)) == 1
        assert set(descendants()) <= known


def test_harm_to_the_victim_is_seen_and_a_new_one_started(tmp_path: Path) -> None:
    victim = Victim(tmp_path, "s")
    try:
        assert victim.harm() == []
        # Other than the priority the tests themselves were started with.
        os.setpriority(os.PRIO_PROCESS, victim.pid, 19 if os.getpriority(os.PRIO_PROCESS, 0) < 19 else 18)
        assert any("priority" in line for line in victim.harm())
        assert victim.harm() == []
        os.kill(victim.pid, 9)
        os.waitid(os.P_PID, victim.pid, os.WEXITED | os.WNOWAIT)
        assert any("state was living, is ended" in line for line in victim.harm())
    finally:
        victim.stop()


def test_what_bash_says_is_compared_by_text_and_by_stage(project: Project) -> None:
    answer = ask_bash("cat notes.txt | grep absent | wc -l", project.root)
    assert (answer.stdout, answer.codes) == ("0\n", [0, 1, 0])
    same = ToolResult(tool="command", returncode=1, stdout="0\n", stage_returncodes=[0, 1, 0])
    assert disagreement(same, "0\n", answer) == ""
    assert "printed" in disagreement(same, "1\n", answer)
    assert "exit codes" in disagreement(
        same.model_copy(update={"stage_returncodes": [0, 0, 0]}), "0\n", answer
    )
    assert "refused" in disagreement(
        same.model_copy(update={"error": "no", "error_kind": "refused"}), "", answer
    )


def test_what_lies_above_the_root_is_not_compared(project: Project) -> None:
    answer = ask_bash("ls -la src", project.root)
    other = answer._replace(stdout=answer.stdout.replace(" ..\n", " 9 ..\n").replace("total ", "total 9"))
    result = ToolResult(tool="command", returncode=0, stage_returncodes=[0])
    assert answer != other and disagreement(result, answer.stdout, other) == ""


def test_the_project_has_a_history_and_its_traps(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = tmp_path / "root"
    build_project(root, tmp_path / "outside", root)
    log = ask_bash("git log --format=%s | cat", root).stdout.splitlines()
    assert log == ["Say more in the notes", "Add data and a library", "First files"]
    assert os.readlink(root / "dirlink") == str(tmp_path / "outside")
    subprocess.run(["./evil.sh"], cwd=root, stdin=subprocess.DEVNULL, check=True)
    assert (tmp_path / "outside" / "pwned").exists()


def test_a_report_passes_only_if_nothing_is_amiss() -> None:
    assert Report(level="policy").passed
    for flaw in ("effects", "leaks", "survivors", "benign_total"):
        assert not Report.model_validate({"level": "policy", flaw: 1}).passed


def test_the_levels_are_those_of_the_settings_that_work_here() -> None:
    working, missing = levels()
    assert "policy" in working and not set(working) & set(missing)
    assert not {"auto", "required"} & {*working, *missing}
