"""The tables of a corpus index.

`records` has a row for every line that counts; `feedback` what lines say about others; `texts` the different
texts that are searched, each once however many runs asked the same; `words` their words for full-text search.
"""

from __future__ import annotations

VERSION = 1

TABLES = (
    ("TABLE", "state"),
    ("TABLE", "records"),
    ("TABLE", "feedback"),
    ("TABLE", "texts"),
    ("TABLE", "vocabulary"),
    ("TABLE", "words"),
)

SCHEMA = (
    """CREATE TABLE state(
        one INTEGER PRIMARY KEY CHECK (one = 1), source TEXT NOT NULL, epoch TEXT NOT NULL,
        offset INTEGER NOT NULL, mark TEXT NOT NULL,
        bad INTEGER NOT NULL, duplicates INTEGER NOT NULL, texts INTEGER NOT NULL)""",
    """CREATE TABLE records(
        identity TEXT PRIMARY KEY, offset INTEGER NOT NULL, type TEXT NOT NULL, session TEXT NOT NULL,
        at REAL, outcome TEXT NOT NULL, result TEXT NOT NULL, category TEXT NOT NULL, key TEXT NOT NULL,
        recallable INTEGER NOT NULL, verified INTEGER NOT NULL, imported INTEGER NOT NULL,
        text INTEGER, quarantined INTEGER NOT NULL, helpful INTEGER NOT NULL DEFAULT 0,
        harmful INTEGER NOT NULL DEFAULT 0, resolved_by TEXT NOT NULL DEFAULT '', shown INTEGER NOT NULL)""",
    "CREATE INDEX records_of_a_text ON records(text, shown, at) WHERE text IS NOT NULL",
    "CREATE INDEX records_of_a_key ON records(key, type) WHERE key != ''",
    "CREATE INDEX records_of_a_category ON records(category, result) WHERE category != ''",
    "CREATE INDEX records_by_age ON records(at)",
    """CREATE TABLE feedback(
        identity TEXT PRIMARY KEY, about TEXT NOT NULL, helpful INTEGER NOT NULL, harmful INTEGER NOT NULL,
        resolved_by TEXT NOT NULL, released INTEGER NOT NULL, imported INTEGER NOT NULL,
        offset INTEGER NOT NULL)""",
    "CREATE INDEX feedback_about ON feedback(about)",
    # Ids are never used twice, so how far the vectors got stays true when texts vanish.
    """CREATE TABLE texts(
        id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT UNIQUE NOT NULL, text TEXT NOT NULL)""",
    "CREATE VIRTUAL TABLE words USING fts5(tokens, tokenize = 'unicode61')",
    "CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row)",
)
