/// A key as somebody pressed it.
package enum Key: Hashable, Sendable {
    /// A character; letters in the case they were typed in.
    case character(Character)
    /// A letter held with control, in lower case: `.control("x")`.
    case control(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right
    case pageUp, pageDown, home, end
    case function(Int)
}
