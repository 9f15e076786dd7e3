/// A pressed key.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// A lower-case letter, such as `.control("x")`.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right
    case pageUp, pageDown, home, end
    case function(Int)
}
