import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    static let refresh = Command(
        name: "refresh", group: .daemon, operands: .sources, summary: "Fetch new jokes from sources now",
        notes: """
            Without SOURCE, all enabled sources are refreshed. Each source keeps to its rate limit. refresh waits until
            the sources are done.
            """,
        examples: ["jokesctl refresh", "jokesctl refresh dad jokeapi"]
    ) { invocation in
        let names = invocation.operands.isEmpty ? nil : invocation.operands
        var mustFail = false
        var disabled: String?
        var lines = LiveLines(on: liveArea(of: standardOutput))
        try invocation.daemon.stream(RefreshMethod.self, .init(sources: names)) { reply in
            if reply.sources.isEmpty && !invocation.printer.isJSON {
                try invocation.printer.print(reply.sources) {
                    try $0.remark("No source is enabled. 'jokesctl sources' lists all sources.")
                }
            }
            for source in reply.sources {
                mustFail = mustFail || [.tooSoon, .failed].contains(source.state)
                if source.state == .disabled { disabled = disabled ?? source.name }
                try invocation.printer.print(source, onOneLine: true) { try $0.progress(source, in: &lines) }
            }
        }
        if let disabled {
            throw ControlFailure(
                message: "source '\(disabled)' is disabled", hint: "Try: jokesctl source enable \(shellWord(disabled))",
                status: .refused)
        }
        if mustFail { throw ExitStatus.tryLater }
    }

    static let forget = Command(
        name: "forget", group: .daemon, operands: .source,
        summary: "Remove the cached jokes of a source that is no longer configured",
        notes: """
            If a source is removed from the configuration, its jokes stay in the cache, but are not shown. forget removes
            them. Favorites stay. 'jokesctl doctor' lists such sources.
            """,
        examples: ["jokesctl forget oldfeed", "jokesctl forget --json oldfeed"]
    ) { invocation in
        let name = invocation.operands[0]
        let reply = try invocation.daemon.call(ForgetMethod.self, .init(source: name))
        try invocation.printer.print(reply) { printer in
            try printer.remark("\(counted(reply.removed, "joke")) of '\(name)' removed.")
        }
    }

    static let sources = Command(
        name: "sources", group: .daemon, summary: "Show the status of each source",
        examples: ["jokesctl sources", "jokesctl sources --json"]
    ) { invocation in
        let sources = try invocation.daemon.call(SourcesMethod.self, NoParameters()).sources
        try invocation.printer.page(sources) { try $0.table(of: sources) }
    }

    static let status = Command(
        name: "status", group: .daemon,
        options: [CommandOption("verbose", letter: "v", "Also run the checks of doctor, and return its exit code.")],
        summary: "Show daemon status", examples: ["jokesctl status", "jokesctl status --verbose"]
    ) { invocation in
        if invocation.options.contains("verbose") { return try verboseStatus(invocation) }
        let status = try invocation.daemon.call(StatusMethod.self, NoParameters())
        try invocation.printer.print(status) { printer in
            let sources = try invocation.daemon.call(SourcesMethod.self, NoParameters()).sources
            try printer.summary(of: status, sources)
        }
        acknowledge(status, invocation)
    }

    /// Acknowledges the recoveries if the output is a terminal: scripts must not hide them from people.
    static func acknowledge(_ status: StatusMethod.Reply, _ invocation: Invocation) {
        guard let last = status.recoveries.map(\.at).max(), !invocation.printer.isJSON, isTerminal(standardOutput)
        else { return }
        // After a failure, the recoveries are shown again.
        _ = try? invocation.daemon.call(AcknowledgeRecoveriesMethod.self, .init(until: last))
    }

    static let doctor = Command(
        name: "doctor", group: .daemon, summary: "Check the daemon and suggest fixes",
        notes: """
            Each check is ok, warning or failed. With a warning, jokesd works, but not as well as it could. The
            suggested fixes follow the check.

            doctor also works without a daemon. doctor sends no request to a source; it reports the last sync of each
            source.

            The exit code is 0 if no check failed, 1 if a check failed, and 69 if the daemon does not answer.
            """,
        examples: ["jokesctl doctor", "jokesctl doctor --socket /run/jokesd/jokesd.sock"]
    ) { invocation in
        let found = try Examination(paths: invocation.connector.paths, now: invocation.printer.now).run()
        try invocation.printer.page(found.diagnostics) { try $0.report(found.diagnostics) }
        try throwStatus(found.diagnostics, hasStatus: found.status != nil)
    }

    /// The JSON of `status --verbose`.
    private struct Diagnosis: Encodable {
        var status: StatusMethod.Reply?
        var diagnostics: [Wire.Diagnostic]
    }

    /// Prints the status, if there is one, and the diagnostics of `doctor`.
    static func verboseStatus(_ invocation: Invocation) throws {
        let found = try Examination(paths: invocation.connector.paths, now: invocation.printer.now).run()
        try invocation.printer.page(Diagnosis(status: found.status, diagnostics: found.diagnostics)) { printer in
            if let status = found.status {
                try printer.summary(of: status, found.sources)
                try printer.line()
            }
            try printer.report(found.diagnostics)
        }
        if let status = found.status { acknowledge(status, invocation) }
        try throwStatus(found.diagnostics, hasStatus: found.status != nil)
    }

    /// Ends the program with the exit code for the diagnostics, unless it is 0.
    private static func throwStatus(_ diagnostics: [Wire.Diagnostic], hasStatus: Bool) throws(ExitStatus) {
        if !hasStatus { throw .unavailable }
        if diagnostics.contains(where: { $0.state == .failed }) { throw .refused }
    }
}
