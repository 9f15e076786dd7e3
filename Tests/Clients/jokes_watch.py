#!/usr/bin/env python3
"""Follows the snapshot of a running jokesd.

    jokes_watch.py [--socket ADDRESS] [--view JSON]

Prints the snapshot as one line of JSON whenever a line comes on standard input, and ends with it.
Written from docs/protocol.md and org.jokesd.Jokes.varlink alone, with nothing but Python's standard
library (3.9 or newer). Copy it with jokes_snapshot.py beside it, and change what you like.

    Connection  calls and answers over one socket
    follow      a connection after another, for as long as you like
"""

import argparse
import asyncio
import json
import os
import sys
import threading

from jokes_snapshot import BrokenRule, Snapshot, canonical, rule, text_of

INTERFACE = "org.jokesd.Jokes"
LARGEST_MESSAGE = 1 << 20


class CallFailed(Exception):
    """The daemon answered with an error."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {canonical(parameters)}")
        self.name = name
        self.parameters = parameters

    @property
    def short_name(self):
        return self.name.rpartition(".")[2]


class Connection:
    """One socket. Answers come in the order of the calls."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, paths):
        """Connects to the first of the paths where a daemon answers."""
        for path in paths:
            try:
                return cls(*await asyncio.open_unix_connection(path, limit=LARGEST_MESSAGE))
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
        """The parameters of the next answer, and whether others follow. EOFError where the connection ended."""
        try:
            message = (await self.reader.readuntil(b"\0"))[:-1]
        except asyncio.IncompleteReadError as error:
            raise EOFError("the daemon closed the connection") from error
        except asyncio.LimitOverrunError as error:
            raise BrokenRule("a message of more than 1 MiB") from error
        try:
            answer = json.loads(message.decode())
        except (ValueError, RecursionError) as error:
            raise BrokenRule(f"a message that is no JSON: {error}") from error
        rule(isinstance(answer, dict), "a message that is no object")
        parameters = answer.get("parameters") or {}
        rule(isinstance(parameters, dict), "parameters that are no object")
        if answer.get("error") is not None:
            raise CallFailed(text_of(answer, "error"), parameters)
        return parameters, answer.get("continues") is True

    async def call(self, method, parameters=None):
        await self.send(f"{INTERFACE}.{method}", parameters)
        return (await self.answer())[0]


async def watch(paths, snapshot, view=None):
    """Follows over one connection: yields whenever the snapshot changed. Ends with an exception."""
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
            answer, goes_on = await connection.answer()
            changed = snapshot.take(answer)
            rule(goes_on, "the daemon ended the watch without an error")
            if changed:
                yield snapshot
    finally:
        connection.close()


async def follow(paths, snapshot, view=None, first_wait=0.1, longest_wait=5.0):
    """Yields whenever the snapshot changed, and connects again when a connection is lost. Waits are in seconds."""
    wait = first_wait
    while True:
        try:
            async for _ in watch(paths, snapshot, view):
                wait = first_wait
                yield snapshot
        except (OSError, EOFError):
            pass  # Not there, or gone: what we have is good, and the daemon may know it when it is back.
        except BrokenRule as error:
            print(f"jokes_watch: asking for the whole snapshot: {error}", file=sys.stderr)
            snapshot.__init__()
        except CallFailed as error:
            # The daemon has enough to do: it says when to come again. Anything else stays wrong if said again.
            if error.short_name != "Busy":
                raise
            wait = max(wait, error.parameters.get("retryAfterMs", 0) / 1000)
        # Nothing tells of a daemon that is back: it is asked again, ever more seldom.
        await asyncio.sleep(wait)
        wait = min(2 * wait, longest_wait)


def path_of(address):
    """What connect(2) takes: of a path, of unix:PATH, and of unix:@NAME, which is abstract."""
    path = address[5:].partition(";")[0] if address.startswith("unix:") else address
    return "\0" + path[1:] if path.startswith("@") else path


def usual_paths():
    """Where a daemon may listen: where the user says, or the user's own and then the system's."""
    if os.environ.get("JOKESD_SOCKET"):
        return [path_of(os.environ["JOKESD_SOCKET"])]
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    return [f"{own}/jokesd/jokesd.sock"] * own.startswith("/") + ["/run/jokesd/jokesd.sock"]


async def lines_of_input():
    """The lines of standard input, whatever it is: a thread waits for them, which the end of the program ends."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue()

    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line.rstrip("\n")


async def main():
    parser = argparse.ArgumentParser(description="Follows jokesd; prints its snapshot for each line of input.")
    parser.add_argument("--socket", metavar="ADDRESS", help="a path, unix:PATH or unix:@NAME")
    parser.add_argument("--view", type=json.loads, metavar="JSON", help='as Watch takes it: \'{"sections":["jokes"],"size":10}\'')
    options = parser.parse_args()
    paths = [path_of(options.socket)] if options.socket else usual_paths()
    snapshot = Snapshot()

    async def keep_up():
        async for _ in follow(paths, snapshot, options.view):
            pass

    async def answer_requests():
        async for _ in lines_of_input():
            print(canonical(snapshot.json()), flush=True)

    tasks = [asyncio.ensure_future(keep_up()), asyncio.ensure_future(answer_requests())]
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    for task in done:
        task.result()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except CallFailed as failure:
        sys.exit(f"jokes_watch: {failure}")
    except (KeyboardInterrupt, BrokenPipeError):
        pass
