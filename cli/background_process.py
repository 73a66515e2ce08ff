"""The process of a background run, begun by `--background`: its directory and its lock are given to it.

Its record gets the process id first and the exit code last. A process that is killed writes no code, and lets
go of its lock: by that it is known.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from memory.background import read, write

# As sysexits.h has it: the software failed, for a reason nobody foresaw.
EXIT_UNFORESEEN = 70


def main(directory: Path, lock: int) -> int:
    """Run the command of a record; returns its exit code."""
    # What this process starts must not keep the lock when it is gone.
    os.set_inheritable(lock, False)
    run = read(directory)
    if run is None:
        sys.stderr.write(f"reflect: there is no background run in {directory}\n")
        return EXIT_UNFORESEEN
    run = run.model_copy(update={"pid": os.getpid()})
    write(directory, run)
    code = EXIT_UNFORESEEN
    try:
        from cli.main import main as reflect

        code = reflect(run.argv)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else EXIT_UNFORESEEN
    finally:
        sys.stdout.flush()
        ended = datetime.now(UTC).isoformat()
        write(directory, run.model_copy(update={"ended": ended, "code": code}))
    return code


def forget_own_path() -> None:
    """Leave PYTHONPATH as the person has it: its first part was put there to find this file."""
    _, _, theirs = os.environ.pop("PYTHONPATH", "").partition(os.pathsep)
    if theirs:
        os.environ["PYTHONPATH"] = theirs


if __name__ == "__main__":
    forget_own_path()
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
