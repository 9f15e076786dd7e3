// Notes, one command a line, and after each of them what changed:
//
//     add TEXT    edit N TEXT    remove N    first N

import Diffable

struct Note: Identifiable, Equatable {
    let id: Int
    var text: String
}

struct Misunderstood: Error, CustomStringConvertible {
    let description = "Say: add TEXT, edit N TEXT, remove N or first N."
}

let notes = try ListModel<Note>()
var lastNumber = 0

let observation = notes.observe { transaction in
    let items = transaction.difference.items
    for deletion in items.deleted { print("- \(deletion.element.id) \(deletion.element.text)") }
    for insertion in items.inserted { print("+ \(insertion.element.id) \(insertion.element.text)") }
    for move in items.moved { print("^ \(move.id) from row \(move.from.item + 1) to \(move.to.item + 1)") }
    for update in items.updated { print("~ \(update.after.id) \(update.before.text) -> \(update.after.text)") }
}

@MainActor func perform(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { throw Misunderstood() }
    switch words[0] {
    case "add":
        lastNumber += 1
        try notes.add(Note(id: lastNumber, text: words[1]))
    case "edit":
        let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Misunderstood() }
        try notes.update(Note(id: try number(parts[0]), text: parts[1]))
    case "remove":
        try notes.remove(try number(words[1]))
    case "first":
        try notes.moveToFront(try number(words[1]))
    default:
        throw Misunderstood()
    }
}

func number(_ word: String) throws -> Int {
    guard let number = Int(word) else { throw Misunderstood() }
    return number
}

while let line = readLine() {
    do {
        try perform(line)
    } catch let error as DiffableError where error.code == .unknownItem {
        print("There is no such note.")
    } catch {
        print("\(error)")
    }
}
