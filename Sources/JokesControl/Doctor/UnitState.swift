import JokesClient
import JokesProtocol
import Unix
import Varlink

/// A service manager of systemd.
enum ServiceManagerKind: Hashable {
    case user, system

    /// The manager whose units listen at the address; nil for any other address.
    init?(ofSocket address: String) {
        let path = (try? VarlinkAddress(address))?.path ?? address
        switch path {
        case SocketPath.system: self = .system
        case SocketPath.personal(environment: environment): self = .user
        default: return nil
        }
    }

    /// A command such as `systemctl --user start jokesd.socket`.
    func command(_ verb: String, _ units: String) -> String {
        let program = self == .user ? "systemctl --user" : "sudo systemctl"
        return units.isEmpty ? "\(program) \(verb)" : "\(program) \(verb) \(units)"
    }

    /// How to start the daemon without units.
    var start: String {
        let personal = SocketPath.personal(environment: environment)
        return startHint(
            at: self == .user ? personal ?? SocketPath.system : SocketPath.system, personal: personal, hasSystemd: false
        )
    }

    /// The command that shows the log.
    var log: String { self == .user ? "journalctl --user -u jokesd" : "journalctl -u jokesd" }

    var words: String { self == .user ? "the user manager" : "the system manager" }

    /// Asks systemctl for the units of the daemon.
    func units(within time: Duration) -> UnitAnswer {
        let systemctl = ChildProgram(
            "systemctl",
            (self == .user ? ["--user"] : []) + [
                "--no-pager", "show", "jokesd.service", "jokesd.socket", "-p",
                UnitState.properties.joined(separator: ","),
            ])
        guard let answer = try? systemctl.answer(within: time) else { return .absent }
        switch answer {
        case .timedOut: return .timedOut
        case .ended(let status, let output):
            let units = output.split(separator: "\n\n").map { UnitState($0) }.filter { !$0.name.isEmpty }
            return status == 0 && !units.isEmpty ? .units(units) : .absent
        }
    }
}

/// The answer of a manager about the units of the daemon.
enum UnitAnswer: Hashable {
    case units([UnitState])
    /// The manager does not run, or systemctl is not installed.
    case absent
    /// The manager did not answer in time.
    case timedOut
}

/// The properties that `systemctl show` prints for a unit.
struct UnitState: Hashable {
    let name, load, active, sub: String
    /// The state of its file, such as `enabled`, `disabled` or `static`.
    let file: String
    let result: String
    let restarts: Int
    /// The end of the last process: 1 for an exit code, 2 and 3 for a signal, 0 if no process has ended.
    let exitKind: Int
    let exitStatus: Int
    let needsReload: Bool
    /// The last status text of the service.
    let text: String

    /// True if the unit is enabled or was started.
    var isUsed: Bool { active != "inactive" || isEnabled }

    /// True if systemd starts the unit at each login or boot. A unit in another state, such as `linked` or
    /// `enabled-runtime`, is not started at the next one.
    var isEnabled: Bool { file == "enabled" }

    static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "NRestarts", "ExecMainCode",
        "ExecMainStatus", "NeedDaemonReload", "StatusText",
    ]

    /// Reads the lines of one unit, such as `Id=jokesd.socket`.
    init(_ lines: some StringProtocol) {
        let pairs = lines.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        let values = Dictionary(pairs) { $1 }
        func value(_ property: String) -> String { values[property] ?? "" }
        (name, load, active) = (value("Id"), value("LoadState"), value("ActiveState"))
        (sub, file, result) = (value("SubState"), value("UnitFileState"), value("Result"))
        restarts = Int(value("NRestarts")) ?? 0
        exitKind = Int(value("ExecMainCode")) ?? 0
        exitStatus = Int(value("ExecMainStatus")) ?? 0
        needsReload = value("NeedDaemonReload") == "yes"
        text = value("StatusText")
    }
}
