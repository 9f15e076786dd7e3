import JSON
import JSON5
import JokesCore
import JokesProtocol
import Varlink

/// The entry of a source that a client wants to add.
struct SourceDraft: Sendable {
    private(set) var entry: SourceEntry
    /// True if the entry has its type and all keys that the type needs. Otherwise, `SyncWorker.recognize` completes the
    /// entry from an answer of the server.
    private(set) var isComplete: Bool

    /// Creates the entry that the parameters describe. `isTaken` returns true for a name that a source has.
    ///
    /// - Throws: `ErrorReply`, such as `SourceFailed` for a type that cannot be added.
    init(_ parameters: ProbeMethod.Parameters, isTaken: (String) -> Bool) throws {
        switch (parameters.type, parameters.url) {
        case (nil, nil): throw ErrorReply.invalidParameter("url")
        case (nil, let url?): (entry, isComplete) = (SourceEntry(.json, url: url), false)
        case (let type?, let url): (entry, isComplete) = try Self.entry(ofType: type, url: url)
        }
        if parameters.allowLocalNetwork == true { entry.allowLocalNetwork = true }
        entry.safety = parameters.safety
        let name = parameters.name ?? parameters.type ?? Self.name(of: entry.url ?? "")
        entry.name = parameters.name ?? Self.freeName(name, isTaken)
        _ = try configuration()
    }

    private static func entry(ofType type: String, url: String?) throws -> (SourceEntry, isComplete: Bool) {
        let failure = { (reason: String, hint: String) in
            ErrorReply(JokesError.sourceFailed(reason: reason, hint: hint))
        }
        let kind = SourceKind(rawValue: type)
        if let url {
            guard let kind, kind.traits.usesNetwork, !kind.traits.keys.contains("token") else {
                throw failure("type '\(type)' cannot be added with a URL", "Leave out the type to recognize it.")
            }
            return (SourceEntry(kind, url: url), kind != .json)
        }
        if let preset = SourcePreset.named(type) { return (preset.entry, true) }
        switch kind {
        case .json?, .jsonfeed?, .rss?:
            throw failure("type '\(type)' needs an address", "Use the URL of the source instead of the type.")
        case .some:
            throw failure(
                "type '\(type)' has no preset", "Add it to the configuration: see jokesd.json(5).")
        case nil: throw failure("there is no preset '\(type)'", "To list the presets: jokesctl source add")
        }
    }

    // MARK: The entry

    /// The entry as JSON for people.
    var text: String {
        // An entry has only texts, numbers and flags.
        (try? JSONEncoding.text(of: entry, .indented)) ?? ""
    }

    /// The entry as the configuration reads it.
    ///
    /// - Throws: `ErrorReply`: `SourceFailed` with the first mistake.
    func configuration() throws -> SourceConfiguration {
        do throws(ConfigurationError) {
            let read = try Configuration.parse(Array(#"{"sources": [\#(text)]}"#.utf8), file: "")
            return read.sources[0]
        } catch {
            guard case .invalid(_, let problems) = error, let problem = problems.first else { throw error }
            let key = problem.keyPath.split(separator: ".").dropFirst().joined(separator: ".")
            let isLocal = problem.message.contains("allowLocalNetwork")
            throw ErrorReply(
                JokesError.sourceFailed(
                    reason: (key.isEmpty ? "" : "\(key): ") + problem.message,
                    hint: isLocal ? "If you trust the network, use the option --local-network." : nil))
        }
    }

    /// Returns the draft with the type and the keys of a recognized source.
    func completed(with found: SourceEntry) -> SourceDraft {
        var complete = self
        complete.entry = found
        (complete.entry.name, complete.entry.url) = (entry.name, found.url ?? entry.url)
        complete.entry.safety = entry.safety ?? found.safety
        complete.entry.allowLocalNetwork = entry.allowLocalNetwork
        complete.isComplete = true
        return complete
    }

    // MARK: The name

    /// Returns a name for the source of a URL: the main part of its host, such as `example` of
    /// `https://www.example.org/`.
    static func name(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#:".contains($0) }.lowercased()
        let labels = host.split(separator: ".").map {
            $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        }
        // The last label is the top-level domain. A short second-level domain may precede it, as in co.uk.
        let names = labels.dropLast().filter { $0.contains(where: \.isLetter) }
        let name = names.last { $0.count > 3 } ?? names.last ?? ""
        return name.isEmpty ? "source" : String(name.prefix(28))
    }

    private static func freeName(_ name: String, _ isTaken: (String) -> Bool) -> String {
        if !isTaken(name) { return name }
        // One of these names is free: no configuration has that many sources.
        return (2...10_000).lazy.map { "\(name)-\($0)" }.first { !isTaken($0) } ?? name
    }
}
