"""`python -m evals.tutor`, `reflect eval tutor`."""

from __future__ import annotations

import sys

from evals.report import as_program
from evals.tutor.suite import main

if __name__ == "__main__":
    sys.exit(as_program(main))
