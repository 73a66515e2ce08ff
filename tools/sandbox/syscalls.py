"""The seccomp filter: system calls that reach past mounts and Landlock. Compiled once, by libseccomp.

A list of what is denied, not of what is allowed: tools of many distributions run under it. Calls that a
kernel gains later are not on it; those for files and sockets are Landlock's and the namespaces' matter too.
"""

from __future__ import annotations

import errno
import platform
import tempfile
from functools import cache
from typing import TYPE_CHECKING

from tools.errors import SandboxUnavailable

if TYPE_CHECKING:
    from pyseccomp import SyscallFilter

# Here the flags are the first argument of clone(2); elsewhere they may be the second.
MACHINES = ("x86_64", "aarch64")
KERNEL = """
ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp
mount umount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick
mount_setattr unshare setns bpf perf_event_open keyctl add_key request_key userfaultfd
open_by_handle_at name_to_handle_at fanotify_init init_module finit_module delete_module
kexec_load kexec_file_load reboot swapon swapoff acct quotactl quotactl_fd syslog settimeofday stime
clock_settime clock_settime64 clock_adjtime clock_adjtime64 adjtimex sethostname setdomainname iopl ioperm
personality vhangup lookup_dcookie nfsservctl memfd_create memfd_secret migrate_pages move_pages
setpriority ioprio_set
"""
ABSENT = "clone3 io_uring_setup io_uring_enter io_uring_register"
METADATA = """
chmod fchmod fchmodat fchmodat2 chown chown32 fchown fchown32 lchown lchown32 fchownat
utime utimes futimesat utimensat utimensat_time64 setxattr lsetxattr fsetxattr setxattrat
removexattr lremovexattr fremovexattr removexattrat file_setattr
"""
SOCKETS = "socket connect bind listen accept accept4 sendto sendmmsg"
SHARED = "shmget shmat shmctl msgget msgsnd msgrcv msgctl semget semop semtimedop semctl mq_open mq_unlink"
SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal pidfd_open"
SESSIONS = "setsid setpgid"
# Of another process when the first argument is not 0.
OF_OTHERS = "prlimit64 sched_setaffinity sched_setattr sched_setparam sched_setscheduler"
# arch/*/include/.../unistd.h numbers of calls newer than some libseccomp; since 424 all architectures agree.
NEWER = {
    "process_mrelease": 448,
    "memfd_secret": 447,
    "quotactl_fd": 443,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "open_tree_attr": 467,
    "file_setattr": 469,
}
UNKNOWN = -1  # __NR_SCMP_ERROR
CLONE_THREAD = 0x10000
# include/uapi/linux/sched.h: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWTIME.
NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80)
F_SETOWN, F_SETOWN_EX = 8, 15
TERMINAL_IOCTLS = ord("T") << 8
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
SOCK_STREAM, SOCK_TYPES = 1, 0xF
LOW_WORD = 0xFFFFFFFF


@cache
def seccomp_filter(*, forks: bool, writable: bool, namespaced: bool, scoped: bool) -> bytes:
    """The filter as instructions of the kernel (struct sock_filter, 8 bytes each).

    Args:
        forks: the command may start processes; threads are never denied.
        writable: the command may write below its root.
        namespaced: it has network, process and mount namespaces of its own.
        scoped: Landlock keeps its signals to itself (ABI 6).

    Raises:
        SandboxUnavailable: libseccomp is not there, or knows nothing of this machine.
    """
    rules = _open()
    _deny(rules, KERNEL)
    _deny(rules, ABSENT, errno.ENOSYS)
    _deny_of_others(rules)
    _deny_forking(rules, forks)
    if namespaced and writable:
        return _compiled(rules)
    for names in (METADATA, SOCKETS, SHARED):
        _deny(rules, names)
    _deny_socket_pairs(rules, streams=not writable)
    _deny_controls(rules)
    if not (namespaced or scoped):
        _deny(rules, SIGNALS)
    if not namespaced:
        _deny(rules, SESSIONS)
    return _compiled(rules)


def _open() -> SyscallFilter:
    if platform.machine() not in MACHINES:
        raise SandboxUnavailable(
            f"No system-call filter is known for {platform.machine()}.", "Use bubblewrap on this machine."
        )
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError, AttributeError) as error:
        raise SandboxUnavailable(
            f"libseccomp cannot be used: {error}", "Install it, e.g. `apt-get install libseccomp2`."
        ) from error
    return pyseccomp.SyscallFilter(pyseccomp.ALLOW)


def _deny(rules: SyscallFilter, names: str, code: int = errno.EPERM) -> None:
    for name in names.split():
        _rule(rules, name, code=code)


def _rule(rules: SyscallFilter, name: str, *conditions: object, code: int = errno.EPERM) -> None:
    import pyseccomp

    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if number == UNKNOWN:
        number = NEWER[name]
    # Below that it is a call this architecture never had.
    if number >= 0:
        rules.add_rule(pyseccomp.ERRNO(code), number, *conditions)


def _masked(argument: int, mask: int, value: int) -> object:
    import pyseccomp

    return pyseccomp.Arg(argument, pyseccomp.MASKED_EQ, mask, value)


def _deny_of_others(rules: SyscallFilter) -> None:
    import pyseccomp

    for name in OF_OTHERS.split():
        _rule(rules, name, pyseccomp.Arg(0, pyseccomp.NE, 0))


def _deny_forking(rules: SyscallFilter, forks: bool) -> None:
    if not forks:
        _deny(rules, "fork vfork")
        _rule(rules, "clone", _masked(0, CLONE_THREAD, 0))
        return
    for flag in NAMESPACES:
        _rule(rules, "clone", _masked(0, flag, flag))


def _deny_socket_pairs(rules: SyscallFilter, *, streams: bool) -> None:
    """A pair of datagram sockets can send to any other socket; a pair of streams only to itself."""
    if streams:
        _deny(rules, "socketpair")
        return
    for kind in range(SOCK_TYPES + 1):
        if kind != SOCK_STREAM:
            _rule(rules, "socketpair", _masked(1, SOCK_TYPES, kind))


def _deny_controls(rules: SyscallFilter) -> None:
    """Only what a terminal or a pipe is asked: chattr, and whatever a file system offers, is another family.

    The kernel looks at the low 32 bits of a request only, so nothing is compared but those.
    """
    for bit in range(8, 16):
        mask = 1 << bit
        _rule(rules, "ioctl", _masked(1, mask, ~TERMINAL_IOCTLS & mask))
    for request in (TIOCSTI, TIOCLINUX):
        _rule(rules, "ioctl", _masked(1, LOW_WORD, request))
    for command in (F_SETOWN, F_SETOWN_EX):
        _rule(rules, "fcntl", _masked(1, LOW_WORD, command))


def _compiled(rules: SyscallFilter) -> bytes:
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
