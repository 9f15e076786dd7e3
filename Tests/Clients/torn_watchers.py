#!/usr/bin/env python3
"""Many clients of jokes_watch.py whose connections are cut at random moments, in the middle of messages too.

    torn_watchers.py SOCKET FOLDER SEED VIEWS

FOLDER takes the sockets of its own. VIEWS is a JSON array with {"views": [VIEW, …], "slow": BOOL} for each client: it comes back
with any of its views, and wants the first of them when all meet. Between each client and the daemon stands a wire that
cuts the connection after a number of bytes drawn by lot, and hands what comes for a slow client on only in small pieces,
when somebody says so. On standard input, a line each:

    turn            the slow clients get a piece
    meet [[EPOCH, GENERATION], …]
                    cuts nothing any more, waits until each client has its generation or a later one of that epoch, prints
                    their snapshots as one line of JSON, and tears on

A client that finds a rule broken ends it all: exit code 1, and the rule on standard error.
"""

import asyncio
import json
import os
import random
import sys

import jokes_watch
from jokes_snapshot import Snapshot, canonical

# A slow client is to leave what it does not read with the daemon, not here.
READ_AHEAD = 4096


class Wire:
    """A listening socket that hands bytes on to the daemon's, until it tears."""

    def __init__(self, daemon, path, lots, slow):
        self.daemon = daemon
        self.path = path
        self.lots = lots
        self.slow = slow
        self.holds = True  # Whether it may tear and dawdle.
        self.may_go_on = asyncio.Condition()
        self.turns = 0
        self.torn = 0
        self.ends = set()

    async def listen(self):
        self.server = await asyncio.start_unix_server(self.connect, self.path)

    def length(self):
        """Bytes until it tears: from a few to more than any snapshot has."""
        return int(10 ** self.lots.uniform(1, 5.7))

    async def connect(self, reader, writer):
        # One call in eight is cut itself.
        call_length = self.lots.randrange(1, 120) if self.lots.random() < 0.125 else None
        answer_length = self.length()
        try:
            from_daemon, to_daemon = await asyncio.open_unix_connection(self.daemon, limit=READ_AHEAD)
        except OSError:
            return writer.close()
        ways = [
            asyncio.ensure_future(self.carry(reader, to_daemon, call_length, slow=False)),
            asyncio.ensure_future(self.carry(from_daemon, writer, answer_length, slow=self.slow)),
        ]
        ends = {writer.transport, to_daemon.transport}
        self.ends |= ends
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        self.ends -= ends
        abort(ends)

    def tear(self):
        abort(self.ends)

    async def carry(self, reader, writer, length, slow):
        carried = 0
        try:
            while True:
                most = 1 << 16
                if slow and self.holds:
                    most = await self.allowance()
                if length is not None and self.holds:
                    most = max(1, min(most, length - carried))
                piece = await reader.read(most)
                if not piece:
                    return
                writer.write(piece)
                await writer.drain()
                carried += len(piece)
                if length is not None and self.holds and carried >= length:
                    self.torn += 1
                    return
        except OSError:
            return

    async def allowance(self):
        turn = self.turns
        async with self.may_go_on:
            await self.may_go_on.wait_for(lambda: self.turns != turn or not self.holds)
        return self.lots.randrange(1, 1 << 16)

    async def turn(self):
        async with self.may_go_on:
            self.turns += 1
            self.may_go_on.notify_all()

    async def hold(self, holds):
        async with self.may_go_on:
            self.holds = holds
            self.may_go_on.notify_all()


def abort(transports):
    """Both sides find the connection ended, and what was under way lost."""
    for transport in transports:
        transport.abort()


class Client:
    def __init__(self, wire, views):
        self.wire = wire
        self.views = views
        self.view = None  # That of the connection, and that of the snapshot.
        self.shown = None
        self.snapshot = Snapshot()
        self.changed = asyncio.Condition()
        self.messages = 0

    async def follow(self):
        """As jokes_watch.follow, but for a broken rule, which ends it, and for pauses, which are short."""
        pause = 0.0
        while True:
            try:
                self.view = self.wire.lots.choice(self.views) if self.wire.holds else self.views[0]
                async for _ in jokes_watch.watch([self.wire.path], self.snapshot, self.view):
                    pause = 0.0
                    self.messages += 1
                    async with self.changed:
                        self.shown = self.view
                        self.changed.notify_all()
                    if not self.wire.holds and self.view != self.views[0]:
                        self.wire.tear()
            except (OSError, EOFError):
                # At once where the wire tore; while the daemon starts anew, which nothing tells of, by and by.
                await asyncio.sleep(pause)
                pause = min(0.05, 2 * pause + 0.001)

    async def reach(self, epoch, generation):
        if self.view != self.views[0]:
            self.wire.tear()
        async with self.changed:
            await self.changed.wait_for(
                lambda: self.shown == self.views[0]
                and self.snapshot.epoch == epoch
                and self.snapshot.generation >= generation
            )


async def main(daemon, folder, seed, views):
    lots = random.Random(seed)
    clients = []
    for number, entry in enumerate(views):
        wire = Wire(daemon, f"{folder}/wire{number}", random.Random(lots.random()), entry.get("slow", False))
        await wire.listen()
        clients.append(Client(wire, entry["views"]))
    # Kept, as the loop itself keeps no task alive.
    following = [asyncio.ensure_future(client.follow()) for client in clients]
    for task in following:
        # It ends only where a rule is broken, or the daemon refuses: nobody else can go on then.
        task.add_done_callback(end_all)
    async for line in jokes_watch.lines_of_input():
        command, _, rest = line.partition(" ")
        if command == "turn":
            for client in clients:
                await client.wire.turn()
        elif command == "meet":
            await meet(clients, json.loads(rest))
    os._exit(0)


async def meet(clients, goals):
    for client in clients:
        await client.wire.hold(False)
    await asyncio.gather(*(client.reach(*goal) for client, goal in zip(clients, goals)))
    snapshots = [client.snapshot.json() for client in clients]
    counts = [{"messages": client.messages, "torn": client.wire.torn} for client in clients]
    print(canonical({"snapshots": snapshots, "counts": counts}), flush=True)
    for client in clients:
        await client.wire.hold(True)


def end_all(task):
    if not task.cancelled():
        print(f"torn_watchers: {task.exception()!r}", file=sys.stderr, flush=True)
        os._exit(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])))
