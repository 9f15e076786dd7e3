import JokesClient
import Unix

/// One command of jokesctl. The table of all of them gives parsing and help.
struct Command: Sendable {
    let name: String
    /// What follows the name, for the help: `ID…`.
    let operands: String
    let summary: String
    let options: [OptionSpecification]
    /// What its help says below the options.
    let notes: String
    /// How many operands it takes.
    let operandCount: ClosedRange<Int>
    let run: @Sendable (Invocation) throws -> Int32

    init(
        _ name: String, operands: String = "", count: ClosedRange<Int> = 0...0, options: [OptionSpecification] = [],
        _ summary: String, notes: String = "", run: @escaping @Sendable (Invocation) throws -> Int32
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.options = options
        self.notes = notes
        operandCount = count
        self.run = run
    }
}

/// A command with what was given to it, and the world it acts on.
struct Invocation {
    let command: Command
    let options: CommandLineOptions
    let connector: Connector
    let printer: Printer

    var daemon: JokesConnection {
        get throws(ClientError) { try connector.connection() }
    }

    var operands: [String] {
        options.operands
    }

    /// The option's argument as a number.
    ///
    /// - Throws: `UsageError` where it is none, or outside the range.
    func number(_ option: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = options[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("The option --\(option) needs a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

/// Connects when the first call needs it: what is wrong with the command line is said first.
final class Connector {
    /// Where a daemon is looked for, in this order.
    let paths: [String]
    private var made: JokesConnection?

    init(to paths: [String]) {
        self.paths = paths
    }

    func connection() throws(ClientError) -> JokesConnection {
        if let made { return made }
        let connection = try JokesConnection(to: paths)
        made = connection
        return connection
    }
}

extension Command {
    /// Every command, in the order of the help.
    static let all: [Command] = [
        .random, .list, .show, .search, .favorite, .unfavorite, .favorites, .hide, .unhide, .refresh, .sources, .status,
        .watch, .exportJokes, .importJokes,
    ]
}
