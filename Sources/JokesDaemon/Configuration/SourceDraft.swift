import JSON
import JSON5
import JokesCore
import JokesProtocol
import Varlink

/// The entry of a source that a client wants to add.
struct SourceDraft: Sendable {
    private(set) var entry: SourceEntry
    /// True if the entry has all its keys. Otherwise, `SyncWorker.recognize` completes it from an answer of the server.
    private(set) var isComplete: Bool
    private let names: Names
    /// True if the client has chosen the name.
    private let isNamed: Bool

    /// The names that other sources have.
    struct Names: Sendable {
        let configured: Set<String>
        /// The request signatures of all sources with cached jokes, by their names.
        let cached: [String: String]
    }

    /// Creates the entry that the parameters describe.
    ///
    /// - Throws: `ErrorReply` or `JokesError`, such as `sourceFailed` for an unknown preset.
    init(_ parameters: ProbeMethod.Parameters, _ names: Names) throws {
        (self.names, isNamed) = (names, parameters.name != nil)
        switch (parameters.type, parameters.url, parameters.path) {
        case (nil, let url?, nil): (entry, isComplete) = (SourceEntry(.json, url: url), false)
        case (nil, nil, let path?):
            (entry, isComplete) = (SourceEntry(.fortune), false)
            entry.path = path
        case (let type?, nil, nil):
            guard let preset = SourcePreset.named(type) else {
                throw JokesError.sourceFailed(
                    reason: "there is no preset '\(type)'", hint: "To list the presets: jokesctl source add")
            }
            (entry, isComplete) = (preset.entry, true)
        default: throw ErrorReply.invalidParameter("url")
        }
        if parameters.allowLocalNetwork == true { entry.allowLocalNetwork = true }
        entry.headers = parameters.headers.map { Dictionary($0.map { ($0.name, $0.value) }) { $1 } }
        entry.auth = parameters.auth
        entry.safety = parameters.safety
        entry.name = parameters.name ?? parameters.type ?? ""
        try chooseName(title: nil)
    }

    // MARK: The entry

    /// The entry as JSON for people.
    var text: String {
        // An entry has only texts, numbers and flags.
        (try? JSONEncoding.text(of: entry, .indented)) ?? ""
    }

    /// The entry as the configuration reads it.
    ///
    /// - Throws: `JokesError.sourceFailed` with the first mistake.
    func configuration() throws -> SourceConfiguration {
        do throws(ConfigurationError) {
            let read = try Configuration.parse(Array(#"{"sources": [\#(text)]}"#.utf8), file: "")
            return read.sources[0]
        } catch {
            guard case .invalid(_, let problems) = error, let problem = problems.first else { throw error }
            let key = problem.keyPath.split(separator: ".").dropFirst().joined(separator: ".")
            let isLocal = problem.message.contains("allowLocalNetwork")
            let isSecret = problem.message.hasPrefix("secret in the configuration")
            throw JokesError.sourceFailed(
                reason: (key.isEmpty ? "" : "\(key): ") + problem.message,
                hint: isLocal
                    ? "If you trust the network, use the option --local-network."
                    : isSecret
                        ? "Write it to a file, for example: 'Authorization: Bearer @file:/path/to/token'" : nil)
        }
    }

    /// Returns the draft with the type and the keys of a recognized source, which may have a title.
    ///
    /// - Throws: `JokesError.sourceFailed` if the entry is not valid.
    func completed(with found: SourceEntry, title: String?) throws -> SourceDraft {
        var complete = self
        complete.entry = found
        (complete.entry.url, complete.entry.path) = (found.url ?? entry.url, entry.path)
        (complete.entry.headers, complete.entry.auth) = (entry.headers, entry.auth)
        complete.entry.safety = entry.safety ?? found.safety
        complete.entry.allowLocalNetwork = entry.allowLocalNetwork
        complete.isComplete = true
        complete.entry.name = isNamed ? entry.name : ""
        try complete.chooseName(title: title)
        return complete
    }

    // MARK: The name

    /// Chooses a name that no other source has, unless the client has chosen one. A name is also free if its cached jokes
    /// came from the same requests.
    private mutating func chooseName(title: String?) throws {
        if isNamed {
            _ = try configuration()
            return
        }
        let file = entry.path?.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        let names = [
            entry.name, SourceConfiguration.name(ofURL: entry.url ?? ""),
            SourceConfiguration.name(ofTitle: file ?? title ?? ""),
        ]
        let name = names.first { !$0.isEmpty } ?? "source"
        // One of these names is free: no configuration has that many sources.
        for number in 1...10_000 {
            entry.name = number == 1 ? name : "\(name)-\(number)"
            if self.names.configured.contains(entry.name) { continue }
            let signature = try configuration().requestSignature
            if self.names.cached[entry.name] ?? signature == signature { return }
        }
    }

    /// A remark if the cache has jokes of an earlier source with this name and other requests; nil otherwise.
    var remarkOnName: String? {
        get throws {
            guard let earlier = names.cached[entry.name], earlier != (try configuration().requestSignature) else {
                return nil
            }
            return
                "The cache has jokes of an earlier source '\(entry.name)'. They count as jokes of this source, unless you "
                + "remove them first: jokesctl forget \(entry.name)"
        }
    }
}
