"""What a watcher of jokesd sees, and the rules by which a message changes it.

No sockets in here: for those, jokes_watch.py is beside it. Written from docs/protocol.md and
org.jokesd.Jokes.varlink alone, with nothing but Python's standard library (3.9 or newer). Copy both, and change what
you like.

    Snapshot     sections and items, and what an answer of Watch makes of them
    steps       a difference, applied step by step
"""

import json

SECTION_KINDS = ("favoriteJokes", "jokes", "searchResults")
ITEM_KINDS = ("loading", "joke", "favorite")


class BrokenRule(Exception):
    """A message that a daemon must not send. Drop the connection, and ask for the whole snapshot."""


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


class Snapshot:
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
        """Takes an answer of Watch. True where the snapshot is another, or confirmed; false where more is to come."""
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
            self.pieces = Snapshot()
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
        """The snapshot as it would come in one message."""
        snapshot = [{"section": filled.header, "items": filled.items} for filled in self.sections]
        return {"epoch": self.epoch, "generation": self.generation, "snapshot": snapshot}
