"""Does a plan that a model wrote look at what the goal asks? Checked by code, word by word.

Two answers: what is certainly not taken up, for which a plan is refused, and what merely seems not to be,
which lowers the confidence in its answer. A reading is no proof: commands say the same in many ways, so only
what the goal writes out (a quoted text, a path, an extension, a number) can be certain.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from memory.recipes.places import Whereabouts
from memory.recipes.reading import Reading

# Signs in a command that a demand of the goal is met; any one of them will do.
SIGNS = {
    "rank": r"\baudit\b|\bsort\b|\bhead\b|\btail\b|\bls\b.*-\w*[St]|\buniq -c",
    "recency": r"\bsort\b|\bls\b.*-\w*t|\bgit log\b|%T|-mtime|-mmin|-newer|\bstat\b",
    "negated": r"\bgrep\b.*(?:\s-\w*[vL]|--invert-match|--files-without-match)|!\s|-not\b|\bcomm\b",
    "count": r"\baudit\b|\bwc\b|\s-\w*c\b|--count\b|\buniq -c|\bgit log\b|\bgit blame\b",
    "case": r"\s-\w*i|-iname|--ignore-case|--regexp-ignore-case",
    "line": r"\baudit\b|\bwc\b|\bgrep\b|\bhead\b|\btail\b|\bcat\b|\bnl\b|\bsort\b|\bdiff\b|\bgit blame\b",
    "commit": r"\bgit\b",
    "author": r"\bgit\b",
    "branch": r"\bgit\b",
    "tag": r"\bgit\b",
    "directory": r"-type d|\bls\b|\bdu\b|%h|\bdirname\b|\bfind\b",
    "function": r"\baudit\b|def|function|func|\bfn\b|\(\)",
    "class": r"\baudit\b|class",
    "import": r"\baudit\b|import|require|include",
    "todo": r"TODO",
    "fixme": r"FIXME",
}


def uncovered(reading: Reading, whereabouts: Whereabouts, commands: str) -> list[str]:
    """What the goal states and no command of the plan takes up, in words for the planner.

    Args:
        reading: the goal, read.
        whereabouts: what its names are.
        commands: all commands of the plan, one a line.
    """
    text = commands.lower()
    missing = (
        [f"the text {reading.literal!r}"] if reading.literal and reading.literal.lower() not in text else []
    )
    for glob in reading.globs[:1]:
        suffix = glob.lstrip("*").lower()
        if not any(other.lstrip("*").lower() in text for other in reading.globs) and suffix:
            missing.append(f"files matching {glob}")
    for path in (*whereabouts.files, *whereabouts.directories, *whereabouts.excluded):
        if path.rsplit("/", 1)[-1].lower() not in text:
            missing.append(f"the path {path}")
    n = reading.quantities.n
    if n is not None and not re.search(rf"(?<!\d){n}(?!\d)", commands):
        missing.append(f"the number {n}")
    wanted: list[str] = [name for name in ("rank", "recency", "negated", "case") if name in reading.facets]
    wanted += ["count"] if "count" in reading.asks else []
    wanted += sorted(reading.things & set(SIGNS))
    missing += [f"the part that says {name!r}" for name in wanted if not re.search(SIGNS[name], commands)]
    return missing


QUOTED = re.compile(
    r'"([^"\n]{2,})"|“([^”\n]{2,})”|«([^»\n]{2,})»|`([^`\n]{2,})`|(?<!\w)\'([^\'\n]{2,})\'(?!\w)'
)
# Patterns that may match a text without writing any of it.
GENERIC = re.compile(r"\[[^\]]*-[^\]]*\]|\[\^|\.[*+?{]|\\[wWdDsSpP]|\[:")
ONE_OF = re.compile(r"\[(\w)\w?\]")
# Tools that show texts as they are, so that whoever words the answer sees everything.
SHOWING = re.compile(r"^\s*(?:cat|head|tail|tac|nl|sort|diff|comm|cut|tr|ls|find|stat|file|git (?!grep))")
CUT = re.compile(r"\b(?:head|tail)\s+(?:-n\s*|--lines[= ]|-)(\d+)\b")
NAMED_KIND = re.compile(r"(?:-i?name|--include)[= ]\s*[\"']?\S*\*\.(\w+)|[\s\"':]\*\.(\w+)")
DOT_KIND = re.compile(r"(?<![\w/.])\*?\.([A-Za-z]\w{0,6})(?![\w./])")
RULED_OUT = re.compile(
    r"\b(?:do(?:es)? not|don['’]?t|doesn['’]?t|never|no longer)\s+(?:even\s+)?"
    r"(?:contain|mention|include|have|hold|use|define|call|match)\b",
    re.IGNORECASE,
)
LISTS_MATCHES = re.compile(r"^\s*grep\s+(?:-\S+\s+)*?(?:-[a-zA-Z]*l[a-zA-Z]*|--files-with-matches)\b")


def untaken(reading: Reading, whereabouts: Whereabouts, commands: str) -> list[str]:
    """What the goal states in so many words and certainly no command takes up; each is a reason to refuse.

    Args:
        reading: the goal, read.
        whereabouts: what its names are.
        commands: all commands of the plan, one a line.
    """
    lines = [line for line in commands.splitlines() if line.strip()]
    checks = (
        _untaken_texts,
        _untaken_paths,
        _untaken_kinds,
        _untaken_number,
        _untaken_negation,
        _untaken_history,
    )
    return [missing for check in checks for missing in check(reading, whereabouts, lines)]


def _untaken_texts(reading: Reading, _: Whereabouts, lines: list[str]) -> list[str]:
    """Quoted texts of which no command writes a word, though none shows whole files or matches anything."""
    text = "\n".join(lines)
    if GENERIC.search(text) or any(SHOWING.search(line) and "grep" not in line for line in lines):
        return []
    plain = ONE_OF.sub(r"\1", text).replace("\\", "").lower()
    missing = []
    for match in QUOTED.finditer(reading.goal):
        quoted = next(group for group in match.groups() if group)
        words = re.findall(r"\w+", quoted.lower())
        # Signs alone can be escaped, or asked for by their class.
        if words and not any(word.rstrip("s") in plain for word in words):
            missing.append(f"the text {quoted!r}")
    return missing


def _untaken_paths(reading: Reading, whereabouts: Whereabouts, lines: list[str]) -> list[str]:
    """Existing files that the goal writes as paths and that no command names or searches."""
    written = {
        mention.text.strip("/").removeprefix("./").lower()
        for mention in reading.mentions
        if mention.role not in ("guess", "exclude") and re.search(r"/|\.\w+$", mention.text)
    }
    missing = []
    for path in (*whereabouts.files, *whereabouts.directories):
        named = any(path.lower() == text or path.lower().endswith(f"/{text}") for text in written)
        if named and path not in whereabouts.missing and not any(_reaches(line, path) for line in lines):
            missing.append(f"the path {path}")
    return missing


def _reaches(line: str, path: str) -> bool:
    """True if a command may look at a path: it names it, one above it or below it, or searches everything."""
    stem = re.escape(path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    name = re.escape(path.rsplit("/", 1)[-1])
    # Its name, or its stem where nothing follows: data_old.csv and data.txt are other files than data.csv.
    if "$" in line or re.search(rf"{name}(?![\w-])|{stem}(?![\w-]|\.\w)", line, re.IGNORECASE):
        return True
    words = [word.strip("\"'()") for word in re.split(r"[\s=:|]+", line)]
    places = [word.removeprefix("./").rstrip("/") for word in words if word and not word.startswith("-")]
    if any(
        place in ("", ".") or path.startswith(f"{place}/") or fnmatchcase(path, place) for place in places
    ):
        return True
    named = [place for place in places if "/" in place or re.search(r"\.\w+$", place)]
    # Without any path, a tool searches the current directory; ls shows no more than its names.
    searches = (
        r"\s*(?:git|find|ls\s.*-\w*R|grep\s.*-\w*r)" if "/" in path else r"\s*(?:git|find|ls|grep\s.*-\w*r)"
    )
    return not named and re.match(searches, line) is not None


def _untaken_kinds(reading: Reading, _: Whereabouts, lines: list[str]) -> list[str]:
    """Extensions the goal writes with their dot, where the commands are restricted to other ones."""
    wanted = {kind.lower() for kind in DOT_KIND.findall(QUOTED.sub(" ", reading.goal))}
    named = {(first or second).lower() for line in lines for first, second in NAMED_KIND.findall(line)}
    text = "\n".join(lines).lower()
    asked = {glob.rpartition("*.")[2].lower() for glob in reading.globs} & wanted
    lost = sorted(kind for kind in asked if kind not in text)
    return [f"files matching *.{kind}" for kind in lost] if named and lost and not named & asked else []


def _untaken_number(reading: Reading, _: Whereabouts, lines: list[str]) -> list[str]:
    """A number of first ones, where every command cuts at another; one more or less may be a header."""
    n = reading.quantities.n
    if n is None or "rank" not in reading.facets or not re.search(rf"(?<!\d){n}(?!\d)", reading.goal):
        return []
    if any(re.search(rf"(?<!\d){n}(?!\d)", line) for line in lines):
        return []
    cuts = {int(cut) for line in lines for cut in CUT.findall(line)}
    return [f"the number {n}"] if cuts and min(abs(cut - n) for cut in cuts) > 1 else []


def _untaken_negation(reading: Reading, _: Whereabouts, lines: list[str]) -> list[str]:
    """What is asked to be missing, where one command only lists where it is."""
    if len(lines) != 1 or not RULED_OUT.search(QUOTED.sub(" ", reading.goal)):
        return []
    line = lines[0]
    turned = re.search(SIGNS["negated"], line) or re.search(r"\bgrep\b.*\s-\w*c|\buniq\b|\(\?!|\[\^", line)
    return ["the part that says 'not'"] if LISTS_MATCHES.match(line) and not turned else []


def _untaken_history(reading: Reading, whereabouts: Whereabouts, lines: list[str]) -> list[str]:
    """Commits, where no command reads history or a file that may tell of them."""
    asked = re.search(r"\bcommits?\b", reading.goal, re.IGNORECASE)
    elsewhere = "relation" in reading.facets or QUOTED.search(reading.goal) or whereabouts.files
    told = any(re.search(r"\bgit\b|commit|\b(?:cat|head|tail)\b[^|]*\w\.\w", line, re.I) for line in lines)
    return ["the part that says 'commit'"] if asked and not elsewhere and not told else []


def unexplained(reading: Reading, commands: str) -> list[str]:
    """Content words of the goal that neither the reading nor any command takes up."""
    text = commands.lower()
    return [word for word in reading.residue if word.lower().rstrip("s") not in text]
