"""Sockets of the families that jokes do not come over; and of those that they do."""

import socket

from attempts import allowed, forbidden

for family in ("AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
    kind = socket.SOCK_SEQPACKET if family == "AF_ALG" else socket.SOCK_STREAM if family == "AF_VSOCK" else socket.SOCK_RAW
    forbidden(f"a socket of {family}")(lambda family=family, kind=kind: socket.socket(getattr(socket, family), kind).close())


@forbidden("raw packets of IP")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


@forbidden("serve a port of root's")
def _():
    with socket.socket(socket.AF_INET) as server:
        server.bind(("127.0.0.1", 80))


for family in ("AF_UNIX", "AF_INET", "AF_INET6"):
    for kind in ("SOCK_STREAM", "SOCK_DGRAM"):
        allowed(f"a socket of {family}, {kind}")(
            lambda family=family, kind=kind: socket.socket(getattr(socket, family), getattr(socket, kind)).close()
        )


@allowed("a connection over IP")
def _():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
