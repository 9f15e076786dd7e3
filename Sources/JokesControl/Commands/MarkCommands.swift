import JokesClient
import JokesCore
import JokesProtocol
import Unix

// What people say of jokes: that they keep them, and that they have seen enough of them.

extension Command {
    static let favorite = Command(
        "favorite", .marks, operands: .ids(.id),
        options: [
            CommandOption(
                "note", argument: "TEXT", .text,
                "Set the note of the favorite; an empty TEXT removes the note.")
        ], "Add jokes to the favorites",
        examples: ["jokesctl favorite last", "jokesctl favorite --note 'for Ann' dad:5h"]
    ) { invocation in
        let note = invocation.options["note"].map(Favorite.note)
        if case .some(nil) = note {
            throw UsageError("the note is longer than \(Favorite.longestNote) characters")
        }
        try forEachID(invocation) { id in
            try invocation.daemon.call(
                FavoriteMethod.self, FavoriteMethod.Parameters(id: id, note: note ?? nil)
            ).favorite
        } row: { printer, kept in
            try printer.row(kept.favorite)
        }
        return ExitStatus.done
    }

    static let unfavorite = Command(
        "unfavorite", .marks, operands: .ids(.favorite), "Remove jokes from the favorites",
        examples: ["jokesctl unfavorite last", "jokesctl unfavorite dad:5h"]
    ) { invocation in
        try change(
            UnfavoriteMethod.self, invocation, done: "is no longer a favorite",
            otherwise: "was not a favorite; 'jokesctl favorites' lists all favorites")
    }

    static let hide = Command(
        "hide", .marks, operands: .ids(.id), "Hide jokes and their duplicates",
        notes: "A duplicate is the same joke from another source. A hidden favorite stays in the list of favorites.",
        examples: ["jokesctl hide last", "jokesctl hide dad:5h dad:7k"]
    ) { invocation in
        try change(
            HideMethod.self, invocation, done: "is hidden", otherwise: "was already hidden",
            next: "To show it again: jokesctl unhide")
    }

    static let unhide = Command(
        "unhide", .marks, operands: .ids(.hidden), "Show hidden jokes again",
        notes: "In a shell with completion, Tab completes the IDs of hidden jokes.",
        examples: ["jokesctl unhide last", "jokesctl unhide dad:5h"]
    ) { invocation in
        try change(
            UnhideMethod.self, invocation, done: "is shown again",
            otherwise: "was not hidden; the filter decides if it is shown")
    }

    /// The hint for the ID of a hidden joke that does not exist.
    private static let hiddenHint =
        "'jokesctl list' does not show hidden jokes. Press Tab to complete the ID of a hidden joke: "
        + "jokesctl help completions"

    private struct Changed: Encodable {
        let id: String
        let changed: Bool
    }

    /// Changes a mark of each joke, and says that it did, or that there was nothing to change. The next step, if there is
    /// one, is a command that the ID follows.
    private static func change<Method: JokesMethod>(
        _ method: Method.Type, _ invocation: Invocation, done: String, otherwise: String, next: String? = nil
    ) throws -> Int32 where Method.Parameters == JokeParameters, Method.Reply == ChangedReply {
        try forEachID(invocation) { id in
            // By its own name, which stays when the next joke is told.
            let id =
                id == JokeParameters.last
                ? try invocation.daemon.call(GetMethod.self, JokeParameters(id: id)).joke.joke.id.rawValue : id
            return Changed(id: id, changed: try invocation.daemon.call(method, JokeParameters(id: id)).changed)
        } row: { printer, answer in
            let next = next.map { " \($0) \(shellWord(answer.id))" } ?? ""
            try printer.remark("\(answer.id) \(answer.changed ? done : otherwise).\(next)")
        }
        return ExitStatus.done
    }

    /// Makes a call for each joke, and prints what came of it: to people as it comes, to programs as one list. Where one
    /// fails, those before it are done: their answers are printed all the same, and the failure names them.
    private static func forEachID<Answer: Encodable>(
        _ invocation: Invocation, _ call: (_ id: String) throws -> Answer, row: (Printer, Answer) throws -> Void
    ) throws {
        let printer = invocation.printer
        var answers: [Answer] = []
        var failure: ControlFailure?
        for id in invocation.operands {
            do {
                answers.append(try call(id))
            } catch let error as ClientError {
                failure = ControlFailure(error, socket: invocation.connector.socket)
                if case .refused(.noSuchJoke(id)) = error, id != JokeParameters.last,
                    invocation.command.operands == .ids(.hidden)
                {
                    failure?.hint = hiddenHint
                }
                break
            }
            if !printer.isJSON {
                try row(printer, answers[answers.count - 1])
                try printer.output.flush()
            }
        }
        if printer.isJSON && (failure == nil || !answers.isEmpty) { try printer.print(answers) { _ in } }
        guard var failure else { return }
        if !answers.isEmpty {
            let done = "Done before the error: \(invocation.operands.prefix(answers.count).joined(separator: " "))"
            failure.hint = [failure.hint, done].compactMap(\.self).joined(separator: "\n")
        }
        throw failure
    }
}
