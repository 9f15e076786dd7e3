import Unix

// What tells people and their shells how jokesctl is used.

extension Command {
    static let help = Command(
        "help", .usage, operands: .command, "Say how jokesctl, or one of its commands, is used"
    ) { invocation in
        guard let name = invocation.operands.first else { return try say(HelpPage.general) }
        return try say(HelpPage.of(try named(name)))
    }

    /// Prints a text that is ours.
    static func say(_ text: String) throws -> Int32 {
        try writeFully(text + "\n", to: standardOutput)
        return ExitStatus.done
    }
}
