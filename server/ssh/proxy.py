"""The PROXY protocol, versions 1 and 2: the client's address behind a balancer, from configured networks."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

V2_SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
V1_LONGEST = 107
V2_LONGEST = 16 + 2048
ADDRESS_BYTES = {0x1: 4, 0x2: 16}  # family -> bytes of one address


class ProxyHeader:
    """Reads one header from a stream of chunks. `reached`: the address and port that the client connected to."""

    def __init__(self) -> None:
        self.held = b""
        self.reached: tuple[str, int] | None = None

    def feed(self, data: bytes) -> tuple[str, bytes] | None:
        """Return (address, what follows the header) once it is complete; "" is the balancer itself (a health check).

        Raises ValueError for anything else.
        """
        self.held += data
        begin = self.held[: len(V2_SIGNATURE)]
        if begin == V2_SIGNATURE:
            return self._version_2()
        if V2_SIGNATURE.startswith(begin):
            return None
        return self._version_1()

    def _version_1(self) -> tuple[str, bytes] | None:
        line, end, rest = self.held.partition(b"\r\n")
        if not b"PROXY ".startswith(line[:6]) or len(line) > V1_LONGEST:
            raise ValueError("no PROXY header")
        if not end:
            return None
        words = line.decode("ascii").split(" ")
        if words[1:2] == ["UNKNOWN"]:
            return "", rest
        if len(words) != 6 or words[1] not in ("TCP4", "TCP6"):
            raise ValueError("not a PROXY line")
        address, to = ip_address(words[2]), ip_address(words[3])
        is_one_family = {address.version, to.version} == {int(words[1][3])}
        if not is_one_family or "%" in words[2] or not all(w.isdigit() and int(w) < 65536 for w in words[4:]):
            raise ValueError("a PROXY line that contradicts itself")
        self.reached = _plain(to), int(words[5])
        return _plain(address), rest

    def _version_2(self) -> tuple[str, bytes] | None:
        if len(self.held) < 16:
            return None
        version, command = self.held[12] >> 4, self.held[12] & 0xF
        family, length = self.held[13] >> 4, int.from_bytes(self.held[14:16], "big")
        if version != 2 or command > 1 or 16 + length > V2_LONGEST:
            raise ValueError("not a PROXY header of version 2")
        if len(self.held) < 16 + length:
            return None
        body, rest = self.held[16 : 16 + length], self.held[16 + length :]
        if command == 0 or family not in ADDRESS_BYTES:
            return "", rest
        size = ADDRESS_BYTES[family]
        if len(body) < size * 2 + 4:
            raise ValueError("a PROXY header without its addresses")
        address, to = (_address(body[at : at + size]) for at in (0, size))
        self.reached = _plain(to), int.from_bytes(body[size * 2 + 2 : size * 2 + 4], "big")
        return _plain(address), rest


def _address(data: bytes) -> IPv4Address | IPv6Address:
    return IPv4Address(data) if len(data) == ADDRESS_BYTES[0x1] else IPv6Address(data)


def _plain(address: IPv4Address | IPv6Address) -> str:
    """Return an address as text; an IPv4 address mapped into IPv6 as IPv4."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
