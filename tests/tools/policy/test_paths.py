from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.places import SECRET, Project
from tools.errors import CommandRefused
from tools.policy.paths import check_path, is_safe

STEPS = [
    "..",
    ".",
    "",
    "src",
    "notes.txt",
    "link_in",
    "link_out",
    "dirlink",
    "secret.txt",
    "outside",
    "root",
    "nowhere",
]
PATHS = st.lists(st.sampled_from(STEPS), min_size=1, max_size=6).map("/".join)


@settings(max_examples=200, deadline=None)
@given(path=PATHS, absolute=st.sampled_from(["", "root/", "outside/", "../"]))
def test_a_path_that_passes_leads_inside_when_the_system_follows_it(
    path: str, absolute: str, shared: Project
) -> None:
    operand = f"{shared.root.parent}/{absolute}{path}" if absolute else path
    if not is_safe(shared.root, operand):
        return
    place = os.path.join(shared.root, check_path(shared.root, operand))
    if os.path.exists(place):
        inside = [
            status for status in (shared.root, *shared.root.rglob("*")) if os.path.samefile(status, place)
        ]
        assert inside, operand
    if os.path.isfile(place):
        assert SECRET not in Path(place).read_text()


@pytest.mark.parametrize(
    "operand",
    [
        ".",
        "notes.txt",
        "src",
        "src/",
        "./src/../a.py",
        "src/with space.md",
        "link_in",
        "missing",
        "src/missing/x",
    ],
)
def test_what_lies_inside_passes_as_written_relative_and_absolute(operand: str, shared: Project) -> None:
    assert check_path(shared.root, operand) == operand
    assert check_path(shared.root, f"{shared.root}/{operand}") == f"{shared.root}/{operand}"


@pytest.mark.parametrize(
    "operand",
    [
        "..",
        "../outside/secret.txt",
        "src/../..",
        "link_out",
        "dirlink",
        "dirlink/secret.txt",
        "dirlink/missing",
    ]
    + [
        "/",
        "/etc/passwd",
        "/etc/../etc/shadow",
        "//etc/passwd",
        "/proc/self/environ",
        "/proc/1/root/etc/shadow",
    ],
)
def test_what_lies_outside_is_refused(operand: str, shared: Project) -> None:
    with pytest.raises(CommandRefused, match="outside the root|no path"):
        check_path(shared.root, operand)


def test_a_root_whose_name_only_begins_alike_is_outside(project: Project) -> None:
    beside = project.root.parent / "root2"
    beside.mkdir()
    (beside / "x").touch()
    assert not is_safe(project.root, "../root2/x")
    assert not is_safe(project.root, str(beside / "x"))


@pytest.mark.parametrize("operand", ["~", "~/x", "~root/.bash_history", "~nobody"])
def test_home_directories_are_refused(operand: str, shared: Project) -> None:
    with pytest.raises(CommandRefused, match="home directories"):
        check_path(shared.root, operand)


@pytest.mark.parametrize("operand", ["", "a\0b", "x" * 5000])
def test_what_is_no_path_is_refused_or_leads_nowhere(operand: str, shared: Project) -> None:
    try:
        assert not os.path.exists(shared.root / check_path(shared.root, operand))
    except CommandRefused as refusal:
        assert "no path" in str(refusal)


def test_a_dash_is_the_input_and_a_leading_dash_no_option(shared: Project) -> None:
    assert check_path(shared.root, "-") == "-"
    assert check_path(shared.root, "-dash.txt") == "./-dash.txt"
    assert check_path(shared.root, "--help") == "./--help"


def test_pipes_sockets_and_links_to_devices_are_refused(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(project.root / "fifo")
    (project.root / "to_fifo").symlink_to("fifo")
    (project.root / "zero").symlink_to("/dev/zero")
    monkeypatch.chdir(project.root)  # the address of a socket is a short path
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("sock")
    for name in ("fifo", "to_fifo", "sock"):
        with pytest.raises(CommandRefused, match="device, pipe or socket"):
            check_path(project.root, name)
    assert not is_safe(project.root, "zero")


def test_a_loop_of_links_is_refused(project: Project) -> None:
    (project.root / "one").symlink_to("two")
    (project.root / "two").symlink_to("one")
    assert not is_safe(project.root, "one")
    assert not is_safe(project.root, "one/secret.txt")


@pytest.mark.parametrize(
    "way", ["/proc/self/cwd/../outside/secret.txt", "/proc/thread-self/cwd/../outside/secret.txt"]
)
@pytest.mark.parametrize("linked", [False, True])
def test_a_path_through_a_process_is_refused_wherever_the_caller_stands(
    way: str, linked: bool, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From src/, the way ends inside the root; for a tool that stands in the root it ends outside.
    monkeypatch.chdir(project.root / "src")
    (project.root / "through").symlink_to(way)
    with pytest.raises(CommandRefused, match="outside"):
        check_path(project.root, "through" if linked else way)
