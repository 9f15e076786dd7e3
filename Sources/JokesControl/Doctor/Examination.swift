import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// Examines the daemon from outside, and asks it for its own diagnostics.
struct Examination {
    let paths: [String]

    /// The daemon reads its whole database before it answers, and may wait for a lock: up to 11 s.
    private static let diagnosisTimeout: Duration = .seconds(20)
    private static let programTimeout: Duration = .seconds(3)

    /// Returns the diagnostics, and whether the daemon answers.
    ///
    /// - Throws: `ClientError.noAddress` for an invalid address.
    func run() throws(ClientError) -> (diagnostics: [Diagnostic], isAnswered: Bool) {
        let (attempts, connection) = try connect()
        let reached = attempts.last?.error == nil ? attempts.last?.path : nil
        var answers: DaemonAnswers?
        var ofDaemon: [Diagnostic] = []
        if let connection, let reached {
            do throws(ClientError) {
                answers = try ask(connection, at: reached)
                ofDaemon = answers?.diagnostics ?? []
            } catch {
                ofDaemon = [error.diagnostic(at: reached)]
            }
        } else {
            ofDaemon = withoutDaemon()
        }
        let managers = (reached.map { [$0] } ?? paths).compactMap { ServiceManagerKind(ofSocket: $0) }
        let facts = UnitFacts(
            answers: managers.map { ($0, $0.units(within: Self.programTimeout)) }, isReached: answers != nil)
        let units = facts.diagnostics
        // The advice to start the daemon is given once, below a line that failed.
        let hasAdvice = units.contains { $0.state == .failed && $0.advice != nil }
        let advised =
            attempts.first { attempt in
                facts.units(of: ServiceManagerKind(ofSocket: attempt.path)).contains(where: \.isUsed)
            } ?? attempts.first
        let sockets = attempts.map { attempt in
            let isAdvised = attempt.path == advised?.path && !hasAdvice
            return attempt.diagnostic(
                isFound: reached != nil, start: isAdvised ? facts.start(ofSocket: attempt.path) : nil)
        }
        let diagnostics = sockets + units + [timeSyncDiagnostic(isClockSynchronized())] + ofDaemon
        return (diagnostics, answers != nil)
    }

    /// Tries each address, until a service answers.
    private func connect() throws(ClientError) -> ([SocketAttempt], JokesConnection?) {
        var attempts: [SocketAttempt] = []
        for path in paths {
            do throws(ClientError) {
                let connection = try JokesConnection(to: [path], timeout: .seconds(10))
                return (attempts + [SocketAttempt(path: path)], connection)
            } catch {
                if case .noAddress = error { throw error }
                attempts.append(SocketAttempt(path: path, error: error))
            }
        }
        return (attempts, nil)
    }

    private func ask(_ connection: JokesConnection, at path: String) throws(ClientError) -> DaemonAnswers {
        // After a failure no other call is made: each one could start the daemon again.
        let status = try connection.call(StatusMethod.self, NoParameters())
        connection.timeout = Self.diagnosisTimeout
        let diagnosis = Result { () throws(ClientError) in
            try connection.call(DiagnoseMethod.self, NoParameters()).diagnostics
        }
        return DaemonAnswers(status: status, diagnosis: diagnosis, path: path)
    }

    // MARK: Without a daemon

    /// The problems that would keep a daemon from starting, as far as this user can see them.
    private func withoutDaemon() -> [Diagnostic] {
        let managers = paths.compactMap { ServiceManagerKind(ofSocket: $0) }
        let systemConfiguration = "/etc/jokesd/config.json"
        if managers.contains(.user) {
            return [configurationDiagnostic([]), diskDiagnostic].compactMap(\.self)
        }
        guard managers.contains(.system), exists(systemConfiguration) else { return [] }
        return [configurationDiagnostic(["--config", systemConfiguration])].compactMap(\.self)
    }

    /// Runs `--check-config` of the jokesd beside this program, or else of the one in PATH. Nil if it cannot be run.
    private func configurationDiagnostic(_ options: [String]) -> Diagnostic? {
        let beside = ownProgram().map { "\(parentFolder(of: $0))/jokesd" }
        let program = beside.flatMap { exists($0) ? $0 : nil } ?? "jokesd"
        let answer = try? ChildProgram(program, options + ["--check-config"]).answer(
            within: Self.programTimeout, withErrors: true)
        guard case .ended(let status?, let output)? = answer, let first = output.split(separator: "\n").first
        else { return nil }
        let words = String(first.hasPrefix("jokesd: ") ? first.dropFirst("jokesd: ".count) : first)
        if status == 0 { return Diagnostic(.configuration, .ok, words) }
        return Diagnostic(
            .configuration, .failed, phrase(words),
            advice: "Fix the configuration: jokesd does not start with it. To check it: jokesd --check-config")
    }

    private var diskDiagnostic: Diagnostic? {
        guard let folder = personalStateFolder(), exists(folder) else { return nil }
        let space = try? FileSystemSpace(of: folder)
        return DiskFacts(
            folder: folder, freeBytes: space?.freeBytes, freeFiles: space?.freeFiles,
            databaseBytes: sizeOfFile("\(folder)/jokes.sqlite"), walBytes: sizeOfFile("\(folder)/jokes.sqlite-wal"),
            reasonAgainstWriting: reasonAgainstWriting(to: folder)
        ).diagnostic
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
