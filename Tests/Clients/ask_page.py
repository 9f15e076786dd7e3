#!/usr/bin/env python3
"""Sends the calls of the worked example of docs/protocol.md to a daemon that has only the bundled jokes.

    ask_page.py SOCKET docs/protocol.md

Compares the answers with the answers in the page, and exits with 1 if they differ. The epoch, the time of the favorite
and the number of cached jokes may differ.
"""

import json
import re
import socket
import sys

from replay_page import check, read_messages

VARYING = re.compile(rb'"(epoch|favoritedAt|cached)":("[^"]*"|[0-9]+)')


def send(address, message):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        connection.sendall(message)
        answer = b""
        while not answer.endswith(b"\0"):
            piece = connection.recv(1 << 16)
            check(piece, f"the daemon closed the connection after {message!r}")
            answer += piece
        return answer


def call(address, method, parameters):
    message = {"method": f"org.jokesd.Jokes.{method}", "parameters": parameters}
    answer = json.loads(send(address, json.dumps(message).encode() + b"\0")[:-1])
    check("error" not in answer, f"{method} failed: {answer}")


def compare(answer, expected):
    is_equal = VARYING.sub(b"\\1", answer) == VARYING.sub(b"\\1", expected)
    check(is_equal, f"answer of the daemon:\n{answer!r}\nexpected:\n{expected!r}")


def main(address, page):
    first_call, snapshot, second_call, difference = read_messages(page)
    before = json.loads(snapshot[:-1])["parameters"]
    change = json.loads(difference[:-1])["parameters"]["difference"]
    items = before["snapshot"][0]["items"] + [item for run in change["insertedItems"] for item in run["items"]]
    call(address, "Import", {"jokes": [item["joke"] for item in items if item["kind"] == "joke"], "last": True})
    answer = send(address, first_call)
    compare(answer, snapshot)
    for item in change["deletedItems"]:
        call(address, "Hide", {"ids": [item.partition("/")[2]]})
    favorite = next(item["favorite"] for run in change["insertedItems"] for item in run["items"] if "favorite" in item)
    call(address, "Favorite", {"ids": [favorite["id"]], "note": favorite["note"]})
    epoch = json.loads(answer[:-1])["parameters"]["epoch"]
    compare(send(address, second_call.replace(before["epoch"].encode(), epoch.encode())), difference)
    print("The daemon says what the page says.")


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        main(sys.argv[1], file.read())
