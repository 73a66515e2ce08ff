from __future__ import annotations

import itertools

import pytest

from tools.sandbox import syscalls
from tools.sandbox.syscalls import NEWER, seccomp_filter

pyseccomp = pytest.importorskip("pyseccomp", exc_type=RuntimeError)
KEYS = ("forks", "writable", "namespaced", "scoped")
GROUPS = ("KERNEL", "ABSENT", "METADATA", "SOCKETS", "SHARED", "SIGNALS", "SESSIONS", "OF_OTHERS")


@pytest.mark.parametrize("values", list(itertools.product([False, True], repeat=4)))
def test_every_filter_compiles_to_whole_instructions(values: tuple[bool, ...]) -> None:
    program = seccomp_filter(**dict(zip(KEYS, values, strict=True)))
    # BPF_MAXINSNS of linux/bpf_common.h.
    assert len(program) % 8 == 0 and 50 < len(program) // 8 < 4096
    assert seccomp_filter(**dict(zip(KEYS, values, strict=True))) is program


def test_less_is_denied_where_more_is_isolated() -> None:
    sizes = {
        values: len(seccomp_filter(**dict(zip(KEYS, values, strict=True))))
        for values in itertools.product([False, True], repeat=4)
    }
    assert sizes[False, True, True, False] < sizes[False, True, False, False]
    assert sizes[False, False, False, True] < sizes[False, False, False, False]


@pytest.mark.parametrize("group", GROUPS)
def test_every_name_is_a_system_call(group: str) -> None:
    names = getattr(syscalls, group).split()
    unknown = [
        name
        for name in names
        if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) == syscalls.UNKNOWN and name not in NEWER
    ]
    assert names and unknown == []


def test_a_name_nobody_knows_is_an_error_and_not_left_out() -> None:
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    with pytest.raises(KeyError):
        syscalls._rule(rules, "no_such_call")


@pytest.mark.parametrize("name", NEWER)
def test_the_numbers_kept_here_are_those_of_libseccomp_where_it_has_them(name: str) -> None:
    known = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    assert known in (syscalls.UNKNOWN, NEWER[name]) or known < 0
