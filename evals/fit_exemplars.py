"""Compute what ships with the exemplars: `python -m evals.fit_exemplars`, after any of them was changed.

For each embedding model a goal may be compared by: the exemplars' vectors and the weight of each in the vote.
A start without them embeds all exemplars first. Some 60 s on two free cores.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from memory.recipes.ballot import assemble, digest, save, shipped_file
from memory.recipes.exemplars import load_exemplars
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder


def fit(embedder: Embedder) -> dict[str, object]:
    """Write one embedder's file below configs/exemplars/."""
    exemplars = load_exemplars()
    started = time.perf_counter()
    path = Path(str(shipped_file(embedder.name)))
    save(assemble(exemplars, embedder), path, digest(exemplars, embedder.name))
    return {
        "embedder": embedder.name,
        "exemplars": len(exemplars),
        "seconds": round(time.perf_counter() - started, 1),
        "bytes": path.stat().st_size,
    }


def main() -> int:
    """Fit both and print what was written."""
    print(json.dumps([fit(E5Embedder()), fit(MiniLMEmbedder())], indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
