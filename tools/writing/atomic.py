"""Changes that happen whole or not at all: a file's new content, a new name that overwrites nothing."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import secrets
import stat
from dataclasses import dataclass
from functools import cache
from typing import Any

from tools.errors import Changed, PartlyDone
from tools.writing.descent import sync

RENAME_NOREPLACE = 1
# linux/fs.h; numbers of renameat2 for C libraries that have no function of that name.
SYSCALL_NUMBERS = {"x86_64": 316, "aarch64": 276}
# The system or the file system does not know the call or its flag.
NOT_KNOWN = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)
KEPT_ATTRIBUTES = ("user.", "system.posix_acl_access")


def same_state(left: os.stat_result, right: os.stat_result) -> bool:
    """True if two looks saw one file that nothing was done to between them."""
    fields = ("st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns")
    return all(getattr(left, field) == getattr(right, field) for field in fields)


@dataclass(frozen=True)
class Replaced:
    """The file that new content replaces, open for reading since its content was looked at."""

    fd: int
    status: os.stat_result


def publish(directory: int, name: str, content: bytes, replaced: Replaced | None) -> None:
    """Give a name its content at one moment; until then nothing is to be seen of it.

    The content goes to a file without a name where the file system can do that, so a process that is killed
    leaves nothing. A replaced file keeps its other hard links, which keep the old content; its mode, owner
    and user attributes go over to the new file, set-user-ID and set-group-ID do not, as with any write.

    Args:
        directory: descriptor of the directory.
        name: the file's name in it.
        content: all its bytes.
        replaced: what the name holds now; None if it must be free.

    Raises:
        FileExistsError: the name was to be free and is not.
        Changed: it holds something else than `replaced`.
        OSError: the content cannot be written; the directory is as it was.
    """
    blank = _Blank(directory, 0o666 if replaced is None else 0o600)
    try:
        blank.fill(content)
        if replaced is not None:
            _keep_attributes(replaced, blank.fd)
        sync(blank.fd)
        if replaced is None:
            blank.name_new(name)
        else:
            blank.name_over(name, replaced)
    finally:
        blank.close()


class _Blank:
    """A file that is being written: without a name if possible, else with a random one."""

    def __init__(self, directory: int, mode: int) -> None:
        self.directory = directory
        self.name = f".{secrets.token_hex(12)}.reflect-new"
        self.named = False
        try:
            self.fd = os.open(".", os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, mode, dir_fd=directory)
            if os.path.exists(self._link):
                return
            os.close(self.fd)  # without /proc it could never get a name
        except OSError as error:
            if error.errno not in (*NOT_KNOWN, errno.EISDIR, errno.ENOENT):
                raise
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self.fd = os.open(self.name, flags, mode, dir_fd=directory)
        self.named = True

    @property
    def _link(self) -> str:
        return f"/proc/self/fd/{self.fd}"

    def fill(self, content: bytes) -> None:
        left = memoryview(content)
        while left:
            left = left[os.write(self.fd, left) :]

    def name_new(self, name: str) -> None:
        if self.named:
            rename_new(self.directory, self.name, self.directory, name)
            self.named = False
        else:
            os.link(self._link, name, dst_dir_fd=self.directory, follow_symlinks=True)

    def name_over(self, name: str, replaced: Replaced) -> None:
        if not self.named:
            os.link(self._link, self.name, dst_dir_fd=self.directory, follow_symlinks=True)
            self.named = True
        try:
            now: os.stat_result | None = os.stat(name, dir_fd=self.directory, follow_symlinks=False)
        except FileNotFoundError:
            now = None
        if now is None or not same_state(now, replaced.status):
            raise Changed("The file changed while the new content was written; it was left as it is.")
        os.rename(self.name, name, src_dir_fd=self.directory, dst_dir_fd=self.directory)
        self.named = False

    def close(self) -> None:
        """Take away what did not get its name.

        Raises:
            PartlyDone: it cannot be taken away.
        """
        try:
            if self.named:
                os.unlink(self.name, dir_fd=self.directory)
        except FileNotFoundError:
            return
        except OSError as error:
            raise PartlyDone(
                f"The file was left as it is, but {self.name} beside it could not be removed: "
                f"{error.strerror}.",
                "Remove it by hand.",
            ) from error
        finally:
            os.close(self.fd)


def _keep_attributes(replaced: Replaced, fd: int) -> None:
    """Owner first, since changing it clears mode bits.

    Raises:
        PermissionError: the file is another user's, and the new one would not be.
    """
    new = os.fstat(fd)
    if (new.st_uid, new.st_gid) != (replaced.status.st_uid, replaced.status.st_gid):
        os.fchown(fd, replaced.status.st_uid, replaced.status.st_gid)
    os.fchmod(fd, stat.S_IMODE(replaced.status.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))
    try:
        names = [name for name in os.listxattr(replaced.fd) if name.startswith(KEPT_ATTRIBUTES)]
    except OSError as error:
        if error.errno not in NOT_KNOWN:
            raise
        return
    for name in names:
        os.setxattr(fd, name, os.getxattr(replaced.fd, name))


def rename_new(source: int, name: str, target: int, new_name: str) -> None:
    """Rename without ever overwriting, relative to two directory descriptors.

    Where the file system does not know RENAME_NOREPLACE, a file gets its second name before it loses the
    first, and a directory takes the place of an empty one made for it.

    Raises:
        FileExistsError: the new name is taken.
        OSError: the system does not rename it; both names are as they were.
    """
    rename = _renameat2()
    if rename is not None:
        arguments = (source, os.fsencode(name), target, os.fsencode(new_name), RENAME_NOREPLACE)
        if rename(*arguments) == 0:
            return
        code = ctypes.get_errno()
        if code not in NOT_KNOWN:
            raise OSError(code, os.strerror(code), name, None, new_name)
    _rename_new_in_steps(source, name, target, new_name)


def _rename_new_in_steps(source: int, name: str, target: int, new_name: str) -> None:
    status = os.stat(name, dir_fd=source, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        os.link(name, new_name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        try:
            os.unlink(name, dir_fd=source)
        except OSError:
            os.unlink(new_name, dir_fd=target)
            raise
        return
    os.mkdir(new_name, dir_fd=target)
    try:
        os.rename(name, new_name, src_dir_fd=source, dst_dir_fd=target)
    except OSError:
        os.rmdir(new_name, dir_fd=target)
        raise


@cache
def _renameat2() -> Any:
    """The C library's renameat2 or the system call, else None."""
    library = ctypes.CDLL(None, use_errno=True)
    argument_types = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if hasattr(library, "renameat2"):
        function = library.renameat2
        function.argtypes = argument_types
        return function
    number = SYSCALL_NUMBERS.get(platform.machine())
    if number is None or not hasattr(library, "syscall"):
        return None
    library.syscall.argtypes = (ctypes.c_long, *argument_types)
    library.syscall.restype = ctypes.c_long
    return lambda *arguments: library.syscall(number, *arguments)
