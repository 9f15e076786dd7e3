/// An option of a program.
package struct OptionSpecification: Hashable, Sendable {
    /// The long name without dashes, such as `socket`.
    package let name: String
    package let letter: Character?
    /// The name of the argument in the help, such as `PATH`; nil for an option without an argument.
    package let argument: String?
    package let summary: String

    package init(_ name: String, letter: Character? = nil, argument: String? = nil, _ summary: String) {
        self.name = name
        self.letter = letter
        self.argument = argument
        self.summary = summary
    }
}
