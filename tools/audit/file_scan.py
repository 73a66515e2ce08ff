"""One file, whatever its language: what a worker does for the scan."""

from __future__ import annotations

from configs.audit import AuditSettings
from tools.audit.file_facts import FileFacts
from tools.audit.languages import PYTHON
from tools.audit.lizard_scan import scan_with_lizard
from tools.audit.python_scan import scan_python
from tools.audit.reading import read
from tools.audit.sources import Source


def scan_file(source: Source, settings: AuditSettings) -> FileFacts:
    """Read a file and find what it holds.

    Raises:
        Unusable: it cannot be read, or is no text.
    """
    text = read(source, settings)
    return scan_python(source.file, text) if source.language == PYTHON else scan_with_lizard(source, text)
