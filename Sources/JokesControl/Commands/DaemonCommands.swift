import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import Unix

extension Command {
    static let refresh = Command(
        name: "refresh", group: .daemon, operands: .sources,
        options: [
            CommandOption("force", "Fetch each source from its start, even if it says that nothing has changed.")
        ],
        summary: "Fetch new jokes from sources now",
        notes: """
            Without SOURCE, all enabled sources are refreshed. Each source keeps to its rate limit. refresh waits until
            the sources are done.
            """,
        examples: ["jokesctl refresh", "jokesctl refresh dad jokeapi"]
    ) { invocation in
        let names = invocation.operands.isEmpty ? nil : invocation.operands
        let isForced = invocation.options.contains("force") ? true : nil
        var mustFail = false
        var disabled: String?
        var lines = LiveLines(on: liveArea(of: standardOutput))
        try invocation.daemon.stream(RefreshMethod.self, .init(sources: names, force: isForced)) { reply in
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
        name: "forget", group: .daemon, operands: .removedSource,
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
        name: "status", group: .daemon, summary: "Show daemon status",
        examples: ["jokesctl status", "jokesctl status --json"]
    ) { invocation in
        let status = try invocation.daemon.call(StatusMethod.self, NoParameters())
        try invocation.printer.print(status) { printer in
            let sources = try invocation.daemon.call(SourcesMethod.self, NoParameters()).sources
            try printer.summary(of: status, sources)
        }
        acknowledge(status, invocation)
    }

    /// Acknowledges the recoveries if the output is a terminal: scripts must not hide them from people.
    private static func acknowledge(_ status: StatusMethod.Reply, _ invocation: Invocation) {
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
        let found = try Examination(paths: invocation.daemon.paths).run()
        try invocation.printer.page(found.diagnostics) { try $0.report(found.diagnostics) }
        if !found.isAnswered { throw ExitStatus.unavailable }
        if found.diagnostics.contains(where: { $0.state == .failed }) { throw ExitStatus.refused }
    }
}
