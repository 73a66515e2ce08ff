"""`python -m evals.entropy`, `reflect eval entropy`."""

from __future__ import annotations

import sys

from evals.entropy.suite import main
from evals.report import as_program

if __name__ == "__main__":
    sys.exit(as_program(main))
