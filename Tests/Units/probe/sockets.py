"""Sockets of address families that the daemon does not need, and of families that it needs."""

import socket

from attempts import allowed, forbidden

for family in ("AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"):
    kind = socket.SOCK_SEQPACKET if family == "AF_ALG" else socket.SOCK_STREAM if family == "AF_VSOCK" else socket.SOCK_RAW
    forbidden(f"create a socket, {family}")(lambda family=family, kind=kind: socket.socket(getattr(socket, family), kind).close())


@forbidden("create a raw IP socket")
def _():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


@forbidden("bind a privileged port")
def _():
    with socket.socket(socket.AF_INET) as server:
        server.bind(("127.0.0.1", 80))


for family in ("AF_UNIX", "AF_INET", "AF_INET6"):
    for kind in ("SOCK_STREAM", "SOCK_DGRAM"):
        allowed(f"create a socket, {family}, {kind}")(
            lambda family=family, kind=kind: socket.socket(getattr(socket, family), getattr(socket, kind)).close()
        )


@allowed("connect over IP")
def _():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
