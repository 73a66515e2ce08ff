"""Compute what ships with the exemplars of routing: `python -m evals.fit_routing`, after any was changed.

For each embedding model: the exemplars' vectors and their weights in the vote (`nodes.routing.exemplars`).
A start without them embeds all exemplars first. Some 30 s on two free cores.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from memory.recipes.ballot import save
from models.embeddings import Embedder, MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder
from nodes.routing.exemplars import assemble, digest, load_exemplars, shipped_file


def fit(embedder: Embedder) -> dict[str, object]:
    """Write one embedder's file below configs/routing/."""
    started = time.perf_counter()
    path = Path(str(shipped_file(embedder.name)))
    save(assemble(embedder), path, digest(embedder.name))
    return {
        "embedder": embedder.name,
        "exemplars": len(load_exemplars()),
        "seconds": round(time.perf_counter() - started, 1),
        "bytes": path.stat().st_size,
    }


def main() -> int:
    """Fit both and print what was written."""
    print(json.dumps([fit(E5Embedder()), fit(MiniLMEmbedder())], indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
