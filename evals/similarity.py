"""Where to draw the line between the same question and another: `python -m evals.similarity --json`.

Pairs of a question and what a past run left (its goal and its steps or lesson, as they are indexed), labelled
by hand: `same` when the past run helps with the question, `other` when it would mislead or has nothing to do
with it. Half of the others share words with the question. The threshold is the middle of the interval that
gives the highest balanced accuracy.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from configs.settings import Settings
from memory.experience.similarity import similarity_threshold
from models.embeddings import Embedder, open_embedder

SAME = (
    (
        "how many python files are in src",
        "count the .py files below src\nfind files named *.py; then count them",
    ),
    (
        "which markdown file is the longest",
        "largest markdown document by line count\nfind *.md; then count lines",
    ),
    ("who last changed config.yaml", "last author of settings.yaml\nread the git log of the file"),
    ("where is load_settings defined", "find the definition of read_config\nsearch for def read_config"),
    ("list all TODO comments", "show every TODO in the code\nsearch for TODO in all files"),
    ("what are the five biggest files", "which files take the most space\nlist files by size"),
    ("show commits of the last week", "git log since last Monday\nread the git log"),
    ("does any test use requests", "which tests import httpx\nsearch tests for import httpx"),
    (
        "count lines of code in lib",
        "how many lines do the files below app have\nfind files; then count lines",
    ),
    (
        "find files changed today",
        "which files were modified in the last 24 hours\nfind files newer than a day",
    ),
    ("is there a license file", "does the project have a LICENSE\nfind files named LICENSE*"),
    ("what does parser.py do", "explain the purpose of router.py\nread router.py; then sum it up"),
    ("how large is the docs folder", "size of the data directory\nsum the sizes of files below data"),
    ("find duplicate file names", "are there files with the same name\nlist file names; then group them"),
    (
        "read the first ten lines of README.md",
        "show the beginning of CHANGELOG.md\nread the head of the file",
    ),
    (
        "which functions have no docstring",
        "list undocumented functions\nparse the files; then list functions",
    ),
    ("search notes.txt for the word budget", "grep invoice in letter.txt\nsearch letter.txt for invoice"),
    ("how many tests are there", "count the test functions\nsearch for def test_; then count"),
    ("what version is this package", "find the version number of the project\nread pyproject.toml"),
    ("list empty directories", "which folders hold nothing\nfind directories without entries"),
    ("delete the temporary files in build", "remove *.tmp below out\nfind *.tmp; then delete them"),
    ("rename old.txt to new.txt", "move draft.md to final.md\nmove draft.md"),
    ("which branch am I on", "name of the current git branch\nread git status"),
    ("find the file that sets the port", "where is the timeout configured\nsearch for timeout in yaml files"),
)
OTHER = (
    ("how many python files are in src", "delete all python files in src\nfind *.py; then delete them"),
    ("which markdown file is the longest", "translate the markdown file into html\nread it; then write it"),
    ("who last changed config.yaml", "what keys does config.yaml have\nread config.yaml"),
    ("where is load_settings defined", "rename load_settings to read_settings\nedit the file"),
    ("list all TODO comments", "write a comment into every file\nedit each file"),
    ("what are the five biggest files", "five oldest commits\nread the git log"),
    ("show commits of the last week", "what is the weather next week\nnothing was found"),
    ("does any test use requests", "run all tests\nrun pytest"),
    ("count lines of code in lib", "which library is imported most\nsearch for import; then count"),
    ("find files changed today", "what is the date today\nprint the date"),
    ("is there a license file", "largest image below assets\nlist files by size"),
    ("what does parser.py do", "how many lines has the log\ncount lines"),
    ("how large is the docs folder", "who wrote the tests\nread the git log"),
    ("find duplicate file names", "explain recursion\nanswered without tools"),
    ("read the first ten lines of README.md", "which port does the server use\nsearch yaml files for port"),
    ("which functions have no docstring", "list csv files by size\nfind *.csv; then sort them"),
    ("search notes.txt for the word budget", "current git branch\nread git status"),
    ("how many tests are there", "how many people live in Paris\nanswered without tools"),
    ("what version is this package", "package the folder as a zip\nwrite an archive"),
    ("list empty directories", "list of all contributors\nread the git log"),
    ("delete the temporary files in build", "how large is the build log\nsize of a file"),
    ("rename old.txt to new.txt", "difference of old.txt and new.txt\ncompare two files"),
    ("which branch am I on", "tell me a joke\nanswered without tools"),
    ("find the file that sets the port", "export the report as pdf\nwrite report.pdf"),
)


def cosines(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> list[float]:
    """Cosine of each pair."""
    left = embedder.embed([question for question, _ in pairs])
    right = embedder.embed([stored for _, stored in pairs])
    return [float(value) for value in np.sum(left * right, axis=1)]


def calibrate(same: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """The threshold of highest balanced accuracy, and that accuracy; the middle where several are as good."""
    values = sorted({*same, *other})
    candidates = [(low + high) / 2 for low, high in zip(values, values[1:], strict=False)]
    scored = [(balanced_accuracy(same, other, candidate), candidate) for candidate in candidates]
    best = max(score for score, _ in scored)
    equal = [candidate for score, candidate in scored if score == best]
    return (equal[0] + equal[-1]) / 2, best


def balanced_accuracy(same: Sequence[float], other: Sequence[float], threshold: float) -> float:
    """Mean of the parts of both kinds that fall on their side."""
    found = sum(value >= threshold for value in same) / len(same)
    refused = sum(value < threshold for value in other) / len(other)
    return (found + refused) / 2


def report(embedder: Embedder) -> dict[str, Any]:
    """Measure an embedding model."""
    same, other = cosines(SAME, embedder), cosines(OTHER, embedder)
    threshold, accuracy = calibrate(same, other)
    used = similarity_threshold(embedder.name, None)
    return {
        "embedder": embedder.name,
        "pairs": {"same": len(same), "other": len(other)},
        "best_threshold": round(threshold, 3),
        "balanced_accuracy": round(accuracy, 3),
        "threshold_in_use": used,
        "same_found": round(sum(value >= used for value in same) / len(same), 3),
        "other_found": round(sum(value >= used for value in other) / len(other), 3),
        "at": {
            f"{percent}%": [
                sum(one >= percent / 100 for one in same),
                sum(one >= percent / 100 for one in other),
            ]
            for percent in range(30, 85, 5)
        },
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit 1 if the threshold in use is much worse than the best one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    parser.parse_args(argv)
    figures = report(open_embedder(Settings()))
    print(json.dumps(figures, indent=2))
    reached = (figures["same_found"] + 1 - figures["other_found"]) / 2
    return int(reached < figures["balanced_accuracy"] - 0.05)


if __name__ == "__main__":
    sys.exit(main())
