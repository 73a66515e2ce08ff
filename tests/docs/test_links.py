"""Every link of a page leads somewhere, and every page is found from the first one."""

from __future__ import annotations

from urllib.parse import unquote

import pytest

from tests.docs.pages import Page, pages
from tests.support.processes import ROOT

PAGES = {page.name: page for page in pages()}
MENTIONED = ("https://", "http://", "mailto:")


def _target(page: Page, link: str) -> tuple[str, str]:
    """A page's or file's path from the root, and the anchor in it; links out of the repository raise."""
    path, _, anchor = unquote(link).partition("#")
    place = (page.path.parent / path).resolve() if path else page.path
    return str(place.relative_to(ROOT)), anchor


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_every_link_leads_somewhere(page: Page) -> None:
    for link in page.links:
        if link.startswith(MENTIONED):
            continue
        name, anchor = _target(page, link)
        assert (ROOT / name).exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in PAGES[name].anchors, (
                f"{page.name} links to {link}, and {name} has no such heading"
            )


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, left = {"README.md"}, ["README.md"]
    while left:
        page = PAGES[left.pop()]
        near = {_target(page, link)[0] for link in page.links if not link.startswith(MENTIONED)}
        left += sorted((near & set(PAGES)) - reached)
        reached |= near & set(PAGES)
    assert sorted(set(PAGES) - reached) == []


def test_links_and_headings_are_found_at_all() -> None:
    assert sum(len(page.links) for page in PAGES.values()) > 50
    assert "where-a-value-comes-from" in PAGES["docs/settings.md"].anchors
    assert "graph.max_iterations" in PAGES["docs/settings.md"].anchors
