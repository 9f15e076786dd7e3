import JokesProtocol

extension Command {
    static let doctor = Command(
        "doctor", .daemon, "Look for what is wrong with the daemon, and say what to do",
        notes: """
            Each line is ok, a warning, where all works but not as well as it might, or failed; below it is what to do. It works
            without a daemon, too. No source is asked: what its last attempt found is told.

            The exit code is 0 where nothing failed, 1 where something did, and 69 where the daemon does not answer.
            """
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
