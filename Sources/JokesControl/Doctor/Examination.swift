import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// Examines the daemon from outside, and asks it for its own diagnostics.
struct Examination {
    let paths: [String]

    /// The daemon reads its whole database before it answers, and may wait for a lock: up to 11 s.
    private static let diagnosisTimeout: Duration = .seconds(20)

    /// Returns the diagnostics, and whether the daemon answers.
    ///
    /// - Throws: `ClientError.noAddress` for an invalid address.
    func run() throws(ClientError) -> (diagnostics: [Diagnostic], isAnswered: Bool) {
        let (attempts, connection) = try connect()
        let reached = connection == nil ? nil : attempts.last?.path
        var isAnswered = false
        var ofDaemon: [Diagnostic] = []
        if let connection, let reached {
            do throws(ClientError) {
                ofDaemon = try ask(connection, at: reached)
                isAnswered = true
            } catch {
                ofDaemon = [error.diagnostic(at: reached)]
            }
        }
        let facts = UnitFacts(ofSockets: reached.map { [$0] } ?? paths, isReached: isAnswered)
        let units = facts.diagnostics
        // The advice to start the daemon is given once, below a line that failed.
        let hasAdvice = units.contains { $0.state == .failed && $0.advice != nil }
        let sockets = attempts.map { attempt in
            let isAdvised = ServiceManagerKind(ofSocket: attempt.path) == facts.manager && !hasAdvice
            return attempt.diagnostic(
                isFound: reached != nil, start: isAdvised ? facts.start(ofSocket: attempt.path) : nil)
        }
        return (sockets + units + [timeSyncDiagnostic(isClockSynchronized())] + ofDaemon, isAnswered)
    }

    /// Tries each address, until a service answers.
    private func connect() throws(ClientError) -> ([SocketAttempt], JokesConnection?) {
        var attempts: [SocketAttempt] = []
        for path in paths {
            do throws(ClientError) {
                let connection = JokesConnection(to: [path], timeout: .seconds(10))
                try connection.connect()
                return (attempts + [SocketAttempt(path: path)], connection)
            } catch {
                if case .noAddress = error { throw error }
                attempts.append(SocketAttempt(path: path, error: error))
            }
        }
        return (attempts, nil)
    }

    /// Returns the diagnostics of a daemon that serves.
    private func ask(_ connection: JokesConnection, at path: String) throws(ClientError) -> [Diagnostic] {
        // After a failure no other call is made: each one could start the daemon again.
        let status = try connection.call(StatusMethod.self, NoParameters())
        let diagnostics = [
            Diagnostic(.daemon, .ok, "jokesd \(status.version) answers"),
            versionDiagnostic(ofDaemon: status.version, at: path),
        ]
        connection.timeout = Self.diagnosisTimeout
        do throws(ClientError) {
            return diagnostics + (try connection.call(DiagnoseMethod.self, NoParameters()).diagnostics)
        } catch .unknownError {
            // The daemon lacks the method `Diagnose`, as the diagnostic of its version explains.
            return diagnostics
        } catch {
            return diagnostics + [error.diagnostic(at: path)]
        }
    }
}

/// The diagnostic for the state of the kernel clock. A clock that is not synchronized may still be right.
private func timeSyncDiagnostic(_ isSynchronized: Bool?) -> Diagnostic {
    switch isSynchronized {
    case true?: Diagnostic(.timeSync, .ok, "the clock is synchronized")
    case false?:
        Diagnostic(
            .timeSync, .warning, "the clock is not synchronized",
            advice: "Install a package such as systemd-timesyncd, then: sudo timedatectl set-ntp true")
    case nil: Diagnostic(.timeSync, .ok, "cannot determine if the clock is synchronized")
    }
}
