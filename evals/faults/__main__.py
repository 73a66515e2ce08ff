"""`python -m evals.faults`, `reflect eval faults`."""

from __future__ import annotations

import sys

from evals.faults.suite import main
from evals.report import as_program

if __name__ == "__main__":
    sys.exit(as_program(main))
