#!/usr/bin/env python3
"""Asks a daemon, which has nothing yet but the jokes that come with it, what the worked example of docs/protocol.md asks.

    ask_page.py SOCKET docs/protocol.md

Exits with 1 and a sentence where an answer is another than the page's in anything but the epoch, the time of the star,
and how many jokes are cached.
"""

import json
import re
import socket
import sys

from replay_page import messages, require

VARYING = re.compile(rb'"(epoch|favoritedAt|cached)":("[^"]*"|[0-9]+)')


def say(address, message):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        connection.sendall(message)
        answer = b""
        while not answer.endswith(b"\0"):
            piece = connection.recv(1 << 16)
            require(piece, f"the daemon hung up at {message!r}")
            answer += piece
        return answer


def call(address, method, parameters):
    message = {"method": f"org.jokesd.Jokes.{method}", "parameters": parameters}
    answer = json.loads(say(address, json.dumps(message).encode() + b"\0")[:-1])
    require("error" not in answer, f"{method} was refused: {answer}")


def compare(answer, page):
    found, shown = VARYING.sub(b"\\1", answer), VARYING.sub(b"\\1", page)
    require(found == shown, f"the daemon says\n{answer!r}\nwhere the page says\n{page!r}")


def main(address, page):
    first_call, snapshot, second_call, difference = messages(page)
    before = json.loads(snapshot[:-1])["parameters"]
    change = json.loads(difference[:-1])["parameters"]["difference"]
    items = before["snapshot"][0]["items"] + [item for run in change["insertedItems"] for item in run["items"]]
    call(address, "Import", {"jokes": [item["joke"] for item in items if item["kind"] == "joke"], "last": True})
    answer = say(address, first_call)
    compare(answer, snapshot)
    for item in change["deletedItems"]:
        call(address, "Hide", {"ids": [item.partition("/")[2]]})
    star = next(item["favorite"] for run in change["insertedItems"] for item in run["items"] if "favorite" in item)
    call(address, "Favorite", {"ids": [star["id"]], "note": star["note"]})
    epoch = json.loads(answer[:-1])["parameters"]["epoch"]
    compare(say(address, second_call.replace(before["epoch"].encode(), epoch.encode())), difference)
    print("The daemon says what the page says.")


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        main(sys.argv[1], file.read())
