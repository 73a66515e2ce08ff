"""Where experience is kept besides this machine: a database of records, and a server of vectors."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from configs.settings import Settings
from memory.checkpoints.postgres import is_on_this_machine, is_postgres
from memory.errors import ExperiencePlaceInvalid
from memory.experience.chroma_address import ChromaServer, chroma_server
from memory.experience.record_log import no_driver

if TYPE_CHECKING:
    from memory.experience.recall_prompt import Scope

_LOCAL_ONLY = "Name a server at localhost or behind a socket, none, or another profile."


@dataclass(frozen=True)
class ExperiencePlaces:
    """Servers beside the files of this machine.

    Attributes:
        records: postgres:// URL of the database hosts share records in; empty for none.
        project_id: what the project is called there; empty: its records stay on this machine.
        vectors: the Chroma server that has the vectors; None when they are on this machine.
    """

    records: str = field(default="", repr=False)
    project_id: str = ""
    vectors: ChromaServer | None = None

    def shared_as(self, scope: Scope) -> str:
        """What a corpus is called in the database; empty when it is not shared."""
        if not self.records or (scope == "project" and not self.project_id):
            return ""
        return "global" if scope == "global" else f"project:{self.project_id}"


HERE = ExperiencePlaces()


def experience_places(settings: Settings) -> ExperiencePlaces:
    """The servers the settings name.

    Raises:
        ExperiencePlaceInvalid: a variable is not set or holds no address, or the profile allows no server on
            another machine.
        MemoryPackageMissing: Postgres needs a package that is not installed.
    """
    experience = settings.experience
    records, vectors = "", None
    if experience.url_env is not None:
        if importlib.util.find_spec("psycopg") is None:
            raise no_driver()
        records = _variable(experience.url_env)
        if not is_postgres(records):
            raise ExperiencePlaceInvalid(
                "The variable that `experience.url_env` names is not set, or holds no postgres:// URL.",
                "Put postgres://USER:PASSWORD@HOST/DATABASE into it.",
            )
        _check_profile(settings, is_on_this_machine(records), "experience.url_env")
    if experience.chroma_url_env is not None:
        vectors = chroma_server(_variable(experience.chroma_url_env))
        _check_profile(settings, vectors.on_this_machine, "experience.chroma_url_env")
    return ExperiencePlaces(records, experience.project_id or "", vectors)


def _variable(name: str) -> str:
    return os.environ.get(name, "").strip()


def _check_profile(settings: Settings, on_this_machine: bool, key: str) -> None:
    if getattr(settings.profiles, settings.profile).models == "local" and not on_this_machine:
        raise ExperiencePlaceInvalid(
            f"The profile {settings.profile!r} keeps all on this machine; `{key}` names another.", _LOCAL_ONLY
        )
