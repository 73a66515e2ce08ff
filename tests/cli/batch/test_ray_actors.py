from __future__ import annotations

import pytest

from cli.batch.ray_actors import reach
from configs.errors import UsageError


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nowhere",
        "host:",
        ":6379",
        "host:-1",
        "host:65536",
        "host:1e3",
        "ray://host:10001",
        "http://host:80",
    ],
)
def test_what_is_no_address_is_refused_before_anybody_knocks(address: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        reach(address)
