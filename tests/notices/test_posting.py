"""Hostile answers: whatever a host says, no request goes anywhere else, and none costs more than its time."""

from __future__ import annotations

import asyncio
import ssl

import pytest

from server.noticehosts import Topic, read_hosts, read_topic
from server.notices import posting
from server.notices.errors import NotPosted
from tests.notices.ntfy import Ntfy, ntfy

MALICE = {
    "redirect": "HTTP/1.1 302 Found\r\nLocation: http://{other}/stolen\r\nContent-Length: 0\r\n\r\n",
    "permanent redirect": "HTTP/1.1 308 Permanent\r\nLocation: http://{other}/stolen\r\nContent-Length: 0\r\n\r\n",
    "see other": "HTTP/1.1 303 See Other\r\nLocation: //{other}/stolen\r\nContent-Length: 0\r\n\r\n",
    "refresh": "HTTP/1.1 200 OK\r\nRefresh: 0; url=http://{other}/stolen\r\nContent-Length: 0\r\n\r\n",
    "alternative": 'HTTP/1.1 200 OK\r\nAlt-Svc: h2="{other}"\r\nContent-Length: 0\r\n\r\n',
    "proxy": "HTTP/1.1 305 Use Proxy\r\nLocation: http://{other}/\r\nContent-Length: 0\r\n\r\n",
    "authenticate": 'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="http://{other}/"\r\nContent-Length: 0\r\n\r\n',
    "proxy login": "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
    "upgrade": "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "many continues": 50 * "HTTP/1.1 100 Continue\r\n\r\n" + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "cookie": "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Domain={other}\r\nContent-Length: 0\r\n\r\n",
    "link": "HTTP/1.1 200 OK\r\nLink: <http://{other}/x>; rel=preload\r\nContent-Length: 0\r\n\r\n",
    "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\nlong text",
    "bad chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
    "packed": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x0b\x08\x00",
    "no HTTP": "SSH-2.0-OpenSSH\r\n",
    "nothing": "",
    "half a head": "HTTP/1.1 200 OK\r\nContent-Le",
    "long header": "HTTP/1.1 200 OK\r\nX: " + 100_000 * "x" + "\r\n\r\n",
    "long status": "HTTP/1.1 200 " + 100_000 * "x" + "\r\n\r\n",
}


def topic_of(one: Ntfy) -> Topic:
    return read_topic(f"http://{one.host}/secret-topic", read_hosts(one.host))


async def test_a_text_is_posted_as_ntfy_takes_it() -> None:
    async with ntfy() as one:
        await posting.post(topic_of(one), "Patchbay", "It is your turn. 轮到你了。")
    assert one.posted == [("/secret-topic", "It is your turn. 轮到你了。")]
    assert one.headers[0]["title"] == "Patchbay"


@pytest.mark.parametrize("name", MALICE)
async def test_a_hostile_answer_makes_no_request_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 2.0)
    async with ntfy() as one, ntfy() as other:
        for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, f"http://{other.host}")
        one.answer = MALICE[name].format(other=other.host).encode("latin-1")
        why = ""
        try:
            await posting.post(topic_of(one), "Patchbay", "hello")
        except NotPosted as error:
            why = f"{error.why}{error.__cause__}"
    assert "secret" not in why
    assert (other.connections, one.connections, len(one.posted)) == (0, 1, 1)


async def test_an_endless_answer_is_read_to_four_kilobytes_and_the_connection_closed() -> None:
    sent, closed = 0, asyncio.Event()

    async def pour(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                writer.write(4096 * b"x")
                await writer.drain()
                sent += 4096
        except ConnectionError:
            closed.set()

    async with ntfy() as one:
        one.answer = pour
        await asyncio.wait_for(posting.post(topic_of(one), "Patchbay", "hello"), 5)
        await asyncio.wait_for(closed.wait(), 5)


async def test_an_answer_that_drips_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_S", 0.5)

    async def drip(writer: asyncio.StreamWriter) -> None:
        for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + 1000 * b"x":
            writer.write(bytes((byte,)))
            await writer.drain()
            await asyncio.sleep(0.05)

    async with ntfy() as one:
        one.answer = drip
        with pytest.raises(NotPosted):
            await asyncio.wait_for(posting.post(topic_of(one), "Patchbay", "hello"), 5)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["9.9.9.9", "127.0.0.1"], ["::ffff:127.0.0.1"], ["::1"], ["169.254.169.254"], []]
)
async def test_a_listed_name_that_leads_inside_is_connected_to_nowhere(addresses: list[str]) -> None:
    """Also where only one of several addresses is not public: the client would try it next."""
    asked = list[str]()

    async def lookup(name: str, port: int) -> list[str]:
        asked.append(name)
        return addresses

    async with ntfy() as one:
        hosts = read_hosts(f"ntfy.example.org:{one.port}")
        topic = read_topic(f"https://ntfy.example.org:{one.port}/secret", hosts)
        with pytest.raises(NotPosted):
            await posting.post(topic, "Patchbay", "hello", lookup)
    assert (asked, one.connections) == (["ntfy.example.org"], 0)


async def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves anew for the connection could lead elsewhere: it is asked for once."""
    answers = iter([["9.9.9.9"], ["127.0.0.1"], ["127.0.0.1"]])
    reached = list[str]()

    async def lookup(name: str, port: int) -> list[str]:
        return next(answers)

    async def connect(*args: object, **more: object) -> None:
        reached.append(str(more.get("addr_infos", args)))
        raise OSError

    monkeypatch.setattr("aiohttp.connector.aiohappyeyeballs.start_connection", connect)
    topic = read_topic("https://ntfy.example.org/secret", read_hosts("ntfy.example.org"))
    with pytest.raises(NotPosted):
        await posting.post(topic, "Patchbay", "hello", lookup)
    assert len(reached) == 1
    assert "9.9.9.9" in reached[0]
    assert "127.0.0.1" not in reached[0]


async def test_a_host_without_a_certificate_that_is_believed_gets_no_text() -> None:
    assert ssl.create_default_context().verify_mode is ssl.CERT_REQUIRED
    async with ntfy() as one:
        topic = read_topic(f"https://{one.host}/secret", read_hosts(one.host))
        with pytest.raises(NotPosted):
            await posting.post(topic, "Patchbay", "hello")
    assert one.posted == []
