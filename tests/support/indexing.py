"""Indexes a folder and searches it: a process that tests start and end. `FOLDER INDEX QUERY` prints urls."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from configs.research import SearchSettings
from tools.search.folder import FolderBackend


def main() -> None:
    """Print "begun" when the search begins, then the urls that were found."""
    folder, index, query = sys.argv[1:]
    backend = FolderBackend(Path(folder), Path(index), SearchSettings(embedder="none"))
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    found = asyncio.run(backend.search(query, 50))
    sys.stdout.write(json.dumps([item.url for item in found]) + "\n")
    backend.close()


if __name__ == "__main__":
    main()
