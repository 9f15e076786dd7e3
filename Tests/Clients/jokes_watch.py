#!/usr/bin/env python3
"""Follows the picture of a running jokesd.

    jokes_watch.py [--socket ADDRESS] [--view JSON]

Prints the picture as one line of JSON whenever a line comes on standard input, and ends with it.
Written from docs/protocol.md and org.jokesd.Jokes.varlink alone, with nothing but Python's standard
library (3.9 or newer). Copy it, and change what you like.

    Picture     what is shown, and the rules by which a message changes it: no sockets in here
    Connection  calls and answers over one socket
    follow      a connection after another, for as long as you like
"""

import argparse
import asyncio
import json
import os
import sys
import threading

INTERFACE = "org.jokesd.Jokes"
LARGEST_MESSAGE = 1 << 20

SECTION_KINDS = ("favoriteJokes", "jokes", "searchResults")
ITEM_KINDS = ("loading", "joke", "favorite")


class BrokenRule(Exception):
    """A message that a daemon must not send. Drop the connection, and ask for the whole snapshot."""


class CallFailed(Exception):
    """The daemon answered with an error."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {canonical(parameters)}")
        self.name = name
        self.parameters = parameters

    @property
    def short_name(self):
        return self.name.rpartition(".")[2]


def rule(holds, otherwise):
    if not holds:
        raise BrokenRule(otherwise)


def canonical(value):
    """Equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# What a message says, looked at before it is believed.


def text_of(value, member):
    found = value.get(member)
    rule(isinstance(found, str), f"{member} is no string: {found!r}")
    return found


def number_of(value, member):
    found = value.get(member)
    rule(isinstance(found, int) and not isinstance(found, bool) and found >= 0, f"{member} is no count: {found!r}")
    return found


def list_of(value, member, kind=dict):
    found = value.get(member)
    if found is None:
        return []
    rule(isinstance(found, list), f"{member} is no array")
    for element in found:
        rule(isinstance(element, kind), f"{member} has an element of another type: {element!r}")
    return found


def shown(value, kinds):
    """A section or an item: an id, a kind, and for the kinds that we know the member named like it."""
    rule(isinstance(value, dict), f"neither section nor item: {value!r}")
    text_of(value, "id")
    kind = text_of(value, "kind")
    if kind in kinds:
        rule(isinstance(value.get(kind), dict), f"{value['id']} is a {kind} without its content")
    return value


def item(value):
    return shown(value, ITEM_KINDS)


def section(value):
    return shown(value.get("section"), SECTION_KINDS)


def unique(ids, what):
    """The set of ids, none of which comes twice."""
    seen = set()
    for one in ids:
        rule(one not in seen, f"{what}: {one} is there twice")
        seen.add(one)
    return seen


class Filled:
    """A section with its items."""

    def __init__(self, header, items):
        self.header = header
        self.items = items

    @property
    def id(self):
        return self.header["id"]


def ids_of(sections):
    return [one["id"] for filled in sections for one in filled.items]


def steps(sections, difference):
    """Applies a difference; yields the sections after each of the six steps. What is passed in stays as it was."""
    sections = [Filled(filled.header, list(filled.items)) for filled in sections]

    runs = [(run, [item(one) for one in list_of(run, "items")]) for run in list_of(difference, "insertedItems")]
    places = [(number_of(place, "index"), section(place)) for place in list_of(difference, "insertedSections")]
    item_moves = {text_of(move, "id"): move for move in list_of(difference, "movedItems")}
    section_moves = {text_of(move, "id"): number_of(move, "index") for move in list_of(difference, "movedSections")}

    # An id is deleted, moved or inserted, and only one of these; what is deleted or moved is there.
    deleted = list_of(difference, "deletedItems", str)
    inserted = [one["id"] for _, items in runs for one in items]
    moved = [move["id"] for move in list_of(difference, "movedItems")]
    unique(deleted + moved + inserted, "items")
    before = set(ids_of(sections))
    rule(before.issuperset(deleted + moved), "an item that is not there is deleted or moved")
    rule(before.isdisjoint(inserted), "an item that is there is inserted")

    deleted_sections = list_of(difference, "deletedSections", str)
    inserted_sections = [header["id"] for _, header in places]
    moved_sections = [move["id"] for move in list_of(difference, "movedSections")]
    unique(deleted_sections + moved_sections + inserted_sections, "sections")
    before_sections = {filled.id for filled in sections}
    rule(before_sections.issuperset(deleted_sections + moved_sections), "a section that is not there is deleted or moved")
    rule(before_sections.isdisjoint(inserted_sections), "a section that is there is inserted")

    # 1. Take out the items that are deleted.
    gone = set(deleted)
    for filled in sections:
        filled.items = [one for one in filled.items if one["id"] not in gone]
    yield sections

    # 2. Take out the items that move.
    aside = {one["id"]: one for filled in sections for one in filled.items if one["id"] in item_moves}
    for filled in sections:
        filled.items = [one for one in filled.items if one["id"] not in aside]
    yield sections

    # 3. Take out the sections that are deleted, which are empty now, and those that move, with their items.
    for filled in sections:
        rule(filled.id not in deleted_sections or not filled.items, f"section {filled.id} is deleted with items in it")
    sections_aside = {filled.id: filled for filled in sections if filled.id in section_moves}
    sections = [filled for filled in sections if filled.id not in sections_aside and filled.id not in deleted_sections]
    yield sections

    # 4. Put in the sections that moved or are new, the lowest index first.
    arriving = [(index, sections_aside[one]) for one, index in section_moves.items()]
    arriving += [(index, Filled(header, [])) for index, header in places]
    put_in(sections, [(index, [filled]) for index, filled in arriving], "the sections")
    yield sections

    # 5. Put in the items that moved or are new, section by section, the lowest index first.
    groups = {filled.id: [] for filled in sections}
    for move in item_moves.values():
        target = text_of(move, "section")
        rule(target in groups, f"an item moves to section {target}, which is not there")
        groups[target].append((number_of(move, "index"), [aside[move["id"]]]))
    for run, items in runs:
        target = text_of(run, "section")
        rule(target in groups, f"items are inserted in section {target}, which is not there")
        groups[target].append((number_of(run, "index"), items))
    for filled in sections:
        put_in(filled.items, groups[filled.id], f"section {filled.id}")
    yield sections

    # 6. Replace headers and items by their ids, where they stayed or moved.
    headers = {one["id"]: shown(one, SECTION_KINDS) for one in list_of(difference, "updatedSections")}
    contents = {one["id"]: item(one) for one in list_of(difference, "updatedItems")}
    unique([one["id"] for one in list_of(difference, "updatedSections")], "updatedSections")
    unique([one["id"] for one in list_of(difference, "updatedItems")], "updatedItems")
    rule((before_sections - set(deleted_sections)).issuperset(headers), "a section is updated that did not stay")
    rule((before - gone).issuperset(contents), "an item is updated that did not stay")
    for filled in sections:
        filled.header = headers.get(filled.id, filled.header)
        filled.items = [contents.get(one["id"], one) for one in filled.items]
    yield sections


def put_in(elements, groups, where):
    """Each group stands at its index when all of them are in: so none may begin within another, or past the end."""
    end = 0
    for index, group in sorted(groups, key=lambda entry: entry[0]):
        rule(index >= end, f"{where}: two are to stand at index {index}")
        rule(index <= len(elements), f"{where}: index {index} is past the end")
        elements[index:index] = group
        end = index + len(group)


class Picture:
    """What a watcher sees. Changes as a whole or, where a message breaks a rule, not at all."""

    def __init__(self):
        self.epoch = None
        self.generation = None
        self.sections = []
        self.pieces = None  # Of a snapshot that has not come to its end.
        self.is_first = True  # The next message is the first of its connection.

    def begin(self):
        """To be called before the answers of another connection: the rest of a snapshot comes on no other."""
        self.pieces = None
        self.is_first = True

    def take(self, answer):
        """Takes an answer of Watch. True where the picture is another, or confirmed; false where more is to come."""
        epoch, generation = text_of(answer, "epoch"), number_of(answer, "generation")
        has_snapshot = answer.get("snapshot") is not None
        has_difference = answer.get("difference") is not None
        is_first, self.is_first = self.is_first, False
        rule(not (has_snapshot and has_difference), "a snapshot and a difference in one message")
        if has_difference:
            # Another view than before may have changed last at an earlier generation.
            rule(is_first or self.generation is None or generation >= self.generation, "a difference that leads back")
            self.take_difference(epoch, generation, answer["difference"])
            return True
        if has_snapshot:
            return self.take_piece(epoch, generation, answer)
        return False

    def take_piece(self, epoch, generation, answer):
        # A piece of another snapshot than the one before it begins anew.
        first = self.pieces is None or (self.pieces.epoch, self.pieces.generation) != (epoch, generation)
        sections = [] if first else self.pieces.sections
        by_id = {filled.id: filled for filled in sections}
        for one in list_of(answer, "snapshot"):
            header = section(one)
            if header["id"] not in by_id:
                rule(first, f"section {header['id']} was not named in the first piece")
                by_id[header["id"]] = Filled(header, [])
                sections.append(by_id[header["id"]])
            by_id[header["id"]].items += [item(value) for value in list_of(one, "items")]
        unique(ids_of(sections), "a snapshot")
        if answer.get("complete") is False:
            self.pieces = Picture()
            self.pieces.epoch, self.pieces.generation, self.pieces.sections = epoch, generation, sections
            return False
        self.epoch, self.generation, self.sections, self.pieces = epoch, generation, sections, None
        return True

    def take_difference(self, epoch, generation, difference):
        rule(isinstance(difference, dict), "the difference is no object")
        rule(self.pieces is None, "a difference before the snapshot is complete")
        rule(epoch == self.epoch, "a difference from another epoch")
        rule(number_of(difference, "base") == self.generation, "a difference from a generation that is not here")
        for sections in steps(self.sections, difference):
            result = sections
        self.generation, self.sections = generation, result

    def json(self):
        """The picture as it would come in one message."""
        snapshot = [{"section": filled.header, "items": filled.items} for filled in self.sections]
        return {"epoch": self.epoch, "generation": self.generation, "snapshot": snapshot}


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


async def watch(paths, picture, view=None):
    """Follows over one connection: yields whenever the picture changed. Ends with an exception."""
    connection = await Connection.open(paths)
    picture.begin()
    try:
        parameters = {}
        if view:
            parameters["view"] = view
        if picture.epoch is not None:
            parameters.update(epoch=picture.epoch, generation=picture.generation)
        await connection.send(f"{INTERFACE}.Watch", parameters, more=True)
        while True:
            answer, goes_on = await connection.answer()
            changed = picture.take(answer)
            rule(goes_on, "the daemon ended the watch without an error")
            if changed:
                yield picture
    finally:
        connection.close()


async def follow(paths, picture, view=None, first_wait=0.1, longest_wait=5.0):
    """Yields whenever the picture changed, and connects again when a connection is lost. Waits are in seconds."""
    wait = first_wait
    while True:
        try:
            async for _ in watch(paths, picture, view):
                wait = first_wait
                yield picture
        except (OSError, EOFError):
            pass  # Not there, or gone: what we have is good, and the daemon may know it when it is back.
        except BrokenRule as error:
            print(f"jokes_watch: asking for the whole snapshot: {error}", file=sys.stderr)
            picture.__init__()
        except CallFailed as error:
            # The daemon has enough to do: it says when to come again. Anything else stays wrong if said again.
            if error.short_name != "Busy":
                raise
            wait = max(wait, error.parameters.get("retryAfterMs", 0) / 1000)
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
    parser = argparse.ArgumentParser(description="Follows jokesd; prints its picture for each line of input.")
    parser.add_argument("--socket", metavar="ADDRESS", help="a path, unix:PATH or unix:@NAME")
    parser.add_argument("--view", type=json.loads, metavar="JSON", help='as Watch takes it: \'{"sections":["jokes"],"size":10}\'')
    options = parser.parse_args()
    paths = [path_of(options.socket)] if options.socket else usual_paths()
    picture = Picture()

    async def keep_up():
        async for _ in follow(paths, picture, options.view):
            pass

    async def answer_requests():
        async for _ in lines_of_input():
            print(canonical(picture.json()), flush=True)

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
