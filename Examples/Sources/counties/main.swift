// The counties of Ireland, searched as you type. A line is typed into the search field letter by letter, and what
// that changes is printed; then come the rows that are left. A line like 2.1 selects row 1 of section 2.

import Diffable

let dataSource = try DiffableDataSource(CountySnapshot.counties(matching: ""))
var typed = ""
var selected: County.ID?

let observation = dataSource.observe { transaction in
    let (headers, rows) = (transaction.difference.sections, transaction.difference.items)
    print(
        "\"\(typed)\": \(transaction.finalSnapshot.numberOfItems) rows,",
        "\(rows.inserted.count) came, \(rows.deleted.count) went;",
        "headers changed: \(headers.updated.count)")
}

@MainActor func search(_ text: String) throws {
    typed = ""
    try dataSource.apply(.counties(matching: typed))
    for letter in text {
        typed.append(letter)
        try dataSource.apply(.counties(matching: typed))
    }
}

@MainActor func select(_ row: ItemIndexPath) {
    guard let county = dataSource.itemIdentifier(for: row) else { return print("There is no such row.") }
    selected = county
    print("\(county) is selected.")
}

@MainActor func printRows() {
    let snapshot = dataSource.snapshot()
    for (section, header) in snapshot.sections.enumerated() {
        print(header.text)
        for (row, county) in snapshot[header.id].enumerated() {
            print(county.id == selected ? " >" : "  ", "\(section + 1).\(row + 1) \(county.name)")
        }
    }
}

extension ItemIndexPath {
    /// The place that a person calls `2.1`.
    init?(_ text: String) {
        let numbers = text.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(section: numbers[0] - 1, item: numbers[1] - 1)
    }
}

while let line = readLine() {
    if let row = ItemIndexPath(line) {
        select(row)
    } else {
        try search(line)
        printRows()
    }
}
