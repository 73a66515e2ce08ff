"""What is not as it was when a manifest was written: its own records, prompts, models, documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from configs.settings import Settings
from nodes.research.fingerprints import UNKNOWN, corpus_digest, prompt_digests, weights_digest
from nodes.research.replaying import Manifest, found_digest, load_manifest, replies_digest
from nodes.research.retrieve import BROUGHT


@dataclass(frozen=True)
class Differences:
    """What a replay has to tell beside its report.

    Attributes:
        altered: records in the manifest that are not those the run left; such a replay proves nothing.
        changed: what is another one today; the replay used what was recorded.
    """

    altered: list[str]
    changed: list[str]


def differences(path: str, root: Path, settings: Settings) -> Differences:
    """Compare a manifest with itself and with what there is today; blocking.

    Args:
        path: of the manifest.
        root: of the project the replay runs in.
        settings: in force.

    Raises:
        ReplayImpossible: the manifest cannot be used.
    """
    manifest = load_manifest(path)
    changed = prompts_changed(manifest.prompts, prompt_digests())
    changed += models_changed(
        manifest.model_digests, {model: weights_digest(settings, model) for model in manifest.model_digests}
    )
    changed += _corpus_changed(manifest, root, settings)
    return Differences(altered_records(manifest), changed)


def altered_records(manifest: Manifest) -> list[str]:
    """Records that are not what their own hashes say. Pure."""
    altered = []
    if manifest.exchanges_sha256 and manifest.exchanges_sha256 != replies_digest(manifest.exchanges):
        altered.append("The replies in the manifest are not those that were recorded.")
    if manifest.corpus_sha256 != found_digest(manifest.searches):
        altered.append("What the searches found is not what the manifest says was recorded.")
    return altered


def prompts_changed(recorded: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Prompts that are others today, and such as are new or gone. Pure."""
    names = sorted(name for name in {*recorded, *now} if recorded.get(name) != now.get(name))
    return [f"Prompts changed since the recorded run: {', '.join(names)}."] if names else []


def models_changed(recorded: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Models whose weights are others today, or cannot be compared. Pure."""
    told = []
    for model, digest in recorded.items():
        today = now.get(model, UNKNOWN)
        if digest == today:
            continue
        if UNKNOWN in (digest, today):
            told.append(f"The weights of {model} are not known now or were not then, and were not compared.")
        else:
            told.append(f"The weights of {model} changed since the recorded run.")
    return told


def _corpus_changed(manifest: Manifest, root: Path, settings: Settings) -> list[str]:
    if manifest.backend == BROUGHT or not manifest.backend:
        return []
    today = corpus_digest(root, settings, manifest.corpus) if manifest.documents_sha256 else ""
    if not today:
        return ["The corpus was not compared: the manifest or this machine has nothing to compare it with."]
    if today != manifest.documents_sha256:
        return ["The corpus changed since the recorded run; the replay used what was found then."]
    return []
