import CommandLineTools
import Glibc
import JSON
import JSON5
import JokesClient
import JokesCore
import JokesExchange
import JokesProtocol
import Unix

/// The configuration file of the daemon, edited as text.
struct ConfigurationFile {
    /// The absolute path.
    let path: String
    /// The bytes of the file; nil if it does not exist yet.
    private let old: [UInt8]?
    private var editor: JSON5Editor

    private static let newText = """
        // Configuration of jokesd, in JSON5. The manual page jokesd.json(5) describes every key.
        {
        }

        """

    /// Changes the file that the daemon uses, and lets the daemon read it. Other processes that do the same wait. Returns
    /// whether the change has an effect on the text.
    ///
    /// - Throws: `ControlFailure` if the file cannot be read or replaced, or if the daemon refuses the change. The file is
    ///   then as before.
    static func edit(
        _ invocation: Invocation, _ change: (inout ConfigurationFile) throws -> Void
    ) throws -> (file: Self, isChanged: Bool) {
        let lock = try lock(try location(invocation), invocation)
        defer { _ = flock(lock.rawValue, LOCK_UN) }
        var file = try ConfigurationFile(invocation)
        let old = file.editor.text
        try change(&file)
        let isChanged = file.editor.text != old
        if isChanged { try file.save(invocation) }
        return (file, isChanged)
    }

    private static func lock(_ location: ConfigurationMethod.Reply, _ invocation: Invocation) throws -> Descriptor {
        do throws(SystemError) {
            let folder = parentFolder(of: location.path)
            if !location.exists { try makeFolder(folder, mode: 0o755) }
            return try lockedFolder(folder)
        } catch {
            throw failure(error, invocation)
        }
    }

    /// Reads the file that the daemon uses. If there is none, or if it has no sources, the built-in sources are added.
    ///
    /// - Throws: `ControlFailure` if the file cannot be read or, unless `isReadOnly`, replaced.
    init(_ invocation: Invocation, isReadOnly: Bool = false) throws {
        let location = try Self.location(invocation)
        path = location.path
        do {
            old = try location.exists ? LocatedJSON.bytes(ofFile: location.path) : nil
            let bytes = old ?? Array(Self.newText.utf8)
            // For the messages about text that is not UTF-8 or not JSON5.
            _ = try LocatedJSON(bytes, file: location.path)
            editor = try JSON5Editor(String(decoding: bytes, as: UTF8.self))
        } catch let error as ConfigurationError {
            throw ControlFailure(
                message: clause(of: "\(error)"),
                hint: "Fix the file first: jokesd --check-config --config \(shellWord(location.path))", status: .refused
            )
        }
        // Before the daemon fetches a URL, and before the user is asked.
        if !isReadOnly { try write(nil, invocation) }
        if editor.value["sources"] == nil {
            try change { try $0.set("sources", to: location.defaultSources, at: []) }
        }
    }

    private static func location(_ invocation: Invocation) throws -> ConfigurationMethod.Reply {
        let location = try invocation.daemon.call(ConfigurationMethod.self, NoParameters())
        // A text from a daemon must not become a script, such as one in /etc/profile.d.
        if !location.exists && !location.path.hasSuffix("/config.json") {
            throw ControlFailure(
                message: "the daemon has no configuration file: \(location.path) does not exist",
                hint: "Create it yourself: it must be JSON5, such as {}", status: .refused)
        }
        return location
    }

    // MARK: Sources

    /// The names of the sources in the file, in order. A source without a name has an empty one.
    var names: [String] { elements.map { $0["name"]?.string ?? "" } }

    /// Returns the name of the first source with a URL or a path; nil if there is none.
    func name(ofSourceAt place: String) -> String? {
        elements.first { [$0["url"]?.string, $0["path"]?.string].contains(place) }?["name"]?.string
    }

    /// The feeds among the sources, with their names.
    var feeds: [OPML.Feed] {
        let feeds = elements.filter { ["rss", "jsonfeed"].contains($0["type"]?.string) }
        return feeds.compactMap { feed in
            feed["url"]?.string.map { OPML.Feed(title: feed["name"]?.string ?? "", url: $0) }
        }
    }

    private var elements: [LocatedJSON] { editor.value["sources"]?.elements ?? [] }

    /// Returns the text of an entry, with the comments in it.
    func entry(_ index: Int) -> String { editor.source(at: [.key("sources"), .index(index)]) ?? "" }

    /// Returns the position of a source in the list.
    ///
    /// - Throws: `ControlFailure` if there is none.
    func index(of name: String) throws(ControlFailure) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        let isBundled = name == StarterJokes.source
        throw ControlFailure(
            message: isBundled
                ? "source '\(name)' comes with jokesd, so it is not in the configuration"
                : "no source '\(name)' in \(path)",
            hint: nearMiss(of: name, among: names) ?? "Try: jokesctl sources", status: .refused)
    }

    func isEnabled(_ index: Int) -> Bool {
        elements[index]["enabled"]?.value != .bool(false)
    }

    // MARK: Changes

    /// Adds an entry at the end of the list.
    mutating func add(_ entry: String) throws(ControlFailure) {
        try change { try $0.append(entry, to: [.key("sources")]) }
    }

    /// Sets a key of a source to a value in JSON; removes the key if the value is nil.
    mutating func set(_ key: String, to json: String?, _ index: Int) throws(ControlFailure) {
        let entry: JSON5Editor.Path = [.key("sources"), .index(index)]
        let isSet = elements[index][key] != nil
        try change { editor in
            if let json {
                try editor.set(key, to: json, at: entry)
            } else if isSet {
                try editor.remove(at: entry + [.key(key)])
            }
        }
    }

    /// Sets a header of a source; removes it if the value is nil. The names of headers have no case.
    mutating func setHeader(_ name: String, to value: String?, _ index: Int) throws {
        var headers = (elements[index]["headers"]?.members ?? []).filter { $0.key.lowercased() != name.lowercased() }
            .map { ($0.key, $0.value.string ?? "") }
        if let value { headers.append((name, value)) }
        let texts = try headers.map { try "\(JSONEncoding.text(of: $0)): \(JSONEncoding.text(of: $1))" }
        try set("headers", to: texts.isEmpty ? nil : "{ \(texts.joined(separator: ", ")) }", index)
    }

    mutating func remove(_ index: Int) throws(ControlFailure) {
        try change { try $0.remove(at: [.key("sources"), .index(index)]) }
    }

    /// Changes the text.
    ///
    /// - Throws: `ControlFailure` if the result would not have the expected value.
    private mutating func change(_ edit: (inout JSON5Editor) throws -> Void) throws(ControlFailure) {
        do {
            try edit(&editor)
        } catch {
            throw ControlFailure(
                message: "cannot edit \(path) safely", hint: "Change \"sources\" in the file, then reload it.",
                status: .refused)
        }
    }

    /// Writes the file, and lets the daemon read it. If the daemon refuses it, the file is as before.
    private func save(_ invocation: Invocation) throws {
        let new = Array(editor.text.utf8)
        try write(new, invocation)
        let daemon = invocation.daemon
        // The daemon applies the filter to all cached jokes, which may take minutes.
        daemon.timeout = nil
        do throws(ClientError) {
            _ = try daemon.call(ReloadMethod.self, NoParameters())
        } catch {
            guard case .refused(.configurationRefused(let reason, let hint)) = error else {
                var failure = ControlFailure(error)
                failure.hint = "\(path) has the change, but the daemon may not use it yet. Try: jokesctl doctor"
                throw failure
            }
            guard (try? LocatedJSON.bytes(ofFile: path)) == new else {
                throw ControlFailure(
                    message: "the daemon refused \(path): \(clause(of: reason))",
                    hint: "Another program has also changed the file. Fix it: \(hint ?? "jokesctl doctor")",
                    status: .refused)
            }
            if let old { try write(old, invocation) } else { try removeFile(path) }
            // The daemon's status must not show the refused change.
            _ = try? daemon.call(ReloadMethod.self, NoParameters())
            throw ControlFailure(
                message: "the daemon refused the change: \(clause(of: reason))",
                hint: "\(path) is as before." + (hint.map { " \($0)" } ?? ""), status: .refused)
        }
    }

    /// Writes the file. With nil, only checks that the file can be written; creates its folder if there is no file yet.
    private func write(_ bytes: [UInt8]?, _ invocation: Invocation) throws(ControlFailure) {
        do throws(SystemError) {
            if old == nil { try makeFolder(parentFolder(of: path), mode: 0o755) }
            // The user of the system daemon must be able to read a new file.
            let file = try old == nil ? FileReplacement(of: path, mode: 0o644) : FileReplacement(rewriting: path)
            // Without a commit, the file at the path stays.
            guard let bytes else { return }
            try file.write(bytes)
            try file.commit()
        } catch {
            throw Self.failure(error, invocation)
        }
    }

    /// The failure of a change, with the command that has the permission.
    private static func failure(_ error: SystemError, _ invocation: Invocation) -> ControlFailure {
        let isDenied = [EACCES, EPERM].contains(error.code)
        let words = CommandLine.arguments.dropFirst().map(shellWord).joined(separator: " ")
        let used = invocation.daemon.paths.first(where: exists) ?? SocketPath.system
        // sudo has another environment.
        let isGiven = invocation.socket != nil || used == SocketPath.system
        let socket = isGiven ? "" : "--socket \(shellWord(used)) "
        return ControlFailure(
            message: clause(of: "\(error)"), hint: isDenied ? "Try: sudo jokesctl \(socket)\(words)" : nil,
            status: .refused)
    }
}
