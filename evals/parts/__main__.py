"""`python -m evals.parts`, `reflect eval parts`."""

from __future__ import annotations

import sys

from evals.parts.suite import main
from evals.report import as_program

if __name__ == "__main__":
    sys.exit(as_program(main))
