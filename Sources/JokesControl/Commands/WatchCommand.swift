import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    private static let sections = JokesCore.Section.ID.allCases.map(\.rawValue)

    static let watch = Command(
        "watch", .jokes,
        options: [
            CommandOption(
                "query", argument: "WORDS", .text, "What is found for these words, in place of the newest jokes."),
            CommandOption(
                "section", argument: "NAMES", .severalOf(sections, noun: "section"),
                "Only these, separated by commas: \(sections.joinedAsWords("and"))."),
            CommandOption(
                "collapsed", argument: "NAMES", .severalOf(sections, noun: "section"), "Only the headers of these."),
            CommandOption(
                "size", argument: "N", .number(1...View.largestSize), "At most so many jokes, 1 to \(View.largestSize)."
            ),
            CommandOption("snapshots", "Print the whole picture after each change, and not what changed."),
        ] + CommandOption.format, "Print what changes, as it changes, until interrupted",
        notes: """
            Text is for people: the jokes that are there, the newest last, and then a line for each that comes, for each star
            set or taken away, and where a source fails. With --json each line is a document for programs, as docs/protocol.md
            has it: {"epoch", "generation", "complete": true, "snapshot"} first, and then {"epoch", "generation", "difference"}; a
            snapshot takes the place of all before it. With --snapshots every line is one.

            A daemon that goes away is waited for, which is said on standard error; where there is none to begin with, the
            exit code is 69. It ends with the reader of its output, with 0, or with a signal.

            With --format it prints each joke that is there and that comes, and with --section favoriteJokes each that is
            starred. With the formats waybar and i3blocks it prints a line for the bar whenever that shows something else: the
            newest joke, or the best that --query finds. There a daemon that is away is shown, and waited for.

            \(Template.notes)
            """
    ) { invocation in
        let format = try format(invocation)
        if case .bar(let bar) = format { return try watch(invocation, for: bar) }
        let view = try view(invocation)
        let printer = invocation.printer
        let isWhole = invocation.options.contains("snapshots")
        let watch = PictureWatch(paths: invocation.connector.paths, view: view, printingTo: standardOutput)
        var news = PictureNews()
        try watch.run { reason in
            let sentence = ControlFailure(reason).sentence
            try? writeFully("jokesctl: \(harmless(sentence)) Waiting for the daemon.\n", to: standardError)
        } take: { change in
            if let format { return try printer.tell(jokes(in: news.take(change.snapshot), view), as: format) }
            switch (printer.isJSON, isWhole) {
            case (true, false): try printer.printLine(change.reply) { _ in }
            case (true, true): try printer.printLine(change.reply.whole(change.snapshot)) { _ in }
            case (false, false): try printer.tell(news.take(change.snapshot))
            case (false, true): try printer.show(change.snapshot)
            }
        }
        return ExitStatus.done
    }

    private static func format(_ invocation: Invocation) throws(ControlFailure) -> JokeFormat? {
        let format = try invocation.format(BarFormat.allCases)
        if format != nil && invocation.options.contains("snapshots") {
            throw .usage("The options --snapshots and --format exclude each other.", hint: watch.hint)
        }
        return format
    }

    /// The jokes that come; the favorites where nothing else is watched.
    private static func jokes(in news: [PictureNews.Line], _ view: Wire.View?) -> [ToldJoke] {
        news.compactMap { line in
            switch line {
            case .joke(let joke): ToldJoke(joke)
            case .starred(let favorite) where view?.sections == ["favoriteJokes"]: ToldJoke(favorite)
            case .starred, .unstarred, .fails, .works, .offline, .online, .recovered: nil
            }
        }
    }

    /// Watches no more than the bar shows.
    private static func watch(_ invocation: Invocation, for bar: BarFormat) throws -> Int32 {
        if invocation.options.contains("collapsed") {
            throw UsageError("The option --collapsed does not go with --format \(bar.rawValue).")
        }
        var view = try view(invocation) ?? Wire.View()
        view.size = view.size ?? 1
        view.sections = view.sections ?? [view.query == nil ? "jokes" : "searchResults"]
        let watch = PictureWatch(
            paths: invocation.connector.paths, view: view, printingTo: standardOutput, waitsForFirst: true)
        var block = BarBlock(bar, printingTo: invocation.printer.output)
        try watch.run {
            try block.lose($0)
        } found: {
            try block.find()
        } take: {
            try block.show(BarPicture($0.snapshot))
        }
        return ExitStatus.done
    }

    /// What the options ask for; nil for what the daemon chooses.
    private static func view(_ invocation: Invocation) throws -> Wire.View? {
        let query = invocation.options["query"]
        if let query, !(1...View.longestQuery).contains(query.utf8.count) {
            throw UsageError("The option --query needs 1 to \(View.longestQuery) bytes.")
        }
        let sections = names("section", invocation)
        if query == nil && sections == ["searchResults"] {
            throw UsageError("The section searchResults needs the option --query.")
        }
        if query != nil && sections == ["jokes"] {
            throw UsageError("With the option --query there is the section searchResults in the place of jokes.")
        }
        let view = Wire.View(
            query: query, sections: sections,
            size: invocation.number("size"),
            collapsed: names("collapsed", invocation))
        return view == Wire.View() ? nil : view
    }

    private static func names(_ option: String, _ invocation: Invocation) -> [String]? {
        invocation.options[option]?.split(separator: ",").map(String.init)
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
