/// One option that a program takes.
package struct OptionSpecification: Hashable, Sendable {
    /// The long name without its dashes, `socket`.
    package let name: String
    /// The letter that stands for it, `s` in `-s`.
    package let letter: Character?
    /// The name of its argument in the help, `PATH`; nil for an option that takes none.
    package let argument: String?
    /// What it is for, in one line of help.
    package let summary: String

    package init(_ name: String, letter: Character? = nil, argument: String? = nil, _ summary: String) {
        self.name = name
        self.letter = letter
        self.argument = argument
        self.summary = summary
    }
}
