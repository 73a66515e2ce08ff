"""Whether a project's own settings file counts as the user's, and what is refused where it does not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from configs.errors import SettingsError
from configs.files import SETTINGS_FILE, SettingsFile
from configs.keys import dotted
from configs.locations import located, project_places_outside
from configs.privileges import privileges_taken
from configs.redaction import found, path_text
from configs.sources import Sources


@dataclass(frozen=True)
class Trust:
    """What is known of a project's settings file.

    Attributes:
        origin: who says that it is trusted, such as `environment REFLECT_TRUST`; empty if nobody does.
        keys: what it gives that would be refused if nobody did, as `configs.keys.dotted` writes it.
    """

    origin: str = ""
    keys: tuple[str, ...] = ()


def trust_of(sources: Sources, root: Path, home: Path | None, files: Iterable[SettingsFile]) -> Trust:
    """Refuse what only the project says and may not, unless the user trusts it.

    Args:
        sources: who said what.
        root: the project's directory.
        home: the user's home directory; the process's own when None.
        files: where settings were looked for.

    Raises:
        SettingsError: something is refused, or a value that decides on it is wrong.
    """
    refused = project_places_outside(sources.merged, sources.project, sources.own, root, home)
    refused |= privileges_taken(sources)
    origin = _trusted_by(sources, root, home)
    if refused and not origin:
        whats = [error.what for error in refused.values()]
        remedies = dict.fromkeys(error.remedy for error in refused.values() if error.remedy)
        raise SettingsError("\n".join(whats), " ".join([*remedies, _how_to_trust(root, files)]))
    return Trust(origin, tuple(map(dotted, refused)))


def _trusted_by(sources: Sources, root: Path, home: Path | None) -> str:
    if sources.users_value(("trust",)):
        return sources.users[("trust",)].origin
    places = sources.users_value(("trusted_projects",))
    if not places:
        return ""
    origin = sources.users[("trusted_projects",)].origin
    trusted = {os.path.realpath(_named_in_full(place, origin, root, home)) for place in places}
    return origin if os.path.realpath(root) in trusted else ""


def _named_in_full(place: str, origin: str, root: Path, home: Path | None) -> Path:
    """The directory; a relative one would be each project's own, whichever it is."""
    if not place.startswith(("/", "~")):
        raise SettingsError(
            f"{origin}: `trusted_projects` holds {found('', place)}, which is no full path.",
            "Write the directory in full, from / or ~.",
        )
    return located(root, place, home)


def _how_to_trust(root: Path, files: Iterable[SettingsFile]) -> str:
    own = next((path_text(file.path) for file in files if file.own), f"~/{SETTINGS_FILE}")
    line = f"trusted_projects: [{json.dumps(path_text(root.resolve()), ensure_ascii=False)}]"
    return (
        f"Read the project's file; if you trust it, put `{line}` into {own}, "
        "or set REFLECT_TRUST=1 for one run."
    )
