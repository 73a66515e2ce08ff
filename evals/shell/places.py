"""What `/testbed/...` means here: the rebuilt tree stands in for the root of the benchmark's container.

In the container a task's tree lies at the root, where commands start. Here the tree lies in one directory
that stands for that root: it is the working directory and the product's `--root`, and every path in a goal or
a gold command that begins with a directory of the tree, or is the root alone, has that directory's own path
put in front. It is done once, before anything is asked, so the bare model and every strategy read the same
goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

# The directories the benchmark's own .gitignore leaves out of what counts, and the ones beside them.
SYSTEM = frozenset(
    "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr "
    "var".split()
)
# A path begins where no longer path, word, tag, pattern or closing sign is before it.
PATH_START = r"(?<![\w/.~*?)\]}\\<-])/(?P<top>[\w.-]+)"
# The root itself is a word of its own at the end of a command or sentence; elsewhere it may be a division.
ALONE = r"(?<=\s)/(?=\s*(?:$|[;|&+]|\\;))"


def tops_named(query: str, gold: str) -> frozenset[str]:
    """Directories at the root that a task means to make: named as paths in the goal and in the command."""
    asked, done = (set(re.findall(PATH_START, text)) for text in (query, gold))
    return frozenset(asked & done) - SYSTEM


def rooted(text: str, root: Path, tops: Iterable[str]) -> str:
    """The text with the root put in front of every absolute path into the tree."""
    known = frozenset(tops) - SYSTEM

    def put_in_front(match: re.Match[str]) -> str:
        return f"{root}{match[0]}" if match["top"].rstrip(".") in known else match[0]

    return re.sub(ALONE, str(root), re.sub(PATH_START, put_in_front, text))
