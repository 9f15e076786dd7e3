#!/usr/bin/env python3
"""Prints the newest jokes of a running jokesd, and then each joke that comes into this list.

    jokes_watch.py [-n COUNT] [ADDRESS]

This file follows docs/protocol.md and org.jokesd.Jokes.varlink, and needs only the standard library of Python 3.9 or
newer. Copy this file and jokes_snapshot.py to the same folder, and change them as you like.
"""

import argparse
import json
import os
import socket
import sys
import time

from jokes_snapshot import ProtocolError, Snapshot

MAX_MESSAGE_SIZE = 1 << 20


def socket_path(address):
    """Returns the path for connect(2). The address is a path, unix:PATH, or unix:@NAME for an abstract socket."""
    path = address[5:].partition(";")[0] if address.startswith("unix:") else address
    return "\0" + path[1:] if path.startswith("@") else path


def default_paths():
    """Returns the path in JOKESD_SOCKET, or the paths of the user daemon and of the system daemon."""
    if os.environ.get("JOKESD_SOCKET"):
        return [socket_path(os.environ["JOKESD_SOCKET"])]
    runtime_folder = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.geteuid()}"
    return [f"{runtime_folder}/jokesd/jokesd.sock", "/run/jokesd/jokesd.sock"]


def connect(paths):
    """Connects to the first path that has a daemon."""
    for path in paths:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection
        except OSError as error:
            connection.close()
            last = error
    raise last


def watch(paths, snapshot, view):
    """Yields the snapshot after each change. Raises EOFError when the daemon closes the connection."""
    parameters = {"view": view}
    if snapshot.epoch is not None:
        # The daemon sends only what has changed since this generation.
        parameters.update(epoch=snapshot.epoch, generation=snapshot.generation)
    call = {"method": "org.jokesd.Jokes.Watch", "parameters": parameters, "more": True}
    snapshot.begin()
    buffer = b""
    with connect(paths) as connection:
        connection.sendall(json.dumps(call, separators=(",", ":")).encode() + b"\0")
        while data := connection.recv(1 << 16):
            *messages, buffer = (buffer + data).split(b"\0")
            if len(buffer) > MAX_MESSAGE_SIZE:
                raise ProtocolError("a message is larger than 1 MiB")
            for answer in map(json.loads, messages):
                if "error" in answer:
                    sys.exit(f"jokes_watch: {answer['error']} {json.dumps(answer.get('parameters', {}))}")
                if snapshot.apply(answer["parameters"]):
                    yield snapshot
    raise EOFError("the daemon closed the connection")


def follow(paths, view):
    """Yields the snapshot after each change, and reconnects when a connection ends."""
    snapshot, delay = Snapshot(), 0.1
    while True:
        try:
            for _ in watch(paths, snapshot, view):
                delay = 0.1
                yield snapshot
        except ProtocolError as error:
            print(f"jokes_watch: requesting the whole snapshot: {error}", file=sys.stderr)
            snapshot = Snapshot()
        except (OSError, EOFError) as error:
            if snapshot.epoch is None:
                sys.exit(f"jokes_watch: cannot watch jokesd: {error}. Is jokesd running?")
        time.sleep(delay)
        delay = min(2 * delay, 5)


def main():
    parser = argparse.ArgumentParser(description="Prints the newest jokes of jokesd, and then each new joke.")
    parser.add_argument("-n", dest="count", type=int, default=5, help="number of newest jokes (default: 5)")
    parser.add_argument("address", nargs="?", help="socket of jokesd: a path, unix:PATH or unix:@NAME")
    options = parser.parse_args()
    paths = [socket_path(options.address)] if options.address else default_paths()
    printed = set()
    for snapshot in follow(paths, {"sections": ["jokes"], "size": options.count}):
        items = [item for section in snapshot.sections for item in section.items if item["kind"] == "joke"]
        for item in reversed(items):
            if item["id"] not in printed:
                joke = item["joke"]
                print(joke["setup"], *filter(None, [joke.get("punchline")]), "", sep="\n", flush=True)
        printed = {item["id"] for item in items}


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
