"""`python -m evals.claims`, `reflect eval claims`."""

from __future__ import annotations

import sys

from evals.claims.suite import main
from evals.report import as_program

if __name__ == "__main__":
    sys.exit(as_program(main))
