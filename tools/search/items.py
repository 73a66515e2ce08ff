"""The unit every search gives and every report is: an NLWeb Item.

https://github.com/nlweb-ai/NLWeb lists the fields; `schema_object` carries what schema.org has a name for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import SplitResult, unquote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from configs.errors import UsageError
from configs.redaction import escaped, path_text
from tools.search.extraction.dates import calendar_date

DATE = "datePublished"
LANGUAGE = "inLanguage"
# Path of the file an item was read from, below the folder that was searched; no document can unsay it.
FILE = "_file"
# The address that file names as its own. Nobody has seen it there, so it is told and never used.
SAYS_FROM = "_says_from"

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


class Item(BaseModel):
    """A document that was found, or a report.

    What is missing but `url` is completed from it, as far as an address tells: name, site and siteUrl.

    Attributes:
        type: always "Item"; "@type" in JSON.
        url: where it lies; two items of one url are one document.
        name: its title.
        site: who publishes it, e.g. "中央社"; the host of `url` when nothing says so.
        siteUrl: address of the site.
        score: relevance for the query that found it, 0 to 100.
        description: the whole text of a document, or the markdown of a report; offsets count its characters.
        schema_object: schema.org metadata: `datePublished` (ISO 8601, may be missing), `inLanguage`.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    type: Literal["Item"] = Field("Item", alias="@type")
    url: str = Field(min_length=1)
    name: str = ""
    site: str = ""
    siteUrl: str = ""  # noqa: N815  # NLWeb's name for it
    score: int = Field(0, ge=0, le=100)
    description: str = ""
    schema_object: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        fields = {key: value for key, value in given.items() if value is not None}
        url = fields.get("url")
        if isinstance(url, str):
            parts = _split(url)
            fields.setdefault("name", unquote(parts.path.rstrip("/").rsplit("/", 1)[-1]) or url)
            fields.setdefault("site", parts.hostname or "")
            fields.setdefault("siteUrl", f"{parts.scheme}://{parts.netloc}" if parts.netloc else "")
        return fields

    @field_validator("url", "name", "site", "siteUrl", "description")
    @classmethod
    def _text(cls, text: str) -> str:
        # Half of a JSON escape could neither be hashed nor written, and NUL ends a text in SQLite.
        return _UNWRITABLE.sub("\ufffd", text)

    @field_validator("score", mode="before")
    @classmethod
    def _whole(cls, score: Any) -> Any:
        return round(score) if isinstance(score, float) and 0 <= score <= 100 else score

    @field_validator("schema_object", mode="before")
    @classmethod
    def _object(cls, value: Any) -> Any:
        """NLWeb stores hold it as JSON text, some of them as a list of one."""
        if isinstance(value, str):
            value = json.loads(value) if value.strip() else {}
        return value[0] if isinstance(value, list) and len(value) == 1 else value

    @property
    def digest(self) -> str:
        """SHA-256 of the description's UTF-8 bytes, hexadecimal."""
        return hashlib.sha256(self.description.encode("utf-8")).hexdigest()

    @property
    def date(self) -> str | None:
        """When it was published: an ISO day, month or year; None when nobody says, or none can be read."""
        return calendar_date(self.schema_object.get(DATE))

    @property
    def says_from(self) -> str:
        """The web address a file names as its own; empty if it names none."""
        named = self.schema_object.get(SAYS_FROM)
        return named if isinstance(named, str) and isinstance(self.schema_object.get(FILE), str) else ""

    @property
    def language(self) -> str | None:
        """Its language as in BCP 47, e.g. "zh" or "en"; None when nobody says."""
        language = self.schema_object.get(LANGUAGE)
        return language if isinstance(language, str) and language else None

    def dump(self) -> dict[str, Any]:
        """JSON values under NLWeb's names, "@type" first."""
        return self.model_dump(mode="json", by_alias=True)


def why_invalid(error: ValidationError) -> str:
    """What is wrong with an item, in a few words, none of its values."""
    reasons = [
        f"{'.'.join(map(str, problem['loc'])) or 'the item'}: {problem['msg'].lower()}"
        for problem in error.errors(include_input=False, include_url=False)
    ]
    return escaped("; ".join(reasons))


def read_items(path: Path) -> tuple[list[Item], list[str]]:
    """Read items, one JSON object a line, or all of them in one JSON list.

    Args:
        path: a file in UTF-8, or with the byte order mark of UTF-16.

    Returns:
        The items in the file's order, and what is wrong with the lines that hold none: a bad line is told,
        never raised.

    Raises:
        UsageError: the file itself cannot be read.
    """
    items: list[Item] = []
    problems: list[str] = []
    for where, text in _entries(path):
        if not text.strip():
            continue
        try:
            items.append(Item.model_validate(json.loads(text)))
        except UnicodeDecodeError:
            problems.append(f"{where}: this is not UTF-8 text; left out.")
        except ValidationError as error:
            problems.append(f"{where}: {why_invalid(error)}; left out.")
        except (ValueError, RecursionError) as error:
            problems.append(f"{where}: this is not a JSON object ({escaped(str(error))}); left out.")
    return items, problems


def _entries(path: Path) -> Iterator[tuple[str, str | bytes]]:
    """Each entry with the place it stands at."""
    name = path_text(path)
    try:
        with path.open("rb") as stream:
            content = stream.read()
    except OSError as error:
        raise UsageError(
            f"The items {name} cannot be read: {error.strerror}.",
            "Name a file of items, one JSON object a line.",
        ) from error
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    content = content.removeprefix(b"\xef\xbb\xbf")
    if content.lstrip().startswith(b"["):
        try:
            listed = json.loads(content)
        except (ValueError, RecursionError):
            listed = None
        if isinstance(listed, list):
            yield from ((f"{name}, item {n}", json.dumps(one)) for n, one in enumerate(listed, start=1))
            return
    for number, line in enumerate(content.split(b"\n"), start=1):
        yield f"{name}:{number}", line


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return urlsplit("")
    return parts
