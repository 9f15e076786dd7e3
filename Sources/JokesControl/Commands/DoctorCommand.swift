import JokesProtocol

extension Command {
    static let doctor = Command(
        "doctor", .daemon, "Check the daemon and suggest fixes",
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
        try invocation.printer.page(found.findings) { try $0.report(found.findings) }
        return exitStatus(found.findings, hasStatus: found.status != nil)
    }

    /// What `status --verbose` prints as JSON.
    private struct Diagnosis: Encodable {
        var status: StatusMethod.Reply?
        var findings: [Wire.Finding]
    }

    /// The status, where there is one, and then what `doctor` says.
    static func verboseStatus(_ invocation: Invocation) throws -> Int32 {
        let found = try Examination(paths: invocation.connector.paths, now: invocation.printer.now).run()
        try invocation.printer.page(Diagnosis(status: found.status, findings: found.findings)) { printer in
            if let status = found.status {
                try printer.summary(of: status, found.sources)
                try printer.line()
            }
            try printer.report(found.findings)
        }
        if let status = found.status { acknowledge(status, invocation) }
        return exitStatus(found.findings, hasStatus: found.status != nil)
    }

    private static func exitStatus(_ findings: [Wire.Finding], hasStatus: Bool) -> Int32 {
        guard hasStatus else { return ExitStatus.unavailable }
        return findings.contains { $0.state == .failed } ? ExitStatus.refused : ExitStatus.done
    }
}
