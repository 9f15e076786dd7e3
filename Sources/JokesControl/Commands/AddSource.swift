import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Command {
    /// The JSON of `source add`.
    private struct AddedSource: Encodable {
        let file: String
        let added: Bool
        let name, type, entry: String
        let sample: Wire.SourceSample
    }

    /// Runs `source add`: probes the source, shows it, asks, and writes the configuration.
    static func addSource(_ invocation: Invocation) throws {
        guard let word = invocation.operands.first else {
            return try invocation.printer.print(SourcePreset.all.map(Service.init)) { try $0.list(SourcePreset.all) }
        }
        let parameters = try parameters(word, invocation)
        let isDry = invocation.options.contains("dry-run")
        if !isDry { try requireAnswer(invocation) }
        var file = try ConfigurationFile(invocation, isReadOnly: isDry)
        try check(parameters.name, file, invocation)
        let daemon = try invocation.daemon
        // The daemon has its own limits for requests.
        daemon.timeout = nil
        let found = try daemon.call(ProbeMethod.self, parameters)
        let printer = invocation.printer
        func answer(isAdded: Bool) -> AddedSource {
            AddedSource(
                file: file.path, added: isAdded, name: found.name, type: found.type, entry: found.entry,
                sample: found.sample)
        }
        if !printer.isJSON {
            try printer.show(found, in: file.path)
            if let other = parameters.url.flatMap(file.name) {
                try printer.remark("Source '\(other)' already has this URL.")
            }
        }
        if isDry { return try printer.print(answer(isAdded: false)) { _ in } }
        guard try agrees("Add this source?", invocation) else { throw ExitStatus.refused }
        do {
            try file.add(found.entry)
        } catch {
            if !printer.isJSON { try printer.output.flush() }
            throw ControlFailure(
                message: "cannot edit \(file.path) safely", hint: "Add this to \"sources\":\n\(found.entry)",
                status: .refused)
        }
        try file.save(invocation)
        let next = try? daemon.call(SourcesMethod.self, NoParameters()).sources.first { $0.name == found.name }
        try printer.print(answer(isAdded: true)) { printer in
            try printer.paragraph("Source '\(found.name)' added to \(file.path).")
            if let time = next?.nextAttempt {
                let first = printer.until(time)
                try printer.remark("The first sync is \(first).")
            }
        }
    }

    private static func parameters(_ word: String, _ invocation: Invocation) throws -> ProbeMethod.Parameters {
        let options = invocation.options
        let isURL = word.hasPrefix("http://") || word.hasPrefix("https://")
        if !isURL && SourcePreset.named(word) == nil {
            let suggestion =
                nearMiss(of: word, among: SourcePreset.all.map(\.name))
                ?? (word.contains(".") ? "Did you mean 'https://\(word)'?" : nil)
            throw ControlFailure.usage(
                "'\(word)' is neither a URL nor the name of a service",
                hint: [suggestion, presetList].compactMap(\.self).joined(separator: "\n"))
        }
        return ProbeMethod.Parameters(
            url: isURL ? word : nil, type: isURL ? nil : word, name: options["name"] ?? (isURL ? nil : word),
            allowLocalNetwork: options.contains("local-network") ? true : nil,
            safety: options["safety"].flatMap(Safety.init(rawValue:)))
    }

    private static func check(
        _ name: String?, _ file: ConfigurationFile, _ invocation: Invocation
    ) throws(ControlFailure) {
        guard let name else { return }
        guard SourceConfiguration.isName(name) else {
            throw .usage(
                "invalid name '\(name)': use 1 to 32 characters of a-z, 0-9 and -", hint: invocation.command.hint)
        }
        guard file.names.contains(name) else { return }
        let other = (2...10_000).lazy.map { "\(name)-\($0)" }.first { !file.names.contains($0) } ?? name
        throw ControlFailure(
            message: "source '\(name)' already exists in \(file.path)", hint: "Use another name: --name \(other)",
            status: .refused)
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

    /// Prints a source that can be added, and its entry in the configuration.
    fileprivate func show(_ found: ProbeMethod.Reply, in path: String) throws {
        try member("name", found.name)
        try member("type", found.type)
        try sample(found.sample)
        if found.sample.read > 0 && found.sample.unrated == found.sample.read && found.sample.shown == 0 {
            try remark("If you trust the source, use --safety safe to show its jokes.")
        }
        try line()
        try paragraph("The entry in \(path):")
        for text in found.entry.split(separator: "\n") { try line(Line("  \(text)")) }
        try line()
    }

    /// Prints the numbers of a sample, its remarks and its jokes.
    func sample(_ sample: Wire.SourceSample) throws {
        let refused = sample.refused == 0 ? "" : ", \(counted(sample.refused, "item")) refused"
        try member("jokes", "\(sample.read)\(refused)")
        if sample.read > 0 {
            let unrated = sample.unrated == 0 ? "" : ", \(sample.unrated) unrated"
            try member("shown", "\(sample.shown) with the filter in use\(unrated)")
        }
        for note in sample.notes { try remark(note) }
        for joke in sample.jokes {
            try line()
            for part in [joke.joke.content.text.setup, joke.joke.content.text.punchline ?? ""] where !part.isEmpty {
                try paragraph(part, after: Line("  "))
            }
        }
    }
}
