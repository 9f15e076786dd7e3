// The running processes by user and CPU time, read every second: processes [FOLDER]
//
//     j, k or arrows: move the cursor    r: read now    q: quit

import CCurses
import Diffable
import Glibc

let folder = CommandLine.arguments.dropFirst().first ?? "/proc"
setlocale(LC_CTYPE, "C.UTF-8")
let screen = initscr()
cbreak()
noecho()

let list = ListWindow<User, RunningProcess>()
let dataSource = DiffableDataSource<User, RunningProcess>()
var cursor: ItemIndexPath?

let observation = dataSource.observe { transaction in
    for step in transaction.difference.steps { list.perform(step) }
    if let row = cursor.flatMap({ transaction.difference.indexMap[$0] }) {
        cursor = row
    } else {
        // The process has ended, and another one has its place.
        moveCursor(from: transaction.initialSnapshot, to: transaction.finalSnapshot)
    }
}

/// Moves the cursor to the item of a snapshot that has the same position among all items as in another one, or near it.
@MainActor func moveCursor(by offset: Int = 0, from old: ProcessSnapshot, to new: ProcessSnapshot) {
    let position = cursor.flatMap(old.itemIdentifier(at:)).flatMap(old.indexOfItem) ?? 0
    let item = new.items.dropFirst(max(0, min(position + offset, new.numberOfItems - 1))).first
    cursor = item.flatMap { new.indexPath(for: $0.id) }
}

func ~= (character: Unicode.Scalar, key: Int32) -> Bool { key == Int32(character.value) }

@MainActor func run() throws {
    defer { endwin() }
    var nextReading = ContinuousClock.now
    while true {
        if nextReading <= .now {
            try dataSource.apply(ProcessSnapshot(of: folder))
            nextReading = .now + .seconds(1)
        }
        list.show(cursor: cursor, rows: Int(getmaxy(screen)), columns: Int(getmaxx(screen)))
        let snapshot = dataSource.snapshot()
        switch list.key(within: nextReading - .now) {
        case "j", KEY_DOWN: moveCursor(by: 1, from: snapshot, to: snapshot)
        case "k", KEY_UP: moveCursor(by: -1, from: snapshot, to: snapshot)
        case "r": nextReading = .now
        case "q": return
        default: break
        }
    }
}

try run()
