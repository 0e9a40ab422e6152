"""Which hosts an admin may list, which URLs lie on them, and which addresses are everybody's."""

from __future__ import annotations

import pytest

from server.errors import Refused
from server.noticehosts import is_public, read_hosts, read_topic

HOSTS = read_hosts("ntfy.example.org, push.example.org:8443, 10.0.0.7:8080, [::1]:9000")


@pytest.mark.parametrize(
    "text", ["a b", "ntfy.example.org:0", "u@h.org", "10.0.0.7", "h.org/x", "127.1", "0x7f", "h:x"]
)
def test_what_is_no_host_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_hosts(text)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ntfy.example.org/secret-topic", "ntfy.example.org/sec…"),
        ("https://push.example.org:8443/secret", "push.example.org:8443/sec…"),
        ("http://10.0.0.7:8080/secret", "10.0.0.7:8080/sec…"),
        ("https://[::1]:9000/secret", "[::1]:9000/sec…"),
    ],
)
def test_a_topic_on_a_listed_host_is_taken_and_shown_shortened(url: str, shown: str) -> None:
    assert read_topic(url, HOSTS).shown == shown


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://ntfy.example.org/t",
            "http://ntfy.example.org:443/t",
            "ftp://ntfy.example.org/t",
            "ntfy.example.org/t",
        ),
        *("https://ntfy.example.org", "https://ntfy.example.org/", "https://ntfy.example.org/t?x=1", "https://x/t"),
        *("https://ntfy.example.org/t#a", "https://ntfy.example.org/../t", "https://ntfy.example.org/a/./t"),
        *(
            "https://me@ntfy.example.org/t",
            "https://ntfy.example.org@evil.example/t",
            "https://ntfy.example.org:8443/t",
        ),
        *("https://ntfy.example.org.evil.example/t", "https://10.0.0.7:8081/t", "http://10.0.0.8:8080/t"),
        *("http://167772167:8080/t", "http://0xa000007:8080/t", "https://ntfy.example.org\\@evil.example/t"),
        *("https://ntfy.example.org/t\r\nX: y", "https://ntfy.example.org/a b", "https://ntfy.example.org/é", "", "::"),
        *("https://ntfy.example.org:99999/t", "https://[::1/t", "https://ntfy.example.org/" + 200 * "t"),
    ],
)
def test_what_is_no_topic_there_is_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        read_topic(url, HOSTS)
    assert refused.value.key in ("notices.error.url", "notices.error.host")


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "224.0.0.1",
        ),
        *("224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1"),
        *("ff02::1", "::ffff:9.9.9.9", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1", "fec0::1"),
    ],
)
def test_an_address_that_is_not_everybody_s_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe"])
def test_a_public_address_is_taken(address: str) -> None:
    assert is_public(address)
