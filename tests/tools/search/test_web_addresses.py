import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.search.web_addresses import is_public

PRIVATE = ["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"]
WRAPPED = {"mapped": "::ffff:0:0", "compatible": "::", "NAT64": "64:ff9b::"}


@settings(max_examples=40)
@given(st.data(), st.sampled_from(PRIVATE), st.sampled_from(sorted(WRAPPED)))
def test_no_address_of_a_private_network_is_public_however_it_is_wrapped(
    data: st.DataObject, network: str, wrapping: str
) -> None:
    inside = data.draw(st.ip_addresses(network=network))
    assert not is_public(str(inside))
    assert not is_public(
        str(ipaddress.IPv6Address(int(ipaddress.IPv6Address(WRAPPED[wrapping])) + int(inside)))
    )
    assert not is_public(str(ipaddress.IPv6Address((0x2002 << 112) | (int(inside) << 80))))


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "255.255.255.255", "224.0.0.1", "ff02::1", "::1", "::", "fe80::1%eth0", "fd00::1"]
)
def test_neither_is_what_belongs_to_no_one_host_of_the_internet(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_hosts_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)
