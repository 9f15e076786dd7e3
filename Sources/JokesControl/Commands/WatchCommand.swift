import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    private static let sectionNames = JokesCore.Section.ID.allCases.map(\.rawValue).joined(separator: ", ")

    static let watch = Command(
        "watch",
        options: [
            OptionSpecification(
                "query", argument: "WORDS", "What is found for these words, in place of the newest jokes."),
            OptionSpecification("section", argument: "NAMES", "Only these, separated by commas: \(sectionNames)."),
            OptionSpecification("collapsed", argument: "NAMES", "Only the headers of these."),
            OptionSpecification("size", argument: "N", "At most so many jokes, 1 to \(View.largestSize)."),
            OptionSpecification("snapshots", "Print the whole picture after each change, and not what changed."),
        ], "Print what changes, as it changes, until interrupted",
        notes: """
            Text is for people: the jokes that are there, the newest last, and then a line for each that comes, for each star
            set or taken away, and where a source fails. With --json each line is a document for programs, as docs/protocol.md
            has it: {"epoch", "generation", "complete": true, "snapshot"} first, and then {"epoch", "generation", "difference"}; a
            snapshot takes the place of all before it. With --snapshots every line is one.

            A daemon that goes away is waited for, which is said on standard error; where there is none to begin with, the
            exit code is 69. It ends with the reader of its output, with 0, or with a signal.
            """
    ) { invocation in
        let view = try view(invocation)
        let printer = invocation.printer
        let isWhole = invocation.options.contains("snapshots")
        let watch = PictureWatch(paths: invocation.connector.paths, view: view, printingTo: standardOutput)
        var news = PictureNews()
        try watch.run { reason in
            let sentence = ControlFailure(reason).sentence
            try? writeFully("jokesctl: \(harmless(sentence)) Waiting for the daemon.\n", to: standardError)
        } _: { change in
            switch (printer.isJSON, isWhole) {
            case (true, false): try printer.printLine(change.reply) { _ in }
            case (true, true): try printer.printLine(change.reply.whole(change.snapshot)) { _ in }
            case (false, false): try printer.tell(news.take(change.snapshot))
            case (false, true): try printer.show(change.snapshot)
            }
        }
        return ExitStatus.done
    }

    /// What the options ask for; nil for what the daemon chooses.
    private static func view(_ invocation: Invocation) throws -> Wire.View? {
        let query = invocation.options["query"]
        if let query, !(1...1000).contains(query.utf8.count) {
            throw UsageError("The option --query needs 1 to 1000 bytes.")
        }
        let view = Wire.View(
            query: query, sections: try sections("section", invocation),
            size: try invocation.number("size", in: 1...View.largestSize),
            collapsed: try sections("collapsed", invocation))
        return view == Wire.View() ? nil : view
    }

    private static func sections(_ option: String, _ invocation: Invocation) throws -> [String]? {
        guard let text = invocation.options[option] else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = JokesCore.Section.ID.allCases.map(\.rawValue)
        guard let stranger = names.first(where: { !known.contains($0) }) else { return names }
        let meant = nearest(to: stranger, among: known).map { " Did you mean \($0)?" } ?? ""
        throw UsageError("There is no section \(stranger): they are \(sectionNames).\(meant)")
    }
}

extension WatchMethod.Reply {
    /// The same generation with its whole snapshot.
    fileprivate func whole(_ snapshot: JokeSnapshot) -> WatchMethod.Reply {
        var pieces: [Wire.FilledSection] = []
        for piece in Wire.pieces(of: snapshot) { Wire.append(piece, to: &pieces) }
        return WatchMethod.Reply(epoch: epoch, generation: generation, complete: true, snapshot: pieces)
    }
}
