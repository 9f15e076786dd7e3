import CommandLineTools
import JSON
import JSON5
import JokesClient
import JokesCore
import JokesExchange
import JokesProtocol
import TextLayout
import Unix

extension Command {
    /// The JSON of `source add`.
    private struct AddedSource: Encodable {
        let file: String
        let added: Bool
        let name, type, entry: String
        let sample: SourceSample
    }

    /// Runs `source add`: probes the source, shows it, asks, and writes the configuration.
    ///
    /// `path` is a file in place of the operand, whose words may also be the name of a service.
    static func addSource(_ invocation: Invocation, path: String? = nil) throws {
        guard let word = path ?? invocation.operands.first else {
            return try invocation.printer.print(SourcePreset.all.map(Service.init)) { try $0.list(SourcePreset.all) }
        }
        let parameters = try parameters(word, invocation)
        if let path = parameters.path, let feeds = feeds(inFile: path) {
            return try add(feeds, from: path, invocation)
        }
        let (options, printer) = (invocation.options, invocation.printer)
        let isDry = options.contains("dry-run")
        if !isDry { try requireAnswer(invocation) }
        let file = try ConfigurationFile(invocation, isReadOnly: isDry)
        try check(parameters.name, file)
        if let place = parameters.url ?? parameters.path, let other = file.name(ofSourceAt: place) {
            throw ControlFailure(
                message: "source '\(other)' already has this address",
                hint: "To change it: jokesctl source set \(shellWord(other))", status: .refused)
        }
        let daemon = invocation.daemon
        // The daemon has its own limits for requests.
        daemon.timeout = nil
        let found = try daemon.call(ProbeMethod.self, parameters)
        var entry = try JSON5Editor(found.entry)
        let isUnrated = found.sample.unrated > 0 && found.sample.shown < found.sample.read && parameters.safety == nil
        if !printer.isJSON { try printer.show(found, isDry: isDry) }
        if isUnrated && !isDry && !options.contains("yes"), try answers("Show these without a rating?", invocation) {
            try entry.set("safety", to: #""safe""#, at: [])
        }
        if !printer.isJSON {
            try printer.show(entry.text, in: file.path)
            try printer.line()
        }
        func answer(isAdded: Bool) -> AddedSource {
            AddedSource(
                file: file.path, added: isAdded, name: found.name, type: found.type, entry: entry.text,
                sample: found.sample)
        }
        if isDry { return try printer.print(answer(isAdded: false)) { _ in } }
        try add([entry.text], if: "Add this source?", invocation)
        let next = try? daemon.call(SourcesMethod.self, NoParameters()).sources.first { $0.name == found.name }
        try printer.print(answer(isAdded: true)) { printer in
            try printer.paragraph("Source '\(found.name)' added to \(file.path).")
            if let time = next?.nextAttempt { try printer.remark("The first sync is \(printer.until(time)).") }
            if isUnrated && entry.value["safety"] == nil {
                try printer.remark(
                    "The filter does not show its unrated jokes. If you trust the source: jokesctl source set "
                        + "\(found.name) --safety safe")
            }
        }
    }

    /// Adds entries to the configuration if the user agrees; otherwise ends the command.
    private static func add(_ entries: [String], if question: String, _ invocation: Invocation) throws {
        guard try agrees(question, invocation) else { throw ExitStatus.refused }
        // The printed entry helps if the file cannot be edited.
        try invocation.printer.output.flush()
        _ = try ConfigurationFile.edit(invocation) { file in
            for entry in entries { try file.add(entry) }
        }
    }

    // MARK: Places

    /// Returns the request for the place that the operand names.
    private static func parameters(_ word: String, _ invocation: Invocation) throws -> ProbeMethod.Parameters {
        let options = invocation.options
        let headers = try options.all("header").map { text in
            let (name, value) = try headerField(text, invocation)
            return ProbeMethod.Header(name: name, value: value)
        }
        var parameters = ProbeMethod.Parameters(
            name: options["name"], headers: headers.isEmpty ? nil : headers, auth: options["auth"],
            allowLocalNetwork: options.contains("local-network") ? true : nil,
            safety: options["safety"].flatMap(Safety.init(rawValue:)))
        if let url = webAddress(word) {
            parameters.url = url
        } else if SourcePreset.named(word) != nil {
            (parameters.type, parameters.name) = (word, options["name"] ?? word)
        } else {
            parameters.path = try path(word)
        }
        return parameters
    }

    /// Returns an http or https URL. Browsers and feed readers also give feeds addresses such as feed://example.org and
    /// feed:https://example.org. Nil for other words.
    private static func webAddress(_ word: String) -> String? {
        let url =
            word.hasPrefix("feed://")
            ? "https" + word.dropFirst(4) : word.hasPrefix("feed:") ? String(word.dropFirst(5)) : word
        return url.hasPrefix("http://") || url.hasPrefix("https://") ? url : nil
    }

    /// Returns the absolute path of a file.
    private static func path(_ word: String) throws -> String {
        // A shell does not expand it within quotes.
        let isInHome = word.hasPrefix("~/")
        let path = absolutePath(isInHome ? (environment("HOME") ?? "~") + word.dropFirst() : word)
        if !word.isEmpty && exists(path) { return path }
        let isURL = word.prefix { $0 != "/" }.contains(".") && !word.hasPrefix(".")
        let suggestion =
            nearMiss(of: word, among: SourcePreset.all.map(\.name)) ?? (isURL ? "Did you mean 'https://\(word)'?" : nil)
        if word.contains("/") {
            throw UsageError("there is no file \(path)", suggestion: suggestion)
        }
        throw ControlFailure.usage(
            "'\(word)' is neither a URL, a file nor the name of a service",
            hint: [suggestion, presetList].compactMap(\.self).joined(separator: "\n"))
    }

    // MARK: Lists of feeds

    /// The maximum size of a list of feeds in bytes.
    private static let maxListSize = 8 << 20

    private static func feeds(inFile path: String) -> [OPML.Feed]? {
        (try? contentsOfFile(path, limit: maxListSize)).flatMap(OPML.feeds)
    }

    /// The JSON of `source add` for a list of feeds.
    private struct AddedFeeds: Encodable {
        let file: String
        let added: Bool
        let sources: [AddedFeed]
    }

    private struct AddedFeed: Encodable {
        let name: String
        let url: String?
    }

    /// Adds the feeds of a list that are not configured. They are not fetched: the daemon syncs them as their servers
    /// allow.
    private static func add(_ feeds: [OPML.Feed], from path: String, _ invocation: Invocation) throws {
        let (options, printer) = (invocation.options, invocation.printer)
        for option in ["name", "header", "auth"] where options.contains(option) {
            throw ControlFailure.usage(
                "option '--\(option)' does not apply to a list of feeds", hint: "Use it with: jokesctl source set")
        }
        let isDry = options.contains("dry-run")
        if !isDry { try requireAnswer(invocation) }
        let file = try ConfigurationFile(invocation, isReadOnly: isDry)
        var entries: [SourceEntry] = []
        for feed in feeds {
            let isLocal = options.contains("local-network")
            guard var url = webAddress(feed.url), !url.contains(where: \.isWhitespace) else { continue }
            if url.hasPrefix("http://") && !isLocal { url = "https" + url.dropFirst(4) }
            // A password in the URL would be in the configuration.
            let hasPassword = url.split(separator: "/").dropFirst().first?.contains("@") == true
            let isKnown = file.name(ofSourceAt: url) != nil || entries.contains { $0.url == url }
            if hasPassword || isKnown { continue }
            let given = [SourceConfiguration.name(ofTitle: feed.title), SourceConfiguration.name(ofURL: url), "feed"]
            let name = given.first { !$0.isEmpty } ?? "feed"
            var entry = SourceEntry(.rss, url: url)
            entry.name = freeName(name, excluding: file.names + entries.map(\.name))
            entry.allowLocalNetwork = isLocal ? true : nil
            entry.safety = options["safety"]
            entries.append(entry)
        }
        let left = feeds.count - entries.count
        let rest = left == 0 ? "" : "; \(left) left out: already configured, not on the web, or with a password"
        if !printer.isJSON {
            for entry in entries { try printer.paragraph(entry.url ?? "", after: Line("\(entry.name)  ", .bold)) }
            try printer.paragraph("\(counted(entries.count, "new feed")) in \(path)\(rest).")
        }
        func report(isAdded: Bool) throws {
            let sources = entries.map { AddedFeed(name: $0.name, url: $0.url) }
            try printer.print(AddedFeeds(file: file.path, added: isAdded, sources: sources)) { printer in
                guard isAdded else { return }
                try printer.paragraph("\(counted(entries.count, "source")) added to \(file.path).")
                if entries.allSatisfy({ $0.safety == nil }) {
                    try printer.remark(
                        "If you trust a feed that has no ratings: jokesctl source set NAME --safety safe")
                }
            }
        }
        if isDry || entries.isEmpty { return try report(isAdded: false) }
        let isAsked = options["safety"] == nil && !options.contains("yes")
        if isAsked, try answers("Show their jokes without a rating?", invocation) {
            for index in entries.indices { entries[index].safety = Safety.safe.rawValue }
        }
        let texts = try entries.map { try JSONEncoding.text(of: $0, .indented) }
        try add(texts, if: "Add \(entries.count == 1 ? "it" : "them")?", invocation)
        try report(isAdded: true)
    }

    private static func freeName(_ name: String, excluding others: [String]) -> String {
        if !others.contains(name) { return name }
        return (2...10_000).lazy.map { "\(name)-\($0)" }.first { !others.contains($0) } ?? name
    }

    // MARK: Checks

    /// Throws if the name is not valid, or another source has it.
    static func check(_ name: String?, _ file: ConfigurationFile) throws {
        guard let name else { return }
        guard SourceConfiguration.isName(name) else {
            throw UsageError("invalid name '\(name)': use 1 to 32 characters of a-z, 0-9 and -")
        }
        guard file.names.contains(name) else { return }
        throw ControlFailure(
            message: "source '\(name)' already exists in \(file.path)",
            hint: "Use another name, such as \(freeName(name, excluding: file.names))", status: .refused)
    }

    // MARK: Presets

    /// A service in the JSON of `source add` without an operand.
    private struct Service: Encodable {
        let name, summary: String

        init(_ preset: SourcePreset) { (name, summary) = (preset.name, preset.summary) }
    }

    private static var presetList: String {
        "Services that need no key:\n" + helpTable(SourcePreset.all.map { ($0.name, $0.summary) })
    }
}

extension Printer {
    fileprivate func list(_ presets: [SourcePreset]) throws {
        let columns = presets.map(\.name.columns).max() ?? 0
        for preset in presets {
            try paragraph(preset.summary, after: Line(preset.name, .bold).padded(to: columns + 2))
        }
        try remark("To add one of them: jokesctl source add NAME. You can also add the URL of a feed or of JSON.")
    }

    /// Prints a source that can be added.
    fileprivate func show(_ found: ProbeMethod.Reply, isDry: Bool) throws {
        try member("name", found.name)
        try member("type", found.type)
        try sample(found.sample)
        if isDry && found.sample.read > 0 && found.sample.unrated == found.sample.read && found.sample.shown == 0 {
            try remark("If you trust the source, use --safety safe to show its jokes.")
        }
        try line()
    }

    /// Prints an entry of the configuration.
    func show(_ entry: String, in path: String) throws {
        try paragraph("The entry in \(path):")
        for text in entry.split(separator: "\n") { try line(Line("  \(text)")) }
    }

    /// Prints the numbers of a sample, its remarks and its jokes.
    func sample(_ sample: SourceSample) throws {
        try member("sample", sample.inWords)
        for remark in sample.notes { try self.remark(remark) }
        for joke in sample.jokes {
            try line()
            for part in [joke.content.text.setup, joke.content.text.punchline ?? ""] where !part.isEmpty {
                try paragraph(part, after: Line("  "))
            }
        }
    }
}
