#!/usr/bin/env python3
"""Follows the snapshot of a running jokesd.

    jokes_watch.py [--socket ADDRESS] [--view JSON]

Prints the snapshot as a line of JSON for each line of standard input, and exits at its end. This file follows
docs/protocol.md and org.jokesd.Jokes.varlink, and needs only the standard library of Python 3.9 or newer. Copy this file
and jokes_snapshot.py to the same folder, and change them as you like.

    Connection  sends calls and receives answers over one socket
    follow      follows the snapshot, and reconnects after a disconnection
"""

import argparse
import asyncio
import json
import os
import sys
import threading

from jokes_snapshot import ProtocolError, Snapshot, canonical, require, string_member

INTERFACE = "org.jokesd.Jokes"
MAX_MESSAGE_SIZE = 1 << 20


class CallError(Exception):
    """An error that the daemon returns for a call."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {canonical(parameters)}")
        self.name = name
        self.parameters = parameters

    @property
    def short_name(self):
        return self.name.rpartition(".")[2]


class Connection:
    """A connection to the daemon. Answers arrive in the order of the calls."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, paths):
        """Connects to the first path that has a daemon."""
        for path in paths:
            try:
                return cls(*await asyncio.open_unix_connection(path, limit=MAX_MESSAGE_SIZE))
            except OSError as error:
                last = error
        raise last

    def close(self):
        self.writer.close()

    async def send(self, method, parameters=None, more=False):
        call = {"method": method}
        if parameters:
            call["parameters"] = parameters
        if more:
            call["more"] = True
        message = json.dumps(call, separators=(",", ":"), ensure_ascii=False).encode()
        self.writer.write(message + b"\0")
        await self.writer.drain()

    async def answer(self):
        """Returns the parameters of the next answer, and true if more answers follow. Raises EOFError at the end."""
        try:
            message = (await self.reader.readuntil(b"\0"))[:-1]
        except asyncio.IncompleteReadError as error:
            raise EOFError("the daemon closed the connection") from error
        except asyncio.LimitOverrunError as error:
            raise ProtocolError("a message is larger than 1 MiB") from error
        try:
            answer = json.loads(message.decode())
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"a message is not JSON: {error}") from error
        require(isinstance(answer, dict), "a message is not an object")
        parameters = answer.get("parameters") or {}
        require(isinstance(parameters, dict), "parameters is not an object")
        if answer.get("error") is not None:
            raise CallError(string_member(answer, "error"), parameters)
        return parameters, answer.get("continues") is True

    async def call(self, method, parameters=None):
        await self.send(f"{INTERFACE}.{method}", parameters)
        return (await self.answer())[0]


async def watch(paths, snapshot, view=None):
    """Follows the snapshot over one connection, and yields it after each change. Always ends with an exception."""
    connection = await Connection.open(paths)
    snapshot.begin()
    try:
        parameters = {}
        if view:
            parameters["view"] = view
        if snapshot.epoch is not None:
            parameters.update(epoch=snapshot.epoch, generation=snapshot.generation)
        await connection.send(f"{INTERFACE}.Watch", parameters, more=True)
        while True:
            answer, continues = await connection.answer()
            is_current = snapshot.apply(answer)
            require(continues, "the daemon ends Watch without an error")
            if is_current:
                yield snapshot
    finally:
        connection.close()


async def follow(paths, snapshot, view=None, min_delay=0.1, max_delay=5.0):
    """Yields the snapshot after each change, and reconnects after a disconnection. Delays are in seconds."""
    delay = min_delay
    while True:
        try:
            async for _ in watch(paths, snapshot, view):
                delay = min_delay
                yield snapshot
        except (OSError, EOFError):
            pass  # Keep the snapshot: after a reconnection, the daemon may send only the difference.
        except ProtocolError as error:
            print(f"jokes_watch: requesting the whole snapshot: {error}", file=sys.stderr)
            snapshot.__init__()
        except CallError as error:
            # Busy is temporary and has a delay for the next call. A repeated call returns other errors again.
            if error.short_name != "Busy":
                raise
            delay = max(delay, error.parameters.get("retryAfterMs", 0) / 1000)
        # A client cannot detect a new daemon without a connection attempt. The delay between attempts doubles.
        await asyncio.sleep(delay)
        delay = min(2 * delay, max_delay)


def socket_path(address):
    """Returns the path for connect(2). The address is a path, unix:PATH, or unix:@NAME for an abstract socket."""
    path = address[5:].partition(";")[0] if address.startswith("unix:") else address
    return "\0" + path[1:] if path.startswith("@") else path


def default_paths():
    """Returns the path in JOKESD_SOCKET, or the paths of the user daemon and of the system daemon."""
    if os.environ.get("JOKESD_SOCKET"):
        return [socket_path(os.environ["JOKESD_SOCKET"])]
    runtime_folder = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.geteuid()}"
    return [f"{runtime_folder}/jokesd/jokesd.sock"] * runtime_folder.startswith("/") + ["/run/jokesd/jokesd.sock"]


async def input_lines():
    """Yields the lines of standard input. A background thread reads them, because asyncio cannot read regular files."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line.rstrip("\n")


async def main():
    parser = argparse.ArgumentParser(description="Follows jokesd and prints its snapshot for each line of standard input.")
    parser.add_argument("--socket", metavar="ADDRESS", help="path, unix:PATH or unix:@NAME")
    parser.add_argument("--view", type=json.loads, metavar="JSON", help='view for Watch, such as \'{"sections":["jokes"],"size":10}\'')
    options = parser.parse_args()
    paths = [socket_path(options.socket)] if options.socket else default_paths()
    snapshot = Snapshot()

    async def update_snapshot():
        async for _ in follow(paths, snapshot, options.view):
            pass

    async def print_snapshots():
        async for _ in input_lines():
            print(canonical(snapshot.json()), flush=True)

    tasks = [asyncio.ensure_future(update_snapshot()), asyncio.ensure_future(print_snapshots())]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    for task in done:
        task.result()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except CallError as failure:
        sys.exit(f"jokes_watch: {failure}")
    except (KeyboardInterrupt, BrokenPipeError):
        pass
