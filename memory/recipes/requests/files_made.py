"""Requests to make, fill, copy, move, delete, link and pack files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from memory.recipes.lexicon import load_lexicon
from memory.recipes.requests.actions import Action, Made, World, are_gone, are_there, holds, is_gone, is_there
from memory.recipes.requests.draft import Stage, Step, change_step, read_step
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import GLOB, KINDS_OF_SIGN, PATH, Marked
from memory.recipes.requests.selection import Selection

# Of "a or b" nobody says which: what is changed is joined by "and".
JOINT = r"(?:,? and |, ?)"
PATHS = rf"{PATH}(?:{JOINT}(?!(?:in|under|with|that|which|are|is|of|from)\b){PATH})*"
DIRECTORY = r"(?:directory|folder|dir)"
THE = rf"(?:the |a |my )?(?:(?:existing |new )?(?:text )?(?:file|{DIRECTORY}|script)(?: named| called)? )?"
INTO = r"(?P<prep>(?:in)?to|inside|in|under|as)"
INSIDE = ("into", "inside", "in", "under")
ENDING = re.compile(r"\.(?:tar\.gz|tgz|tar\.bz2|tar\.xz|tar)$")
# Whether a backslash with an n is meant as such, or as the end of a line, is not said.
ESCAPE = "\\n"
WHAT_IT_IS = re.compile(
    r"listings?|structure|hierarchy|tree|overview|\w+(?:able|ible|ly)|read-?only|private|public|shared|secure|safe"
)
# The trash takes one at a time, and each is a visit of the graph's 50.
MOST_DELETED = 40
# Else tar takes the part of a name before a colon for a host, and gives it to a remote shell.
LOCAL = "--force-local"
TAR = {"tar.gz": "z", "tgz": "z", "tar.bz2": "j", "tar.xz": "J", "tar": ""}


def _values(text: str, marked: Marked) -> list[str]:
    return [marked.value(part).rstrip("/") or "/" for part in _parts(text)]


def _parts(text: str) -> list[str]:
    return re.split(JOINT, text, flags=re.IGNORECASE)


def _names_a_directory(text: str, marked: Marked) -> bool:
    """True where a path ends with a slash, which no file's does."""
    return any(marked.value(part).endswith("/") for part in _parts(text))


def _below(paths: Sequence[str], place: str | None, marked: Marked) -> list[str]:
    folder = marked.value(place).rstrip("/") if place else ""
    return [posixpath.join(folder, path) for path in paths] if folder and folder != "." else list(paths)


def _is_no_name(match: re.Match[str]) -> bool:
    """True where a bare word says what something is or shall be: "a directory listing", "make files writable"."""
    word = match["x"].lower()
    if not word.isalpha() or re.search(
        r"\b(?:called|named) \S+$", match[0][: match.end("x") - match.start()]
    ):
        return False
    before = match[0][: match.start("x") - match.start()].lower()
    return (
        bool(WHAT_IT_IS.fullmatch(word))
        or bool(re.search(r"(?:files|directories|folders|dirs) $", before))
        or before.startswith("make the ")
    )


def _directories(match: re.Match[str], marked: Marked) -> Action | None:
    if _is_no_name(match):
        return None
    paths = _below(_values(match["x"], marked), match["in"], marked)

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if any(world.kind(path) is not None for path in paths):
            return None
        places = [world.path(path) for path in paths]
        steps = [change_step(f"Make {path}", "make_dir", path=path) for path in places]
        return Made(
            steps, [is_there(path, "directory") for path in places], dict.fromkeys(paths, "directory")
        )

    return Action("make-directory", build, tuple(paths), makes=paths[0] if len(paths) == 1 else None)


def _files(match: re.Match[str], marked: Marked) -> Action | None:
    if _names_a_directory(match["x"], marked) or _is_no_name(match):
        return None
    paths = _below(_values(match["x"], marked), match["in"], marked)
    groups = match.groupdict()
    content = f"{marked.value(groups['text'])}\n" if groups.get("text") else ""
    if content and (len(paths) > 1 or ESCAPE in content):
        return None

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if any(world.kind(path) is not None for path in paths):
            return None  # what is there would be lost
        places = [world.path(path) for path in paths]
        steps = [change_step(f"Write {path}", "write_file", path=path, content=content) for path in places]
        checks = [check for path in places for check in (is_there(path, "file"), holds(path, content))]
        return Made(steps, checks, dict.fromkeys(paths, "file"))

    return Action("write-file", build, tuple(paths), makes=paths[0] if len(paths) == 1 else None)


def _append(match: re.Match[str], marked: Marked) -> Action | None:
    path, text = marked.value(match["x"]), marked.value(match["text"])
    if ESCAPE in text:
        return None

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if world.kind(path) != "file":
            return None
        place = world.path(path)
        step = change_step(f"Append to {place}", "append_file", path=place, text=f"{text}\n")
        last = {"lines": text.count("\n") + 1, "paths": [place]}
        return Made(
            [step],
            [read_step(f"Read the end of {place}", [{"tool": "tail", "args": last}], expect_text=text)],
        )

    return Action("append", build, (path,), makes=path)


def _replace(match: re.Match[str], marked: Marked) -> Action | None:
    path = marked.value(match["x"])
    old, new = marked.value(match["old"]), marked.value(match["new"])
    if "\n" in old + new or not old or match["old"].lower() in KINDS_OF_SIGN:
        return None
    if (match["noun"] or "").lower() == "word ":
        return None  # the tool replaces parts of longer words as well

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if world.kind(path) != "file":
            return None
        place = world.path(path)
        step = change_step(f"Replace in {place}", "edit_file", path=place, old=old, new=new, replace_all=True)
        search = {"fixed": True, "paths": [place]}
        if old in new:
            found: Step = read_step(
                "See the new text", [{"tool": "grep", "args": {**search, "pattern": new}}]
            )
            return Made([step], [{**found, "expect_output": True}])
        count = [{"tool": "grep", "args": {**search, "pattern": old, "count": True}, "expect_exit": [0, 1]}]
        return Made([step], [read_step("See that it is gone", count, expect_exit=[0, 1], expect_text="0")])

    return Action("replace", build, (path,))


def _targets(world: World, sources: Sequence[str], target: str, into: bool) -> dict[str, str] | None:
    """The path each source goes to, or None where that is not clear or something stands there."""
    kind = world.kind(target)
    if kind == "directory" or into:
        if kind not in ("directory", None) or (kind is None and len(sources) < 2 and not into):
            return None
        found = {source: posixpath.join(target, posixpath.basename(source)) for source in sources}
    elif len(sources) == 1 and kind is None:
        found = {sources[0]: target}
    else:
        return None
    return found if len(set(found.values())) == len(sources) else None


def _transfer(tool: str) -> Callable[[re.Match[str], Marked], Action | None]:
    def read(match: re.Match[str], marked: Marked) -> Action | None:
        sources = _values(match["x"], marked)
        said = marked.value(match["to"])
        target = said.rstrip("/") or "/"
        if tool == "rename":
            if len(sources) > 1 or said.endswith("/"):
                return None
            folder = posixpath.dirname(sources[0])
            target = posixpath.join(folder, target) if folder and "/" not in target else target
        if target.lower() == "trash" or _is_ending(target, sources):
            return None
        groups = match.groupdict()
        named = bool(re.search(rf"\b{DIRECTORY}\b", groups.get("kind") or ""))
        within = (groups.get("prep") or "").lower() in INSIDE and not posixpath.splitext(target)[1]
        folder_said = named or within or said.endswith("/")

        def build(world: World, listed: Sequence[str]) -> Made | None:
            kinds = {world.kind(source) for source in sources}
            if None in kinds:
                return None
            is_new = world.kind(target) is None
            # What takes the name of the directory it should lie in is in nobody's mind.
            if is_new and folder_said and kinds == {"file"}:
                return _into_new_folder(world, tool, sources, target)
            if is_new and (named or within):
                return None
            found = _targets(world, sources, target, False)
            if found is None or (tool == "rename" and not is_new):
                return None
            return _transferred(world, tool, found)

        return Action(tool, build, (*sources, target), makes=target)

    return read


def _is_ending(target: str, sources: Sequence[str]) -> bool:
    """True where a new name is but an ending, and the rest of the old name is to stay: "rename a.md to .txt"."""
    name = posixpath.basename(target)
    ending = name[1:].lower()
    hidden = any(posixpath.basename(source).startswith(".") for source in sources)
    known = ending in load_lexicon().extensions or ending in ("bak", "backup", "old", "orig", "tmp")
    return name.startswith(".") and known and not hidden


def _into_new_folder(world: World, tool: str, sources: Sequence[str], folder: str) -> Made | None:
    """The directory is made, then the files go into it."""
    found = _targets(world, sources, folder, True)
    made = None if found is None else _transferred(world, tool, found)
    if made is None:
        return None
    place = world.path(folder)
    steps = [change_step(f"Make {place}", "make_dir", path=place), *made.steps]
    return Made(steps, [is_there(place, "directory"), *made.checks], {folder: "directory", **made.new})


def _transferred(world: World, tool: str, found: dict[str, str]) -> Made | None:
    kinds = {source: world.kind(source) or "file" for source in found}
    if not set(kinds.values()) <= {"file", "directory", "link"} or (
        tool == "copy" and "link" in kinds.values()
    ):
        return None
    new = {target: kinds[source] for source, target in found.items()}
    folders = {posixpath.dirname(target) for target in found.values()}
    kept = all(posixpath.basename(source) == posixpath.basename(target) for source, target in found.items())
    if len(found) > 1 and len(folders) == 1 and kept and set(kinds.values()) == {"file"}:
        return _transferred_together(world, tool, found, folders.pop(), new)
    steps: list[Step] = []
    checks: list[Step] = []
    for source, target in found.items():
        old, place = world.path(source), world.path(target)
        if kinds[source] == "link" and posixpath.dirname(old) != posixpath.dirname(place):
            return None  # from there it may lead elsewhere
        if tool == "copy":
            options = ["-rn"] if kinds[source] == "directory" else ["-n"]
            steps.append(
                change_step(f"Copy {old} to {place}", "run", argv=["cp", *options, "-T", "--", old, place])
            )
            compare = {"tool": "diff", "argv": ["-r", "--", old, place]}
            checks.append(read_step(f"Compare {old} and {place}", [compare], expect_text=""))
        else:
            steps.append(change_step(f"Move {old} to {place}", "move", source=old, target=place))
            checks += [is_there(place, kinds[source]), is_gone(old)]
    return Made(steps, checks, new)


def _transferred_together(
    world: World, tool: str, found: dict[str, str], folder: str, new: dict[str, str]
) -> Made:
    """Files that go into one directory, in one step: a file each would be a checkpoint and an approval each."""
    old, places, into = (
        [world.path(path) for path in found],
        [world.path(path) for path in found.values()],
        world.path(folder),
    )
    program = "cp" if tool == "copy" else "mv"
    step = change_step(
        f"{tool.capitalize()} {len(old)} files to {into}", "run", argv=[program, "-n", "-t", into, "--", *old]
    )
    if tool == "copy":
        # A copy that differs has a checksum of its own.
        stages: list[Stage] = [
            {"tool": "sha256sum", "argv": ["--", *old, *places]},
            {"tool": "cut", "argv": ["-c-64"]},
            {"tool": "sort", "argv": []},
            {"tool": "uniq", "argv": ["-u"]},
        ]
        return Made([step], [read_step(f"Compare the copies in {into}", stages, expect_text="")], new)
    return Made([step], [are_there(places), are_gone(old)], new)


def _transfer_all(tool: str) -> Callable[[re.Match[str], Marked], Action | None]:
    def read(match: re.Match[str], marked: Marked) -> Action | None:
        selection = read_selection(match["what"], marked)
        said = marked.value(match["to"])
        target = said.rstrip("/")
        if selection is None or selection.kind != "f" or not target or _takes_all(match["what"], marked):
            return None

        def build(world: World, listed: Sequence[str]) -> Made | None:
            new = world.kind(target) is None and said.endswith("/")
            if not (new or world.kind(target) == "directory") or not _scoped(world, selection):
                return None
            placed = selection.scope or _globs(match["what"], marked)
            if (placed and nested_unsaid(match["what"], selection, listed)) or _spared(selection, listed):
                return None
            inside = f"{world.path(target)}/"
            sources = [path for path in map(world.path, listed) if not path.startswith(inside)]
            if new:
                return _into_new_folder(world, tool, sources, target)
            found = _targets(world, sources, target, into=True)
            taken = {world.path(path) for path in listed}
            return (
                None
                if found is None or taken & {world.path(path) for path in found.values()}
                else _transferred(world, tool, found)
            )

        return Action(tool, build, (target, *selection.names()), selection)

    return read


DEEP = re.compile(
    r"recursiv|sub-?(?:director|folder)|\bunder\b|below|anywhere|whole|entire|nested|tree|depth|level",
    re.IGNORECASE,
)


def _globs(what: str, marked: Marked) -> list[str]:
    return [marked.value(token) for token in re.findall(GLOB, what)]


def _takes_all(what: str, marked: Marked) -> bool:
    """True for a glob such as `docs/*`, which stands for directories as well, where nothing says "files"."""
    named = [posixpath.basename(glob) for glob in _globs(what, marked)]
    return any("." not in name.lstrip(".") for name in named) and not re.search(r"\bfiles?\b", what, re.I)


def _spared(selection: Selection, listed: Sequence[str]) -> bool:
    """True if a word that is ruled out may be the name of a listed file without its ending."""
    denied = {glob for globs, no, _ in selection.name_tests if no for glob in globs}
    return any(posixpath.splitext(posixpath.basename(path))[0] in denied for path in listed)


def nested_unsaid(what: str, selection: Selection, listed: Sequence[str]) -> bool:
    """True if some files lie in a directory of the named one, and nothing says that these are meant as well.

    `cp DIR/*.conf` and `rm *.log` would leave them; a search would take them.
    """
    if selection.maxdepth == 1 or DEEP.search(what):
        return False
    scopes = {posixpath.normpath(path) for path in selection.scope or ["."]}
    return any(posixpath.normpath(posixpath.dirname(path) or ".") not in scopes for path in listed)


def _scoped(world: World, selection: Selection) -> bool:
    return all(world.facts.kind(path) == "directory" for path in selection.scope)


def _delete(match: re.Match[str], marked: Marked) -> Action:
    paths = _values(match["x"], marked)
    said = (match["kind"] or "").lower()

    def build(world: World, listed: Sequence[str]) -> Made | None:
        kinds = {world.kind(path) for path in paths}
        if "empty" in said:
            return None  # whether it is empty was not looked up
        if None in kinds or ("file" in said and "directory" in kinds):
            return None
        if re.search(DIRECTORY, said) and kinds != {"directory"}:
            return None
        places = [world.path(path) for path in paths]
        if len(places) > MOST_DELETED:
            return None
        return Made(
            [change_step(f"Delete {path}", "delete", path=path) for path in places], [are_gone(places)]
        )

    return Action("delete", build, tuple(paths))


def _delete_all(match: re.Match[str], marked: Marked) -> Action | None:
    selection = read_selection(match["what"], marked)
    if (
        selection is None
        or (selection.kind == "d" and "empty" not in selection.tests)
        or selection.kind is None
        or _takes_all(match["what"], marked)
    ):
        return None

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if not listed or not _scoped(world, selection):
            return None
        # "Delete all .log files" is said of a whole tree, `rm *.log` of one directory.
        narrow = re.search(r"\bonly\b", match["what"], re.I) or (
            not selection.scope and _globs(match["what"], marked)
        )
        if (narrow and nested_unsaid(match["what"], selection, listed)) or _spared(selection, listed):
            return None
        places = [world.path(path) for path in listed]
        if len(places) > MOST_DELETED:
            return None
        return Made(
            [change_step(f"Delete {path}", "delete", path=path) for path in places], [are_gone(places)]
        )

    return Action("delete", build, selection.names(), selection)


def _link(match: re.Match[str], marked: Marked) -> Action | None:
    link, target = marked.value(match["link"]), marked.value(match["to"])
    if link.endswith("/"):
        return None

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if world.kind(link) is not None or world.kind(target) is None:
            return None
        place, leads = world.path(link), world.path(target)
        written = posixpath.relpath(leads, posixpath.dirname(place) or ".")
        step = change_step(f"Link {place} to {leads}", "run", argv=["ln", "-s", "--", written, place])
        check = read_step(
            "See where it leads", [{"tool": "readlink", "argv": ["--", place]}], expect_text=written
        )
        # Where its directory is a link itself, the path from there leads elsewhere.
        args = {"paths": [place], "maxdepth": 0, "broken": True, "printf": "%p\\n"}
        dangling = read_step(
            "See that it leads to something", [{"tool": "find", "args": args}], expect_text=""
        )
        return Made([step], [check, dangling], {link: "link"})

    return Action("link", build, (link, target))


def _pack(match: re.Match[str], marked: Marked) -> Action | None:
    sources, name = _values(match["x"], marked), marked.value(match["to"])
    ending = ENDING.search(name)
    if ending is None:
        return None
    letter = TAR[ending[0].removeprefix(".")]
    if not letter and re.search(
        r"compress|\b(?:g?zip|tgz|gz)|‹[EP]\d+› (?:archive|tarball|backup)", match[0], re.I
    ):
        return None  # a bare tar is not compressed

    def build(world: World, listed: Sequence[str]) -> Made | None:
        # Of a link, tar packs where it leads, not what is there.
        if world.kind(name) is not None or {world.kind(source) for source in sources} - {"file", "directory"}:
            return None
        place, parts = world.path(name), [world.path(source) for source in sources]
        if any(part == "." or f"{place}/".startswith(f"{part}/") for part in parts):
            return None
        # Comparing the archive with the files is a run of tar as well; it writes nothing.
        steps = [
            change_step(
                f"Pack {', '.join(parts)}", "run", argv=["tar", LOCAL, f"-c{letter}f", place, "--", *parts]
            ),
            change_step(f"Compare {place} with the files", "run", argv=["tar", LOCAL, f"-d{letter}f", place]),
        ]
        return Made(steps, [is_there(place, "file")], {name: "file"})

    return Action("pack", build, (*sources, name))


def _unpack(match: re.Match[str], marked: Marked) -> Action | None:
    name = marked.value(match["x"])
    ending = ENDING.search(name)
    folder = marked.value(match["to"]).rstrip("/") if match["to"] else "."
    if ending is None:
        return None
    letter = TAR[ending[0].removeprefix(".")]

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if world.kind(name) != "file" or world.kind(folder) != "directory":
            return None
        place, into = world.path(name), world.path(folder)
        # -k: nothing that exists is overwritten; then the archive is compared with what was unpacked.
        steps = [
            change_step(f"Unpack {place}", "run", argv=["tar", LOCAL, f"-xk{letter}f", place, "-C", into]),
            change_step("Compare", "run", argv=["tar", LOCAL, f"-d{letter}f", place, "-C", into]),
        ]
        return Made(steps, [is_there(place, "file")])

    return Action("unpack", build, (name, folder))


def _gzip(match: re.Match[str], marked: Marked) -> Action | None:
    path = marked.value(match["x"])
    packed = f"{path}.gz"

    def build(world: World, listed: Sequence[str]) -> Made | None:
        if world.kind(path) != "file" or world.kind(packed) is not None:
            return None
        place = world.path(path)
        steps = [change_step(f"Compress {place}", "run", argv=["gzip", "--", place])]
        return Made(steps, [is_there(f"{place}.gz", "file"), is_gone(place)], {packed: "file"})

    return Action("gzip", build, (path, packed))


QUOTED = r"(?P<text>‹Q\d+›)"
WORDED = r"(?:the )?(?:text|line|content|contents|string|words?|message|sentence)?"
IN = rf"(?: (?:in|inside|under|within) (?:the )?(?:{DIRECTORY} )?(?P<in>{PATH})(?: {DIRECTORY})?)?"
RAW: list[tuple[str, Callable[[re.Match[str], Marked], Action | None]]] = [
    (rf"(?:create|make|add) (?:a |an |the |two |three )?(?:new |empty )*(?:directory|directories|folders?|dirs?|sub-?(?:directory|folder)|directory (?:structure|tree|path))(?: (?:called|named))? (?P<x>{PATHS}){IN}", _directories),
    (rf"mkdir (?:-p )?(?P<x>{PATHS})(?P<in>(?!))?", _directories),
    (rf"(?:create|make|add|touch) (?:a |an |the |two |three )?(?:new |empty |blank )*(?:text )?files?(?: (?:called|named))? (?P<x>{PATHS}){IN}", _files),
    (rf"touch (?P<x>{PATHS})(?P<in>(?!))?", _files),
    (rf"(?:create|make|write) (?:a |an |the )?(?:new )?(?:text )?(?:file )?(?:called |named )?(?P<x>{PATH}){IN} (?:with|containing|that contains|holding|that says|saying|which contains) (?:only )?{WORDED} ?{QUOTED}(?: in it| inside)?", _files),
    (rf"(?:write|put|save|store) {WORDED} ?{QUOTED} (?:in)?to (?:a |the )?(?:new )?(?:text )?(?:file )?(?:called |named )?(?P<x>{PATH})(?P<in>(?!))?", _files),
    (rf"(?:append|add) (?:a |the )?(?:new )?{WORDED} ?{QUOTED} (?:to|at) (?:the )?(?:end of |bottom of )?(?:the )?(?:file )?(?P<x>{PATH})", _append),
    (rf"(?:replace|substitute|change) (?:all |every |each |the )*(?:(?:occurrences?|instances?) of )(?:the )?(?P<noun>word |text |string )?(?P<old>‹Q\d+›|‹P\d+›|[\w-]+) (?:with|by|to|into) (?:the )?(?:word |text |string )?(?P<new>‹Q\d+›|‹P\d+›|[\w-]+) in (?:the )?(?:file )?(?P<x>{PATH})", _replace),
    (rf"(?:replace|substitute|change) (?:the )?(?P<noun>word |text |string )?(?P<old>‹Q\d+›) (?:with|by|to|into) (?:the )?(?:word |text |string )?(?P<new>‹Q\d+›) (?:everywhere )?in (?:the )?(?:file )?(?P<x>{PATH})", _replace),
    (rf"(?:copy|cp|duplicate) {THE}(?P<x>{PATHS}) {INTO} (?P<kind>(?:the |a )?(?:new )?(?:file|{DIRECTORY})(?: named| called)? )?(?P<to>{PATH})(?: {DIRECTORY})?", _transfer("copy")),
    (rf"(?:make|create) (?:a )?(?:backup )?copy of {THE}(?P<x>{PATH}) (?P<prep>called|named|as|at|to|in|into) (?P<kind>(?:the )?{DIRECTORY} )?(?P<to>{PATH})", _transfer("copy")),
    (rf"(?:move|mv) {THE}(?P<x>{PATHS}) {INTO} (?P<kind>(?:the |a )?(?:existing )?(?:{DIRECTORY})(?: named| called)? )?(?P<to>{PATH})(?: {DIRECTORY})?", _transfer("move")),
    (rf"(?:rename|change the name of) {THE}(?P<x>{PATH}) (?:to|as|into) (?P<to>{PATH})", _transfer("rename")),
    (rf"(?:copy|cp) (?P<what>.+?) (?:in)?to (?:the )?(?:{DIRECTORY} )?(?P<to>{PATH})(?: {DIRECTORY})?", _transfer_all("copy")),
    (rf"(?:move|mv) (?P<what>.+?) (?:in)?to (?:the )?(?:{DIRECTORY} )?(?P<to>{PATH})(?: {DIRECTORY})?", _transfer_all("move")),
    (rf"(?:delete|remove|erase|rm|trash) (?:the |my )?(?P<kind>(?:empty )?(?:files?|{DIRECTORY}|directories|folders|script|link|symbolic link)(?: named| called)? )?(?P<x>{PATHS})(?: {DIRECTORY})?(?:,? (?:and|with|including) (?:all )?(?:of )?(?:its|their) contents?|,? recursively|,? and everything (?:in|inside) (?:it|them))?", _delete),
    (r"(?:delete|remove|erase|rm|trash) (?P<what>.+)", _delete_all),
    (rf"(?:create|make|add) (?:a |the )?(?:new )?(?:symbolic |sym-?|soft )links?(?: called| named)? (?P<link>{PATH}),? (?:(?:that |which )?(?:points?|pointing|leads?|leading|linking|refers?)? ?to|for) (?:the )?(?:file |{DIRECTORY} )?(?P<to>{PATH})", _link),
    (rf"(?:create|make|add) (?:a |the )?(?:new )?(?:symbolic |sym-?|soft )link to (?:the )?(?:file |{DIRECTORY} )?(?P<to>{PATH}) (?:called|named|at|as) (?P<link>{PATH})", _link),
    (rf"(?:compress|archive|pack|tar|bundle|zip up) {THE}(?P<x>{PATHS})(?: {DIRECTORY})? (?:in)?(?:to|as) (?:an? )?(?:(?:compressed |tar |gzipped |tar\.gz )*(?:archive|tarball|file) (?:called |named )?)?(?P<to>{PATH})", _pack),
    (rf"(?:create|make) (?:an? |the )?(?:compressed |gzipped |gzip |tar |tar\.gz |‹[EP]\d+› |tgz )*(?:archive|tarball|tar file|backup) (?:of|from|containing|with) {THE}(?P<x>{PATHS})(?: {DIRECTORY})? (?:called|named|as|in|to) (?P<to>{PATH})", _pack),
    (rf"(?:create|make) (?:an? |the )?(?:compressed |gzipped |gzip |tar |tar\.gz |tgz )*(?:archive|tarball|tar file)(?: called| named)? (?P<to>{PATH}) (?:of|from|containing|with) {THE}(?P<x>{PATHS})(?: {DIRECTORY})?", _pack),
    (rf"(?:extract|unpack|untar|decompress) (?:the )?(?:archive |tarball |file )?(?P<x>{PATH})(?: (?:in)?to (?:the )?(?:{DIRECTORY} )?(?P<to>{PATH}))?(?: in the current directory| here)?", _unpack),
    (rf"(?:gzip|compress) (?:the )?(?:file )?(?P<x>{PATH})(?: (?:with|using) gzip)?", _gzip),
]  # fmt: skip
FILE_ACTIONS = tuple((LazyPattern(raw), read) for raw, read in RAW)
