import CommandLineTools
import JokesClient
import JokesCore
import JokesExchange
import JokesProtocol
import TextLayout
import Unix

extension Command {
    private static let formats = ExportFormat.allCases.map(\.rawValue) + [opml]
    /// The format of a list of feeds.
    private static let opml = "opml"
    private static let importFormats = ExportFormat.importable.map(\.rawValue)

    static let exportJokes = Command(
        name: "export", group: .files,
        options: [
            CommandOption(
                "format", argument: "FORMAT", .oneOf(formats), "\(formats.joinedAsWords("or")) (default: json)."),
            CommandOption("all", "Also export all shown jokes, as list prints them."),
            CommandOption("excluded", "Also export the jokes and favorites that the filter excludes."),
            CommandOption("notes", "Keep your notes in jsonfeed, html and text. The format json always has them."),
            CommandOption(
                "output", letter: "o", argument: "FILE", .file,
                "Write to FILE (default: -, standard output). With fortune, also write the index FILE.dat."),
        ], summary: "Export favorites to a file or to standard output",
        notes: """
            The format json is a backup: it keeps favorites, notes and hidden jokes. The other formats are for other people
            and programs: they have no notes without --notes, and no favorites that the filter excludes without --excluded.
            jsonfeed keeps favorites; fortune keeps only the texts.

            opml is the list of your feeds for feed readers, without their secrets and without jokes; 'jokesctl source add'
            reads it.

            The formats html and text cannot be imported. html is one page that needs no other file: it can be searched
            and printed. text is plain text, whose lines are not wrapped.
            """,
        examples: ["jokesctl export --output favorites.json", "jokesctl export --format html --output favorites.html"]
    ) { invocation in
        if invocation.options["format"] == opml { return try exportFeeds(invocation) }
        let format = invocation.options["format"].flatMap { ExportFormat(rawValue: $0) } ?? .json
        if invocation.printer.isJSON && format != .json {
            throw UsageError("options '--json' and '--format \(format.rawValue)' cannot be used together")
        }
        let all = invocation.options.contains("all")
        let excluded = invocation.options.contains("excluded")
        // The native format is a backup; the other formats are for readers.
        let isFiltered = format != .json && !excluded
        let hasNotes = format == .json || invocation.options.contains("notes")
        let daemon = invocation.daemon
        try daemon.connect()
        let output = try ExportOutput(to: invocation.options["output"], hasIndex: format == .fortune)
        var writer = format.writer(holdsJokes: all || excluded)
        try output.write(writer.begin())
        var cursor: String?
        repeat {
            let page = try daemon.call(
                ExportMethod.self, .init(all: all, excluded: excluded, filtered: isFiltered, cursor: cursor))
            for record in page.records {
                try output.writeRecord(try writer.text(of: hasNotes ? record : record.withoutNote))
            }
            cursor = page.next
        } while cursor != nil
        try output.write(writer.end())
        try output.finish()
        if isFiltered { try reportLeftOut(daemon) }
    }

    private static func exportFeeds(_ invocation: Invocation) throws {
        let feeds = try ConfigurationFile(invocation, isReadOnly: true).feeds
        let output = try ExportOutput(to: invocation.options["output"], hasIndex: false)
        try output.write(OPML.text(of: feeds))
        try output.finish()
    }

    /// Prints the number of favorites that a filtered export does not have.
    private static func reportLeftOut(_ daemon: JokesConnection) throws {
        // The export is complete even if this call fails.
        let excluded = (try? daemon.call(StatusMethod.self, NoParameters()))?.excludedFavorites ?? 0
        guard excluded > 0 else { return }
        let which =
            excluded == 1
            ? "1 favorite was not exported: the filter excludes it"
            : "\(excluded) favorites were not exported: the filter excludes them"
        try writeFully("jokesctl: \(which); --excluded exports all favorites\n", to: standardError)
    }

    static let importJokes = Command(
        name: "import", group: .files, operands: .file,
        options: [
            CommandOption(
                "format", argument: "FORMAT", .oneOf(importFormats),
                "\(importFormats.joinedAsWords("or")) (default: detected from the file)."),
            CommandOption("favorites", "Make the jokes of any fortune file favorites."),
            CommandOption("dry-run", "Print what the import would add, but store nothing."),
            CommandOption("yes", letter: "y", "Do not ask before more than \(maxUnasked) favorites are added."),
        ], summary: "Import favorites and jokes from a file",
        notes: """
            If FILE is -, import reads standard input. A file is imported as a whole or not at all; 'jokesctl undo' takes
            the favorites back. A fortune file that jokesctl did not write becomes a source, as with 'jokesctl source
            add FILE'. Jokes from a feed that jokesctl did not write become favorites. They are unrated: a filter
            with "safe": true does not show them.
            """,
        examples: ["jokesctl import --dry-run favorites.json", "jokesctl import --favorites fortunes"]
    ) { invocation in
        let name = invocation.operands[0]
        let format = invocation.options["format"].flatMap { ExportFormat(rawValue: $0) }
        let content = try refusing(name) { try bytes(of: name) }
        let file = try refusing(name, hint: format == nil && !content.isEmpty ? fortuneHint : nil) {
            try ImportFile(content, format: format, now: invocation.printer.now)
        }
        let isDry = invocation.options.contains("dry-run")
        if file.isForeignFortune && !invocation.options.contains("favorites") {
            let what = "\(quoted(name)) is a fortune file that jokesctl did not write"
            let next = "To make all its jokes favorites, use --favorites."
            guard name != "-", isDry || invocation.options.contains("yes") || isTerminal(standardInput) else {
                let source =
                    name == "-" ? "" : "To read its jokes as a source: jokesctl source add \(shellWord(name)). "
                throw ControlFailure(message: what, hint: source + next, status: .refused)
            }
            try writeFully(sanitizedLines("jokesctl: \(what), so it becomes a source. \(next)\n"), to: standardError)
            return try addSource(invocation, path: absolutePath(name))
        }
        if !isDry && !invocation.options.contains("yes") && name != "-" && isTerminal(standardInput) {
            let new = try refusing(name) { try upload(file, to: invocation, isDryRun: true) }.newFavorites
            let question = "The import adds \(new) favorites. Continue?"
            if try new > maxUnasked && !agrees(question, invocation) { throw ExitStatus.refused }
        }
        let report = try refusing(name) { try upload(file, to: invocation, isDryRun: isDry) }
        try invocation.printer.print(report) { printer in
            try printer.summary(of: report)
            if isDry { try printer.remark("This was a dry run: nothing was imported.") }
        }
    }

    // MARK: Import

    /// The maximum number of favorites that an import adds without a question.
    private static let maxUnasked = 20

    private static func quoted(_ name: String) -> String { name == "-" ? "standard input" : "'\(name)'" }

    /// The maximum size of a file, in bytes. An import needs a small multiple of the size of its file
    /// in memory.
    private static let maxFileBytes = 256 << 20

    private static func bytes(of name: String) throws -> [UInt8] {
        name == "-"
            ? try contents(of: standardInput, "standard input", limit: maxFileBytes)
            : try contentsOfFile(name, limit: maxFileBytes)
    }

    /// The hint for a file whose format was not given.
    private static let fortuneHint = "For a fortune file, use --format fortune."

    /// Turns errors about a file into messages. A file is imported as a whole or not at all.
    private static func refusing<Result>(
        _ name: String, hint: String? = nil, _ body: () throws -> Result
    ) throws -> Result {
        let nothing = ["Nothing was imported.", hint].compactMap(\.self).joined(separator: " ")
        do {
            return try body()
        } catch let problem as ImportProblem {
            throw ControlFailure(
                message: clause(of: "cannot import \(quoted(name)): \(problem)"), hint: nothing, status: .refused)
        } catch let error as SystemError {
            throw ControlFailure(message: clause(of: "\(error)"), hint: nothing, status: .refused)
        }
    }

    /// Checks the whole file before the first piece is sent. The daemon imports all pieces after the last one.
    private static func upload(
        _ file: ImportFile, to invocation: Invocation, isDryRun: Bool
    ) throws -> ImportReport {
        try file.forEachRecord { _ in }
        let daemon = invocation.daemon
        let maxPieceBytes = 96 << 10
        var id: String?
        var piece: [ExchangeRecord] = []
        var bytes = 0
        try file.forEachRecord { record in
            if bytes > maxPieceBytes {
                id = try daemon.call(ImportMethod.self, .init(id: id, piece, isLast: false)).id
                (piece, bytes) = ([], 0)
            }
            piece.append(record)
            bytes += record.estimatedBytes
        }
        // The import may take any time, depending on the disk.
        daemon.timeout = nil
        let reply = try daemon.call(ImportMethod.self, .init(id: id, piece, isLast: true, isDryRun: isDryRun))
        guard let report = reply.report else {
            throw ClientError.broken(reason: "The daemon did not report the result of the import.")
        }
        return report
    }
}

extension Printer {
    fileprivate func summary(of report: ImportReport) throws {
        let lists = [
            ("favorites", report.newFavorites, report.changedFavorites, report.knownFavorites),
            ("hidden", report.newHidden, 0, report.knownHidden), ("jokes", report.newJokes, 0, report.knownJokes),
        ]
        for (name, new, changed, known) in lists where name == "favorites" || new + known > 0 {
            let changes = changed == 0 ? "" : ", \(changed) with a note added"
            try member(name, "\(new) new\(changes), \(known) already there")
        }
        if lists.allSatisfy({ $0.1 + $0.3 == 0 }) {
            try remark("The file has nothing to import. 'jokesctl export' writes files for import.")
        }
        if report.excluded > 0 {
            try remark("The filter excludes \(report.excluded) of the new favorites and jokes: stored, but not shown.")
        }
    }
}

extension ExchangeRecord {
    fileprivate var withoutNote: ExchangeRecord {
        guard case .favorite(var favorite) = self else { return self }
        favorite.note = nil
        return .favorite(favorite)
    }
}
