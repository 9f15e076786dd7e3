/// A cell of the screen; the top left one is 0, 0.
package struct Position: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}
