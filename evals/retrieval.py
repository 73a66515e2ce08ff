"""How often a search finds the document that answers a question: `python -m evals.retrieval --json`.

35 short articles in English and Chinese, several on the same subject but of another place or company, and 52
questions by kind: in the article's words (`en`, `zh`), in other words (`... para`), in simplified characters
where the article has traditional ones (`script`), and in the other language (`cross`).
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections import defaultdict
from importlib.resources import files
from typing import Any, cast

from tools.search.index.corpus_search import RETRIEVAL, Choice, CorpusSearch
from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import Item

DOCUMENTS, QUESTIONS = "retrieval_documents.tsv", "retrieval_questions.tsv"
CHOICES = ("none", "minilm", "e5", "auto")
LIMIT = 10


def rows(name: str) -> list[dict[str, str]]:
    """A table of `evals/questions` as rows by column."""
    text = (files("evals") / "questions" / name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def corpus() -> list[CorpusSource]:
    """The articles."""
    items = [Item(url=row["id"], name=row["title"], description=row["text"]) for row in rows(DOCUMENTS)]
    return [CorpusSource(item.url, "", _digest(item), _load(item)) for item in items]


def measure(choice: Choice) -> dict[str, Any]:
    """Recall in the first 1, 3 and 10 and the mean reciprocal rank, by kind of question; and the cosines."""
    search = CorpusSearch(None, corpus, choice, most_embedded=1_000)
    search.search("warm up", 1)
    ranks: dict[str, list[int | None]] = defaultdict(list)
    cosines: dict[str, list[float]] = {"right": [], "wrong": []}
    begun = time.perf_counter()
    for row in rows(QUESTIONS):
        found = search.search(row["question"], LIMIT)
        urls = [item.url for item in found]
        ranks[row["kind"]].append(urls.index(row["document"]) + 1 if row["document"] in urls else None)
        for item in found:
            cosine = item.schema_object[RETRIEVAL]["cosine"]
            if cosine is not None:
                cosines["right" if item.url == row["document"] else "wrong"].append(cosine)
    seconds = (time.perf_counter() - begun) / sum(map(len, ranks.values()))
    ranks["all"] = [rank for kind in list(ranks) for rank in ranks[kind]]
    return {
        "embedder": choice,
        "seconds_a_search": round(seconds, 4),
        "kinds": {kind: _figures(found) for kind, found in ranks.items()},
        "cosines": {kind: _quantiles(values) for kind, values in cosines.items()},
    }


def _figures(ranks: list[int | None]) -> dict[str, float]:
    def share(most: int) -> float:
        return round(sum(rank is not None and rank <= most for rank in ranks) / len(ranks), 3)

    reciprocal = sum(1 / rank for rank in ranks if rank) / len(ranks)
    return {"n": len(ranks), "r@1": share(1), "r@3": share(3), "r@10": share(10), "mrr": round(reciprocal, 3)}


def _quantiles(values: list[float]) -> list[float]:
    ordered = sorted(values)
    return (
        [round(ordered[int(share * (len(ordered) - 1))], 3) for share in (0, 0.1, 0.5, 0.9, 1)]
        if ordered
        else []
    )


def _digest(item: Item) -> Any:
    return lambda: item.digest


def _load(item: Item) -> Any:
    return lambda: Loaded([item])


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedder", choices=CHOICES, action="append")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    reports = [measure(cast(Choice, choice)) for choice in args.embedder or CHOICES]
    if args.json:
        print(json.dumps(reports, ensure_ascii=False, indent=1))
        return
    for report in reports:
        print(f"{report['embedder']}: {report['seconds_a_search']} s a search, cosines {report['cosines']}")
        for kind, figures in report["kinds"].items():
            print(f"  {kind:8}", "  ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
