"""The snapshot of a client of jokesd, and the rules for the messages that change it.

This file has no sockets: jokes_watch.py has them. Both files follow docs/protocol.md and org.jokesd.Jokes.varlink, and
need only the standard library of Python 3.9 or newer. Copy both files and change them as you like.

    Snapshot    stores sections and items, and applies answers of Watch
    steps       applies a difference step by step
"""

import json

SECTION_KINDS = ("favoriteJokes", "jokes", "searchResults")
ITEM_KINDS = ("loading", "joke", "favorite")


class ProtocolError(Exception):
    """A message that violates the protocol. Close the connection and request the whole snapshot."""


def require(condition, message):
    if not condition:
        raise ProtocolError(message)


def canonical(value):
    """Returns the same text for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# These functions validate the members of a message.


def string_member(value, name):
    member = value.get(name)
    require(isinstance(member, str), f"{name} is not a string: {member!r}")
    return member


def count_member(value, name):
    member = value.get(name)
    is_integer = isinstance(member, int) and not isinstance(member, bool)
    require(is_integer and member >= 0, f"{name} is not a non-negative integer: {member!r}")
    return member


def array_member(value, name, element_type=dict):
    member = value.get(name)
    if member is None:
        return []
    require(isinstance(member, list), f"{name} is not an array")
    for element in member:
        require(isinstance(element, element_type), f"{name} has an element of another type: {element!r}")
    return member


def validated(value, kinds):
    """Returns a section or an item with an ID and a kind. A known kind has its content in the member of the same name."""
    require(isinstance(value, dict), f"not a section or an item: {value!r}")
    string_member(value, "id")
    kind = string_member(value, "kind")
    if kind in kinds:
        require(isinstance(value.get(kind), dict), f"{value['id']} has the kind {kind}, but no member {kind}")
    return value


def validated_item(value):
    return validated(value, ITEM_KINDS)


def validated_header(value):
    return validated(value.get("section"), SECTION_KINDS)


def require_unique(ids, name):
    seen = set()
    for identifier in ids:
        require(identifier not in seen, f"{name}: duplicate ID {identifier}")
        seen.add(identifier)


class Section:
    """The header of a section, and its items."""

    def __init__(self, header, items):
        self.header = header
        self.items = items

    @property
    def id(self):
        return self.header["id"]


def item_ids(sections):
    return [item["id"] for section in sections for item in section.items]


def steps(sections, difference):
    """Yields the sections after each of the six steps of a difference. Does not change its argument."""
    sections = [Section(section.header, list(section.items)) for section in sections]

    runs = [
        (run, [validated_item(item) for item in array_member(run, "items")])
        for run in array_member(difference, "insertedItems")
    ]
    insertions = [
        (count_member(insertion, "index"), validated_header(insertion))
        for insertion in array_member(difference, "insertedSections")
    ]
    item_moves = {string_member(move, "id"): move for move in array_member(difference, "movedItems")}
    section_moves = {
        string_member(move, "id"): count_member(move, "index") for move in array_member(difference, "movedSections")
    }

    # A difference deletes, moves or inserts an ID, but only one of these. A deleted or moved ID exists.
    deleted = array_member(difference, "deletedItems", str)
    inserted = [item["id"] for _, items in runs for item in items]
    moved = [move["id"] for move in array_member(difference, "movedItems")]
    require_unique(deleted + moved + inserted, "items")
    old_items = set(item_ids(sections))
    require(old_items.issuperset(deleted + moved), "a deleted or moved item does not exist")
    require(old_items.isdisjoint(inserted), "an inserted item already exists")

    deleted_sections = array_member(difference, "deletedSections", str)
    inserted_sections = [header["id"] for _, header in insertions]
    moved_sections = [move["id"] for move in array_member(difference, "movedSections")]
    require_unique(deleted_sections + moved_sections + inserted_sections, "sections")
    old_sections = {section.id for section in sections}
    require(old_sections.issuperset(deleted_sections + moved_sections), "a deleted or moved section does not exist")
    require(old_sections.isdisjoint(inserted_sections), "an inserted section already exists")

    # 1. Remove the deleted items.
    deleted_items = set(deleted)
    for section in sections:
        section.items = [item for item in section.items if item["id"] not in deleted_items]
    yield sections

    # 2. Remove the moved items, and keep them for step 5.
    moved_items = {item["id"]: item for section in sections for item in section.items if item["id"] in item_moves}
    for section in sections:
        section.items = [item for item in section.items if item["id"] not in moved_items]
    yield sections

    # 3. Remove the deleted sections, which are now empty. Remove the moved sections with their items, and keep them.
    for section in sections:
        require(section.id not in deleted_sections or not section.items, f"deleted section {section.id} has items")
    kept_sections = {section.id: section for section in sections if section.id in section_moves}
    sections = [
        section for section in sections if section.id not in kept_sections and section.id not in deleted_sections
    ]
    yield sections

    # 4. Insert the moved and new sections, the lowest index first.
    groups = [(index, [kept_sections[identifier]]) for identifier, index in section_moves.items()]
    groups += [(index, [Section(header, [])]) for index, header in insertions]
    insert_groups(sections, groups, "sections")
    yield sections

    # 5. Insert the moved and new items of each section, the lowest index first.
    groups = {section.id: [] for section in sections}
    for move in item_moves.values():
        target = string_member(move, "section")
        require(target in groups, f"an item moves to section {target}, which does not exist")
        groups[target].append((count_member(move, "index"), [moved_items[move["id"]]]))
    for run, items in runs:
        target = string_member(run, "section")
        require(target in groups, f"an item is inserted in section {target}, which does not exist")
        groups[target].append((count_member(run, "index"), items))
    for section in sections:
        insert_groups(section.items, groups[section.id], f"section {section.id}")
    yield sections

    # 6. Replace updated headers and items. Only old sections and items that are not deleted can have updates.
    headers = {header["id"]: validated(header, SECTION_KINDS) for header in array_member(difference, "updatedSections")}
    contents = {item["id"]: validated_item(item) for item in array_member(difference, "updatedItems")}
    require_unique([header["id"] for header in array_member(difference, "updatedSections")], "updatedSections")
    require_unique([item["id"] for item in array_member(difference, "updatedItems")], "updatedItems")
    require(
        (old_sections - set(deleted_sections)).issuperset(headers), "an updated section is new, deleted or unknown"
    )
    require((old_items - deleted_items).issuperset(contents), "an updated item is new, deleted or unknown")
    for section in sections:
        section.header = headers.get(section.id, section.header)
        section.items = [contents.get(item["id"], item) for item in section.items]
    yield sections


def insert_groups(elements, groups, name):
    """Inserts groups of elements. After the last insertion, each group starts at its index, so groups cannot overlap."""
    end = 0
    for index, group in sorted(groups, key=lambda entry: entry[0]):
        require(index >= end, f"{name}: two elements have the index {index}")
        require(index <= len(elements), f"{name}: index {index} is past the end")
        elements[index:index] = group
        end = index + len(group)


class Snapshot:
    """The sections and items of a view. A message that violates the protocol does not change them."""

    def __init__(self):
        self.epoch = None
        self.generation = None
        self.sections = []
        self.pieces = None  # The received pieces of an incomplete snapshot.
        self.is_first = True  # The next message is the first of its connection.

    def begin(self):
        """Prepares for a new connection, which does not continue an incomplete snapshot."""
        self.pieces = None
        self.is_first = True

    def apply(self, answer):
        """Applies an answer of Watch. Returns true if the snapshot is current, and false if another piece follows."""
        epoch, generation = string_member(answer, "epoch"), count_member(answer, "generation")
        has_snapshot = answer.get("snapshot") is not None
        has_difference = answer.get("difference") is not None
        is_first, self.is_first = self.is_first, False
        require(not (has_snapshot and has_difference), "a message has a snapshot and a difference")
        if has_difference:
            # The generation of another view may be lower. Only the first message can change the view.
            is_newer = is_first or self.generation is None or generation >= self.generation
            require(is_newer, "a difference leads to an older generation")
            self.apply_difference(epoch, generation, answer["difference"])
            return True
        if has_snapshot:
            return self.apply_piece(epoch, generation, answer)
        return False

    def apply_piece(self, epoch, generation, answer):
        # A piece with another epoch or generation starts a new snapshot.
        is_first = self.pieces is None or (self.pieces.epoch, self.pieces.generation) != (epoch, generation)
        sections = [] if is_first else self.pieces.sections
        by_id = {section.id: section for section in sections}
        for entry in array_member(answer, "snapshot"):
            header = validated_header(entry)
            if header["id"] not in by_id:
                require(is_first, f"section {header['id']} is not in the first piece")
                by_id[header["id"]] = Section(header, [])
                sections.append(by_id[header["id"]])
            by_id[header["id"]].items += [validated_item(item) for item in array_member(entry, "items")]
        require_unique(item_ids(sections), "snapshot")
        if answer.get("complete") is False:
            self.pieces = Snapshot()
            self.pieces.epoch, self.pieces.generation, self.pieces.sections = epoch, generation, sections
            return False
        self.epoch, self.generation, self.sections, self.pieces = epoch, generation, sections, None
        return True

    def apply_difference(self, epoch, generation, difference):
        require(isinstance(difference, dict), "difference is not an object")
        require(self.pieces is None, "a difference follows an incomplete snapshot")
        require(epoch == self.epoch, "a difference has another epoch")
        require(count_member(difference, "base") == self.generation, "the base of a difference is not this generation")
        for sections in steps(self.sections, difference):
            result = sections
        self.generation, self.sections = generation, result

    def json(self):
        """Returns the snapshot in the format of a single message."""
        snapshot = [{"section": section.header, "items": section.items} for section in self.sections]
        return {"epoch": self.epoch, "generation": self.generation, "snapshot": snapshot}
