from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.places import SECRET, Project, confinement
from tools.process import environment
from tools.sandbox.command import confined
from tools.sandbox.protected import prepared

PYTHON = "/usr/bin/python3"


def inside(project: Project, *command: str, **limits: object) -> subprocess.CompletedProcess[str]:
    """Any command, even one no policy lets through, under Landlock and the filter."""
    bounds = confinement(project.root, "landlock", **limits)  # type: ignore[arg-type]  # fields of Confinement
    inner = environment(project.root)
    ground = prepared(bounds)
    try:
        assert ground.temporary is not None
        inner["TMPDIR"] = ground.temporary.name
        with confined(command, command[0], bounds, inner, ground) as start:
            return subprocess.run(
                start.words,
                env=inner,
                cwd=project.root,
                pass_fds=start.descriptors,
                start_new_session=True,
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
            )
    finally:
        ground.close()


def shell(project: Project, script: str, **limits: object) -> subprocess.CompletedProcess[str]:
    return inside(project, "/bin/sh", "-c", script, **limits)


def python(project: Project, script: str, **limits: object) -> subprocess.CompletedProcess[str]:
    if not Path(PYTHON).exists():
        pytest.skip("no Python among the system's programs")
    return inside(project, PYTHON, "-I", "-S", "-c", script, **limits)


def test_the_root_is_read_and_is_the_working_directory(shared: Project) -> None:
    done = shell(shared, "pwd; cat notes.txt; echo x > /dev/null")
    assert done.stdout == f"{shared.root}\n{(shared.root / 'notes.txt').read_text()}" and done.stderr == ""


@pytest.mark.parametrize(
    "script",
    [
        "echo x > pwned",
        "echo x >> notes.txt",
        "rm -f notes.txt",
        "touch notes.txt",
        "touch -h link_out",
        "touch ../outside/secret.txt",
        "chmod 777 notes.txt",
        "chmod 777 ../outside/secret.txt",
        "chown 1:1 notes.txt",
        "chown -h 1:1 link_out",
        "mv notes.txt gone",
        "ln -s x pwned",
        "ln notes.txt src/pwned",
        "mkdir pwned",
        "mkfifo pwned",
        "truncate -s 0 notes.txt",
        "chattr +i notes.txt",
        "setfattr -n user.x -v 1 notes.txt",
        "echo x > dirlink/pwned",
        "echo x > ../outside/secret.txt",
        "mount -t tmpfs x src",
        "unshare -r true",
        "unshare -m true",
        "setsid true",
        "kill -0 {pid}",
        "kill -9 {pid}",
        "kill -9 $PPID",
        "prlimit --pid {pid} --nofile=100",
        "renice 5 {pid}",
        "ls /proc",
        "ls /tmp",
        "ls /home",
        "ls /",
        "ls /sys",
        "cat /proc/self/status",
        "cat /proc/{pid}/environ",
        "cat /etc/hostname",
        "strace -p {pid}",
        "./evil.sh",
    ],
)
def test_nothing_of_this_happens_even_by_a_shell(script: str, project: Project) -> None:
    program = script.split()[0]
    if "/" not in program and shutil.which(program) is None and program != "echo":
        pytest.skip(f"{program} is not installed")
    evil = project.root / "evil.sh"
    evil.write_text("#!/bin/sh\nexit 0\n")
    evil.chmod(0o755)
    before = project.snapshot()
    done = shell(project, script.format(pid=os.getpid()))
    assert done.returncode != 0, done.stdout
    assert project.snapshot() == before


@pytest.mark.parametrize(
    "path",
    [
        "link_out",
        "dirlink/secret.txt",
        "../outside/secret.txt",
        "{secret}",
        "/proc/self/cwd/../outside/secret.txt",
        "/proc/self/root{secret}",
        "/dev/fd/../../..{secret}",
    ],
)
def test_nothing_beside_the_root_is_read(path: str, shared: Project) -> None:
    done = inside(shared, "/bin/cat", path.format(secret=shared.secret))
    assert done.returncode == 1 and SECRET not in done.stdout and "Permission denied" in done.stderr


ATTEMPTS = """
import ctypes, errno, fcntl, os, resource, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    result = getattr(libc, name)(*args)
    return "worked" if result != -1 else errno.errorcode[ctypes.get_errno()]
def system(number, *args):
    return call("syscall", ctypes.c_long(number), *args)
def tried(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "worked"
notes = os.open("notes.txt", os.O_RDONLY)
flags = ctypes.c_int(16)
ATTEMPT
"""


@pytest.mark.parametrize(
    "attempt",
    [
        "print(tried(lambda: socket.socket()))",
        "print(tried(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)))",
        "print(tried(lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)))",
        "print(tried(lambda: os.utime('notes.txt', (1, 1))))",
        "print(tried(lambda: os.utime(notes, (1, 1))))",
        "print(tried(lambda: os.chmod('notes.txt', 0o777)))",
        "print(tried(lambda: os.fchmod(notes, 0o777)))",
        "print(tried(lambda: os.chmod('../outside/secret.txt', 0o777)))",
        "print(system(452, -100, b'notes.txt', 0o777, 0))  # fchmodat2",
        "print(tried(lambda: os.fchown(notes, 1, 1)))",
        "print(tried(lambda: os.setxattr(notes, 'user.x', b'1')))",
        "print(tried(lambda: fcntl.ioctl(notes, 0x40086602, flags)))  # FS_IOC_SETFLAGS",
        "print(call('ioctl', notes, ctypes.c_ulong(0xFFFFFFFF00000000 | 0x40086602), ctypes.byref(flags)))",
        "print(call('ioctl', 0, ctypes.c_ulong(0x5412), b'x'))  # TIOCSTI",
        "print(tried(lambda: os.truncate('notes.txt', 0)))",
        "print(tried(lambda: os.open('notes.txt', os.O_RDONLY | os.O_TRUNC)))",
        "print(call('ptrace', 16, PID, 0, 0))",
        "print(system(438, 3, 0, 0))  # pidfd_getfd",
        "print(tried(lambda: os.memfd_create('x')))",
        "print(tried(lambda: os.kill(PID, 0)))",
        "print(tried(lambda: os.kill(PID, signal.SIGCONT)))",
        "print(tried(lambda: resource.prlimit(PID, resource.RLIMIT_NOFILE, (9, 9))))",
        "print(call('unshare', 0x10000000))",
        "print(call('setns', notes, 0))",
        "print(call('setsid'))",
        "print(call('shmget', 0, 4096, 0o1600))",
        "print(call('chroot', b'.'))",
        "print(call('mount', b'x', b'src', b'tmpfs', 0, None))",
        "print(system(425, 1, None))  # io_uring_setup",
        "print(tried(lambda: fcntl.fcntl(notes, fcntl.F_SETOWN, PID)))",
        "print(call('setuid', 1) if os.getuid() == 0 else 'EPERM')",
        "print(call('mknod', b'pwned', 0o20600, 259))",
    ],
)
def test_no_system_call_gets_past(attempt: str, project: Project) -> None:
    before = project.snapshot()
    script = ATTEMPTS.replace("ATTEMPT", attempt).replace("PID", str(os.getpid()))
    done = python(project, script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("EPERM", "EACCES", "ENOSYS"), done.stdout
    assert project.snapshot() == before


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the other calling conventions are of x86-64")
def test_calls_of_another_convention_end_the_process(project: Project) -> None:
    # getpid with the x32 bit; the number is of no native call.
    script = ATTEMPTS.replace("ATTEMPT", "print(system(0x40000000 + 39))")
    assert python(project, script).returncode < 0


def test_a_name_in_the_abstract_space_is_out_of_reach(project: Project) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0reflect-test")
        server.listen()
        done = python(
            project,
            "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0reflect-test')",
            writable=True,
        )
    assert done.returncode == 1 and "PermissionError" in done.stderr


def test_no_capability_is_left_and_none_comes_back(shared: Project) -> None:
    script = (
        "import ctypes\nheader = (ctypes.c_uint32 * 2)(0x20080522, 0)\ndata = (ctypes.c_uint32 * 6)()\n"
        "assert ctypes.CDLL(None).capget(header, data) == 0\nprint(list(data)[:2] + list(data)[3:5])"
    )
    assert python(shared, script).stdout == "[0, 0, 0, 0]\n"


def test_what_never_starts_others_cannot_and_may_have_threads(shared: Project) -> None:
    assert shell(shared, "true | true; echo done").stdout == "done\n"
    done = shell(shared, "/bin/true; echo done", forks=False)
    assert "done" not in done.stdout and "Cannot fork" in done.stderr
    script = "import threading\nthread = threading.Thread(target=print, args=('x',))\nthread.start()"
    assert python(shared, script, forks=False).stdout == "x\n"


def test_temporary_files_have_a_place_that_is_gone_afterwards(shared: Project) -> None:
    done = shell(shared, 'echo x > "$TMPDIR/a" && cat "$TMPDIR/a" && echo "$TMPDIR"')
    content, place = done.stdout.split()
    assert content == "x" and not Path(place).exists()


def test_a_directory_that_is_readable_is_read_and_run_from_and_no_more(project: Project) -> None:
    tool = project.outside / "tool"
    tool.write_text("#!/bin/sh\ncat ${0%/*}/secret.txt\n")
    tool.chmod(0o755)
    readable = (project.outside,)
    before = project.snapshot()
    assert SECRET in inside(project, str(tool), readable=readable).stdout
    assert shell(project, "echo x > ../outside/pwned", readable=readable).returncode != 0
    assert project.snapshot() == before


def test_the_launcher_imports_nothing_of_ours() -> None:
    from tools.sandbox.command import LAUNCHER

    done = subprocess.run(
        [sys.executable, "-I", "-S", LAUNCHER, "1", "0", "-", "-", "core=0", "/bin/true"],
        capture_output=True,
        check=False,
    )
    # Its parent is not the process it was told: it does not start the command.
    assert (done.returncode, done.stderr) == (125, b"")
    assert [line for line in Path(LAUNCHER).read_text().splitlines() if "tools" in line.split("#")[0]] == []


def test_what_cannot_be_given_up_keeps_the_command_from_running(tmp_path: Path) -> None:
    from tools.sandbox.command import LAUNCHER

    for ruleset, program in (("9", "-"), ("-", "00")):
        done = subprocess.run(
            [sys.executable, "-I", "-S", LAUNCHER, str(os.getpid()), "0", ruleset, program, "core=0"]
            + ["/usr/bin/touch", str(tmp_path / "ran")],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 125 and b"the command was not started" in done.stderr
    assert list(tmp_path.iterdir()) == []
