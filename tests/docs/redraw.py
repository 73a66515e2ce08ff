"""`python -m tests.docs.redraw`: write what pages take from the sources anew, and name what changed."""

from __future__ import annotations

import sys

from cli.settings_page import page as settings_page
from tests.docs.drawings import redrawn
from tests.docs.pages import pages
from tests.support.processes import ROOT


def main() -> None:
    """Write docs/settings.md and the pictures of all pages."""
    wanted = {one.path: redrawn(one.text) for one in pages()}
    wanted[ROOT / "docs" / "settings.md"] = settings_page()
    for path, text in wanted.items():
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
