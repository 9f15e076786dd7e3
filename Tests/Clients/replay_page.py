#!/usr/bin/env python3
"""Replays the worked example of docs/protocol.md to jokes_watch.py, byte for byte.

    replay_page.py docs/protocol.md

Acts as the daemon of the example, and answers with the messages in the page. Compares the calls of the client, and its
snapshot after each step, with the page. If they differ, prints the first difference and exits with 1.
"""

import json
import os
import re
import socket
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Examples", "Python"))

import jokes_watch
from jokes_snapshot import Snapshot, steps

DUMP = re.compile(r"    ([0-9a-f]{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2}) *(.*)")
STEP = re.compile(r"    ([0-6])  (\S.*)")


def check(condition, message):
    if not condition:
        sys.exit(f"replay_page: {message}")


def read_messages(page):
    """Returns the messages of the hex dumps in order. A dump starts at offset 0."""
    messages = []
    for line in page.splitlines():
        match = DUMP.fullmatch(line)
        if not match:
            continue
        offset, row, text = int(match[1], 16), bytes.fromhex(match[2]), match[3]
        readable = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        check(readable.strip() == text.strip(), f"the text does not match the bytes: {line}")
        if offset == 0:
            messages.append(b"")
        check(messages and len(messages[-1]) == offset, f"wrong offset: {line}")
        messages[-1] += row
    for message in messages:
        check(message.endswith(b"\0") and message.count(b"\0") == 1, f"not exactly one message: {message!r}")
    return messages


def format_sections(sections):
    """Returns the sections in the format of the page."""
    return " | ".join(" ".join([f"{section.id}:"] + [item["id"] for item in section.items]) for section in sections)


def serve(listener, exchanges, calls):
    """Serves one exchange per connection, byte by byte. Appends the expected and the received call to a list."""
    for expected, reply in exchanges:
        connection, _ = listener.accept()
        with connection:
            received = b""
            while not received.endswith(b"\0") and (piece := connection.recv(1 << 16)):
                received += piece
            calls.append((expected, received))
            for byte in reply:
                connection.sendall(bytes([byte]))
            connection.recv(1)  # Waits until the client disconnects.


def main(page):
    messages = read_messages(page)
    check(len(messages) == 4, f"the page has {len(messages)} messages, not two calls and two replies")
    expected = {int(match[1]): match[2] for match in map(STEP.fullmatch, page.splitlines()) if match}
    check(sorted(expected) == list(range(7)), "the page does not have the snapshots before and after each of six steps")

    # Without sockets: the snapshot after each step.
    snapshot = Snapshot()
    reply, difference = (json.loads(messages[index][:-1])["parameters"] for index in (1, 3))
    check(snapshot.apply(reply), "the snapshot is not complete")
    snapshots = [format_sections(snapshot.sections)]
    snapshots += [format_sections(sections) for sections in steps(snapshot.sections, difference["difference"])]
    for number, text in enumerate(snapshots):
        check(text == expected[number], f"snapshot after step {number}:\n{text}\nexpected:\n{expected[number]}")

    # Over sockets: the snapshots before and after the difference.
    followed, calls = Snapshot(), []
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = os.path.join(folder, "s")
        listener.bind(path)
        listener.listen()
        threading.Thread(target=serve, args=(listener, [messages[:2], messages[2:]], calls), daemon=True).start()
        view = json.loads(messages[0][:-1])["parameters"]["view"]
        for number in (0, 6):
            watching = jokes_watch.watch([path], followed, view)
            next(watching)
            watching.close()
            check(
                format_sections(followed.sections) == expected[number], f"over the socket: not the snapshot after step {number}"
            )
            call, received = calls.pop()
            check(call == received, f"call of the client:\n{received!r}\nexpected:\n{call!r}")
    contents = {item["id"]: item for run in difference["difference"]["insertedItems"] for item in run["items"]}
    contents.update({item["id"]: item for item in difference["difference"]["updatedItems"]})
    for item in (item for section in followed.sections for item in section.items):
        check(item == contents.get(item["id"], item), f"item {item['id']} does not match the difference")
    print(f"{len(messages)} messages and {len(snapshots)} snapshots are as the page shows them.")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    main(text)
