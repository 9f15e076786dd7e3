#!/usr/bin/env python3
"""Runs many clients that watch jokesd, and whose connections are cut at random positions, even inside messages.

    torn_watchers.py SOCKET FOLDER SEED VIEWS

SOCKET is the socket of the daemon. FOLDER gets a socket for the proxy of each client. VIEWS is a JSON array of
{"views": [VIEW, …], "slow": BOOL}, one object per client. A client reconnects with a random view of its list, and uses
its first view for a meet command. A proxy cuts each connection after a random number of bytes. For a slow client, a
proxy forwards answers in small pieces, one per turn command. The commands are lines of standard input:

    turn            forwards a piece to each slow client
    meet [[EPOCH, GENERATION], …]
                    pauses all faults until each client has its epoch and at least its generation, and prints the
                    snapshots as a line of JSON

If a client finds a protocol violation, the program prints the error and exits with 1.
"""

import asyncio
import json
import os
import random
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Examples", "Python"))

from jokes_snapshot import Snapshot, canonical, require

MAX_MESSAGE_SIZE = 1 << 20
# The answers for a slow client stay in the buffers of the daemon, and not in those of the proxy.
READ_AHEAD = 4096


class Proxy:
    """A listening socket that forwards connections to the daemon, with faults."""

    def __init__(self, daemon, path, generator, slow):
        self.daemon = daemon
        self.path = path
        self.random = generator
        self.slow = slow
        self.has_faults = True  # False if the proxy must not cut or delay connections.
        self.condition = asyncio.Condition()  # Notifies of a turn, and of a change of has_faults.
        self.turns = 0
        self.disconnections = 0
        self.transports = set()

    async def listen(self):
        self.server = await asyncio.start_unix_server(self.connect, self.path)

    def random_length(self):
        """Returns a number of bytes, from a few bytes to more than the largest snapshot."""
        return int(10 ** self.random.uniform(1, 5.7))

    async def connect(self, reader, writer):
        # Also cut the call in an eighth of the connections.
        call_length = self.random.randrange(1, 120) if self.random.random() < 0.125 else None
        answer_length = self.random_length()
        try:
            from_daemon, to_daemon = await asyncio.open_unix_connection(self.daemon, limit=READ_AHEAD)
        except OSError:
            return writer.close()
        directions = [
            asyncio.ensure_future(self.forward(reader, to_daemon, call_length, slow=False)),
            asyncio.ensure_future(self.forward(from_daemon, writer, answer_length, slow=self.slow)),
        ]
        transports = {writer.transport, to_daemon.transport}
        self.transports |= transports
        await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        for direction in directions:
            direction.cancel()
        self.transports -= transports
        abort(transports)

    def disconnect(self):
        abort(self.transports)

    async def forward(self, reader, writer, length, slow):
        """Forwards bytes in one direction, and cuts the connection after the length."""
        forwarded = 0
        try:
            while True:
                limit = 1 << 16
                if slow and self.has_faults:
                    limit = await self.wait_for_turn()
                if length is not None and self.has_faults:
                    limit = max(1, min(limit, length - forwarded))
                piece = await reader.read(limit)
                if not piece:
                    return
                writer.write(piece)
                await writer.drain()
                forwarded += len(piece)
                if length is not None and self.has_faults and forwarded >= length:
                    self.disconnections += 1
                    return
        except OSError:
            return

    async def wait_for_turn(self):
        """Waits for a turn command, and returns the maximum size of the next piece."""
        turn = self.turns
        async with self.condition:
            await self.condition.wait_for(lambda: self.turns != turn or not self.has_faults)
        return self.random.randrange(1, 1 << 16)

    async def turn(self):
        async with self.condition:
            self.turns += 1
            self.condition.notify_all()

    async def set_faults(self, has_faults):
        async with self.condition:
            self.has_faults = has_faults
            self.condition.notify_all()


async def watch(path, snapshot, view):
    """Follows the snapshot over one connection, and yields it after each change. Always ends with an exception."""
    reader, writer = await asyncio.open_unix_connection(path, limit=MAX_MESSAGE_SIZE)
    snapshot.begin()
    try:
        parameters = {"view": view}
        if snapshot.epoch is not None:
            parameters.update(epoch=snapshot.epoch, generation=snapshot.generation)
        call = {"method": "org.jokesd.Jokes.Watch", "parameters": parameters, "more": True}
        writer.write(json.dumps(call).encode() + b"\0")
        await writer.drain()
        while True:
            answer = json.loads((await reader.readuntil(b"\0"))[:-1])
            require(answer.get("continues") is True, f"the daemon ends Watch: {answer}")
            if snapshot.apply(answer["parameters"]):
                yield snapshot
    finally:
        writer.close()


def abort(transports):
    """Closes both connections, and discards buffered bytes."""
    for transport in transports:
        transport.abort()


class Client:
    def __init__(self, proxy, views):
        self.proxy = proxy
        self.views = views
        self.view = None  # The view of the connection.
        self.snapshot_view = None  # The view of the snapshot.
        self.snapshot = Snapshot()
        self.changed = asyncio.Condition()
        self.messages = 0

    async def follow(self):
        """Watches, and connects again after each end of a connection. A protocol violation ends the loop."""
        delay = 0.0
        while True:
            try:
                self.view = self.proxy.random.choice(self.views) if self.proxy.has_faults else self.views[0]
                async for _ in watch(self.proxy.path, self.snapshot, self.view):
                    delay = 0.0
                    self.messages += 1
                    async with self.changed:
                        self.snapshot_view = self.view
                        self.changed.notify_all()
                    if not self.proxy.has_faults and self.view != self.views[0]:
                        self.proxy.disconnect()
            except (OSError, EOFError):
                # The first attempt follows immediately, because the proxy is available. A restart of the daemon takes
                # longer, and nothing reports its end.
                await asyncio.sleep(delay)
                delay = min(0.05, 2 * delay + 0.001)

    async def reach(self, epoch, generation):
        """Waits until the first view has this epoch, and at least this generation."""
        if self.view != self.views[0]:
            self.proxy.disconnect()
        async with self.changed:
            await self.changed.wait_for(
                lambda: self.snapshot_view == self.views[0]
                and self.snapshot.epoch == epoch
                and self.snapshot.generation >= generation
            )


async def main(daemon, folder, seed, views):
    generator = random.Random(seed)
    clients = []
    for number, entry in enumerate(views):
        path = f"{folder}/s{number}"
        proxy = Proxy(daemon, path, random.Random(generator.random()), entry.get("slow", False))
        await proxy.listen()
        clients.append(Client(proxy, entry["views"]))
    # This list keeps the tasks alive, because the loop has only weak references.
    tasks = [asyncio.ensure_future(client.follow()) for client in clients]
    for task in tasks:
        # A task ends only after a protocol violation or an error of the daemon.
        task.add_done_callback(exit_with_error)
    async for line in input_lines():
        command, _, rest = line.partition(" ")
        if command == "turn":
            for client in clients:
                await client.proxy.turn()
        elif command == "meet":
            await meet(clients, json.loads(rest))
    os._exit(0)


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


async def meet(clients, goals):
    for client in clients:
        await client.proxy.set_faults(False)
    await asyncio.gather(*(client.reach(*goal) for client, goal in zip(clients, goals)))
    snapshots = [client.snapshot.json() for client in clients]
    counts = [{"messages": client.messages, "torn": client.proxy.disconnections} for client in clients]
    print(canonical({"snapshots": snapshots, "counts": counts}), flush=True)
    for client in clients:
        await client.proxy.set_faults(True)


def exit_with_error(task):
    if not task.cancelled():
        print(f"torn_watchers: {task.exception()!r}", file=sys.stderr, flush=True)
        os._exit(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])))
