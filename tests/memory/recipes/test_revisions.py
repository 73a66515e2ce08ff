"""Tagged versions in goals."""

import pytest

from memory.recipes.ground import Ground
from memory.recipes.reading import read_goal
from memory.recipes.revisions import Revisions, read_revisions


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("commits since v1.2", Revisions(span="v1.2..HEAD")),
        ("what came after tag v0.3.0", Revisions(span="v0.3.0..HEAD")),
        ("changes between v1.0 and v1.1", Revisions(span="v1.0..v1.1")),
        ("from release v1.0 to v2", Revisions(span="v1.0..v2")),
        ("commits before v2.0", Revisions(span="v2.0")),
        ("when was version v1.0.0-rc1 made", Revisions(one="v1.0.0-rc1")),
        ("who released v3", Revisions(one="v3")),
        ("which files mention version 0.3.0", Revisions()),
        ("find v1_notes.txt", Revisions()),
        ("the var variable", Revisions()),
    ],
)
def test_versions_are_read_with_what_the_goal_says_of_their_order(goal: str, expected: Revisions) -> None:
    assert read_revisions(Ground.of(goal)) == expected


def test_a_version_is_explained_and_leaves_the_rest_to_be_read() -> None:
    reading = read_goal("how many commits were made since v1.2")
    assert reading.residue == () and "count" in reading.asks and "commit" in reading.things
