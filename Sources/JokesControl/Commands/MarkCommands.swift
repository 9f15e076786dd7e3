import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    static let favorite = Command(
        name: "favorite", aliases: ["fav"], group: .marks, operands: .ids(.id),
        options: [
            CommandOption(
                "note", argument: "TEXT", .text, "Set the note of the favorite; an empty TEXT removes the note.")
        ], summary: "Add jokes to the favorites",
        examples: ["jokesctl favorite last", "jokesctl favorite --note 'for Ann' dad:5h"]
    ) { invocation in
        let note = invocation.options["note"].map(Favorite.note)
        if case .some(nil) = note { throw UsageError("the note is longer than \(Favorite.maxNoteLength) characters") }
        try changeInBatches(invocation) { ids in
            try invocation.daemon.call(FavoriteMethod.self, .init(ids: ids, note: note ?? nil)).favorites
        } id: {
            $0.id.rawValue
        } row: {
            try $0.row($1)
        }
    }

    static let unfavorite = Command(
        name: "unfavorite", aliases: ["unfav"], group: .marks, operands: .ids(.favorite),
        summary: "Remove jokes from the favorites",
        examples: ["jokesctl unfavorite last", "jokesctl unfavorite dad:5h"]
    ) { invocation in
        try change(
            UnfavoriteMethod.self, invocation, done: "is no longer a favorite",
            otherwise: "was not a favorite; 'jokesctl favorites' lists all favorites")
    }

    static let hide = Command(
        name: "hide", group: .marks, operands: .ids(.id), summary: "Hide jokes and their duplicates",
        notes: "A duplicate is the same joke from another source. A hidden favorite stays in the list of favorites.",
        examples: ["jokesctl hide last", "jokesctl hide dad:5h dad:7k"]
    ) { invocation in
        try change(
            HideMethod.self, invocation, done: "is hidden", otherwise: "was already hidden",
            next: "To show it again: jokesctl unhide")
    }

    static let unhide = Command(
        name: "unhide", group: .marks, operands: .ids(.hidden), summary: "Show hidden jokes again",
        notes: """
            'jokesctl hidden' lists the hidden jokes. In a shell with completion, Tab completes their IDs. A hidden joke
            that is not cached, or that the filter excludes, needs its full ID.
            """,
        examples: ["jokesctl unhide last", "jokesctl unhide dad:5h"]
    ) { invocation in
        try change(
            UnhideMethod.self, invocation, done: "is shown again",
            otherwise: "was not hidden; the filter decides if it is shown")
    }

    static let undo = Command(
        name: "undo", group: .marks, summary: "Take back the last change of favorites, notes and hidden jokes",
        notes: """
            A change is one favorite, unfavorite, hide or unhide, or a whole import, by jokesctl or by the viewer. Each
            further undo takes back the change before. Jokes that an import has added stay cached.
            """, examples: ["jokesctl undo", "jokesctl undo --json"]
    ) { invocation in
        let daemon = invocation.daemon
        // An undo of a large import takes as long as the import.
        daemon.timeout = nil
        let undone = try daemon.call(UndoMethod.self, NoParameters())
        guard let time = undone.changedAt else {
            throw ControlFailure(message: "nothing to undo", hint: "Try: jokesctl favorites", status: .refused)
        }
        try invocation.printer(shortening: [undone.id].compactMap(\.self)).print(undone) { printer in
            try printer.paragraph("Taken back: \(undone.words), from \(printer.ago(time)).")
            // The filter may exclude the joke.
            let joke = undone.id.flatMap { try? daemon.call(GetMethod.self, .init(id: $0)).joke }
            if let joke { try printer.row(joke) }
        }
    }

    private struct Changed: Encodable {
        let id: String
        let changed: Bool
    }

    /// Makes a change to all jokes, and prints for each if anything was changed. `next` is a command to which the ID is
    /// added.
    private static func change(
        _ method: (some ChangeMethod).Type, _ invocation: Invocation, done: String, otherwise: String,
        next: String? = nil
    ) throws {
        try changeInBatches(invocation) { ids in
            let reply = try invocation.daemon.call(method, JokeIDs(ids: ids))
            return zip(reply.ids, reply.changed).map { Changed(id: $0, changed: $1) }
        } id: {
            $0.id
        } row: { printer, change in
            let id = printer.short(change.id)
            let next = next.map { " \($0) \(shellWord(id))" } ?? ""
            try printer.remark("\(id) \(change.changed ? done : otherwise).\(next)")
        }
    }

    /// Makes a change to all jokes in batches, and prints the changed jokes as one answer. If a batch fails, prints those of
    /// the batches before it and throws the error; the rest is not changed.
    private static func changeInBatches<Change: Encodable>(
        _ invocation: Invocation, _ change: ([String]) throws -> [Change], id: (Change) -> String,
        row: (Printer, Change) throws -> Void
    ) throws {
        var rest = invocation.operands[...]
        var done: [Change] = []
        let result = Result {
            while !rest.isEmpty {
                done += try change(Array(rest.prefix(JokeIDs.maxChanged)))
                rest = rest.dropFirst(JokeIDs.maxChanged)
            }
        }
        if !done.isEmpty {
            try invocation.printer(shortening: done.map(id)).print(done) { printer in
                for change in done { try row(printer, change) }
            }
        }
        try result.get()
    }
}
