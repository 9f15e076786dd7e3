import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Unix
import Varlink

/// Gathers what is to be known of the daemon from outside it, and what it says itself: it judges nothing.
struct Examination {
    let paths: [String]
    let now: Timestamp

    /// A daemon looks through its database before it answers, and may wait for a lock: up to 11 s.
    private static let patience: Duration = .seconds(20)
    /// Each of the programs that are asked may take so long.
    private static let programPatience: Duration = .seconds(3)

    /// What was found, and the daemon's status where it told that.
    ///
    /// - Throws: `ClientError.noAddress` for a place where no daemon can be.
    func run() throws(ClientError) -> (
        findings: [Wire.Finding], status: StatusMethod.Reply?, sources: [Wire.SourceHealth]
    ) {
        let (places, connection) = try look()
        let reached = connection == nil ? nil : places.last?.path
        let answers = connection.flatMap { connection in reached.map { ask(connection, at: $0) } }
        let status = answers.flatMap { try? $0.status.get() }
        let units = unitFacts(reached: reached, serves: status != nil).findings
        // Behind what keeps it from being reached comes what looks after it; what it says itself is last. One that was
        // reached and cannot serve has said why, and its configuration and its state are not this user's for sure.
        let findings =
            places.findings(unitsAdvise: units.contains { $0.advice != nil }) + units
            + [timeSyncFinding(isClockSynchronized())] + (answers?.findings ?? [])
            + (connection == nil ? withoutDaemon() : [])
        return (findings, status, (answers?.sources).flatMap { try? $0.get() } ?? [])
    }

    // MARK: The socket

    /// Looks from place to place, until somebody answers.
    private func look() throws(ClientError) -> ([SocketPlace], JokesConnection?) {
        var places: [SocketPlace] = []
        for path in paths {
            do throws(ClientError) {
                let connection = try JokesConnection(to: [path], patience: .seconds(10))
                return (places + [SocketPlace(path: path)], connection)
            } catch {
                if case .noAddress = error { throw error }
                places.append(SocketPlace(path: path, obstacle: obstacle(error, at: path)))
            }
        }
        return (places, nil)
    }

    private func obstacle(_ error: ClientError, at path: String) -> SocketPlace.Obstacle {
        guard case .unreachable(let place, _, let code) = error else {
            return .other(sentence: error.sentence, hint: error.advice(at: path))
        }
        switch code {
        case ENOENT where !place.hasPrefix("@"): return .missing(isFolderThere: exists(parentFolder(of: place)))
        case ECONNREFUSED where !place.hasPrefix("@"): return .nobodyListens
        case EACCES, EPERM: return .denied(denial(at: place))
        default: return .other(sentence: error.sentence, hint: error.advice(at: path))
        }
    }

    private func denial(at path: String) -> SocketPlace.Denial {
        let identity = ProcessIdentity.current
        let user = AccountLine.all(of: "/etc/passwd").first { $0.id == identity.uid }?.name ?? "user \(identity.uid)"
        let groupMayWrite: UInt32 = 0o020
        let owner = groupAndMode(of: path).flatMap { $0.mode & groupMayWrite != 0 ? $0.gid : nil }
        let group = owner.flatMap { gid in AccountLine.all(of: "/etc/group").first { $0.id == gid } }
        return SocketPlace.Denial(
            user: user, group: group?.name ?? owner.map { "\($0)" }, isMember: group?.members.contains(user) == true,
            hasGroup: owner.map { identity.gids.contains($0) } ?? false)
    }

    // MARK: The daemon

    private func ask(_ connection: JokesConnection, at path: String) -> DaemonAnswers {
        let known = (try? InterfaceDescription(JokesInterface.description).methodNames) ?? []
        var answers = DaemonAnswers(
            status: answer { () throws(ClientError) in try connection.call(StatusMethod.self, NoParameters()) },
            known: known, path: path, now: now)
        // What does not answer this answers nothing else; each further call could start it again.
        guard case .success = answers.status else { return answers }
        answers.methods = try? connection.interface(JokesInterface.name).methodNames
        answers.sources = answer { () throws(ClientError) in
            try connection.call(SourcesMethod.self, NoParameters()).sources
        }
        connection.patience = Self.patience
        answers.diagnosis = answer { () throws(ClientError) in
            try connection.call(DiagnoseMethod.self, NoParameters()).findings
        }
        return answers
    }

    private func answer<Value>(_ body: () throws(ClientError) -> Value) -> Result<Value, ClientError> {
        Result { () throws(ClientError) in try body() }
    }

    // MARK: The units

    private func unitFacts(reached: String?, serves: Bool) -> UnitFacts {
        let managers = (reached.map { [$0] } ?? paths).compactMap { ServiceManagerKind(ofSocket: $0) }
        return UnitFacts(
            answers: managers.map { ($0, $0.units(within: Self.programPatience)) }, isReached: serves)
    }

    // MARK: Without a daemon

    /// What would keep one from starting, as far as this user can see.
    private func withoutDaemon() -> [Wire.Finding] {
        let managers = paths.compactMap { ServiceManagerKind(ofSocket: $0) }
        if managers.contains(.user) {
            return [configurationFinding(checkConfiguration([])), diskFinding].compactMap(\.self)
        }
        guard managers.contains(.system), exists(Self.systemConfiguration) else { return [] }
        return [configurationFinding(checkConfiguration(["--config", Self.systemConfiguration]))].compactMap(\.self)
    }

    private static let systemConfiguration = "/etc/jokesd/config.json"

    /// By the daemon's program that is installed beside this one, or else wherever PATH says.
    private func checkConfiguration(_ options: [String]) -> ProgramAnswer? {
        let beside = ownProgram().map { "\(parentFolder(of: $0))/jokesd" }
        let program = beside.flatMap { exists($0) ? $0 : nil } ?? "jokesd"
        return try? ChildProgram(program, options + ["--check-config"]).answer(
            within: Self.programPatience, withErrors: true)
    }

    private var diskFinding: Wire.Finding? {
        let base =
            environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment("HOME").map { "\($0)/.local/state" }
        guard let folder = base.map({ "\($0)/jokesd" }), exists(folder) else { return nil }
        let space = try? FileSystemSpace(of: folder)
        return DiskFacts(
            folder: folder, freeBytes: space?.freeBytes, freeFiles: space?.freeFiles,
            databaseBytes: sizeOfFile("\(folder)/jokes.sqlite"), logBytes: sizeOfFile("\(folder)/jokes.sqlite-wal"),
            reasonAgainstWriting: reasonAgainstWriting(to: folder)
        ).finding
    }
}

extension InterfaceDescription {
    fileprivate var methodNames: Set<String> {
        Set(
            members.compactMap { member in
                if case .method = member.kind { member.name } else { nil }
            })
    }
}

/// Whether the clock is kept in step, as the kernel was told. One that is not may be right all the same.
func timeSyncFinding(_ isSynchronized: Bool?) -> Wire.Finding {
    switch isSynchronized {
    case true?: Wire.Finding(.timeSync, .ok, "the clock is synchronized")
    case false?:
        Wire.Finding(
            .timeSync, .warning, "the clock is not synchronized",
            advice: "Install a package such as systemd-timesyncd, then: sudo timedatectl set-ntp true")
    case nil: Wire.Finding(.timeSync, .ok, "cannot determine if the clock is synchronized")
    }
}

/// What `jokesd --check-config` says where no daemon is there to be asked; nil where it cannot be run.
func configurationFinding(_ answer: ProgramAnswer?) -> Wire.Finding? {
    guard case .ended(let status?, let output)? = answer else { return nil }
    let lines = output.split(separator: "\n").map { $0.hasPrefix("jokesd: ") ? $0.dropFirst("jokesd: ".count) : $0 }
    guard let first = lines.first else { return nil }
    if status == 0 { return Wire.Finding(.configuration, .ok, String(first)) }
    return Wire.Finding(
        .configuration, .failed, phrase(String(first)),
        advice: "Fix the configuration: jokesd does not start with it. To check it: jokesd --check-config")
}
