#!/usr/bin/env python3
"""Says the worked example of docs/protocol.md to the client beside it, byte for byte.

    replay_page.py docs/protocol.md

Plays the daemon of the example: expects the calls that the page shows, answers with the messages that it shows, and
compares the client's snapshot with the page's after each step. Exits with 1 and a sentence where they part.
"""

import asyncio
import json
import os
import re
import sys
import tempfile

import jokes_watch
from jokes_snapshot import Snapshot, steps

DUMP = re.compile(r"    ([0-9a-f]{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2}) *(.*)")
STEP = re.compile(r"    ([0-6])  (\S.*)")


def require(holds, otherwise):
    if not holds:
        sys.exit(f"replay_page: {otherwise}")


def messages(page):
    """The dumps, in order; each begins at offset 0."""
    found = []
    for line in page.splitlines():
        match = DUMP.fullmatch(line)
        if not match:
            continue
        offset, row, text = int(match[1], 16), bytes.fromhex(match[2]), match[3]
        readable = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        require(readable.strip() == text.strip(), f"the text beside the bytes is another: {line}")
        if offset == 0:
            found.append(b"")
        require(found and len(found[-1]) == offset, f"the offset is another: {line}")
        found[-1] += row
    for message in found:
        require(message.endswith(b"\0") and message.count(b"\0") == 1, f"no whole message: {message!r}")
    return found


def written(sections):
    """A snapshot as the page writes it."""
    return " | ".join(" ".join([f"{filled.id}:"] + [item["id"] for item in filled.items]) for filled in sections)


async def serve(path, exchanges, said):
    """Answers one connection after another, a byte at a time; puts what each of them said."""
    waiting = list(exchanges)

    async def answer(reader, writer):
        call, reply = waiting.pop(0)
        sent = await reader.readuntil(b"\0")
        for byte in reply:
            writer.write(bytes([byte]))
            await writer.drain()
        await reader.read()
        writer.close()
        await said.put((call, sent))

    return await asyncio.start_unix_server(answer, path)


async def main(page):
    dumps = messages(page)
    require(len(dumps) == 4, f"the page has {len(dumps)} messages in bytes, not a call, a snapshot, a call, a difference")
    expected = {int(match[1]): match[2] for match in map(STEP.fullmatch, page.splitlines()) if match}
    require(sorted(expected) == list(range(7)), "the page does not show the snapshot before and after each of six steps")

    # Step by step.
    snapshot = Snapshot()
    reply, difference = (json.loads(dumps[index][:-1])["parameters"] for index in (1, 3))
    require(snapshot.take(reply), "the snapshot is not complete")
    snapshots = [written(snapshot.sections)] + [written(one) for one in steps(snapshot.sections, difference["difference"])]
    for number, one in enumerate(snapshots):
        require(one == expected[number], f"after step {number} the snapshot is\n{one}\nand not\n{expected[number]}")

    # As it goes over sockets.
    followed, said = Snapshot(), asyncio.Queue()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        server = await serve(path, [dumps[:2], dumps[2:]], said)
        view = json.loads(dumps[0][:-1])["parameters"]["view"]
        for number in (0, 6):
            watching = jokes_watch.watch([path], followed, view)
            await watching.__anext__()
            await watching.aclose()
            require(written(followed.sections) == expected[number], f"over the socket, not the snapshot of step {number}")
            call, sent = await said.get()
            require(call == sent, f"the client says\n{sent!r}\nwhere the page says\n{call!r}")
        server.close()
    contents = {item["id"]: item for run in difference["difference"]["insertedItems"] for item in run["items"]}
    contents.update({item["id"]: item for item in difference["difference"]["updatedItems"]})
    for item in (item for filled in followed.sections for item in filled.items):
        require(item == contents.get(item["id"], item), f"{item['id']} is not what the difference says it is")
    print(f"{len(dumps)} messages and {len(snapshots)} snapshots are as the page shows them.")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    asyncio.run(main(text))
