import JokesClient
import JokesProtocol
import Unix
import Varlink

/// One of systemd's managers: the system's, or that of a user.
enum ServiceManagerKind: Hashable, CaseIterable {
    case user, system

    /// Whose units have the daemon's socket; nil for one that somebody has made elsewhere.
    init?(ofSocket address: String) {
        let place = (try? VarlinkAddress(address))?.place ?? address
        switch place {
        case SocketPath.system: self = .system
        case SocketPath.personal(environment: environment): self = .user
        default: return nil
        }
    }

    /// A command for people: `systemctl --user start jokesd.socket`.
    func command(_ verb: String, _ units: String) -> String {
        let program = self == .user ? "systemctl --user" : "sudo systemctl"
        return units.isEmpty ? "\(program) \(verb)" : "\(program) \(verb) \(units)"
    }

    /// The next step without its units.
    var start: String {
        let personal = SocketPath.personal(environment: environment)
        return startHint(
            at: self == .user ? personal ?? SocketPath.system : SocketPath.system, personal: personal, hasSystemd: false
        )
    }

    /// Where its units' logs are read.
    var log: String {
        self == .user ? "journalctl --user -u jokesd" : "journalctl -u jokesd"
    }

    var words: String {
        self == .user ? "the user manager" : "the system manager"
    }
}

/// What a manager says of its units.
enum UnitAnswer: Hashable {
    case units([UnitState])
    /// No such manager runs, or there is no systemctl.
    case absent
    /// It does not answer in time.
    case silent
}

/// What systemctl shows of a unit.
struct UnitState: Hashable {
    var name = ""
    var load = ""
    var active = ""
    var sub = ""
    /// Of its file: `enabled`, `disabled`, `static`, …
    var file = ""
    var result = ""
    var restarts = 0
    /// How its process ended last: 1 with an exit code, 2 and 3 by a signal; 0 where it has not.
    var exitKind = 0
    var exitStatus = 0
    var needsReload = false
    /// What the service said of itself last.
    var text = ""

    static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "NRestarts", "ExecMainCode",
        "ExecMainStatus", "NeedDaemonReload", "StatusText",
    ]

    /// The units of `systemctl show`: a line for each property, and an empty one between units.
    static func all(in text: String) -> [UnitState] {
        var units = [UnitState()]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                units.append(UnitState())
            } else if let equals = line.firstIndex(of: "=") {
                units[units.count - 1].set(line[..<equals], to: String(line[line.index(after: equals)...]))
            }
        }
        return units.filter { !$0.name.isEmpty }
    }

    private mutating func set(_ property: Substring, to value: String) {
        switch property {
        case "Id": name = value
        case "LoadState": load = value
        case "ActiveState": active = value
        case "SubState": sub = value
        case "UnitFileState": file = value
        case "Result": result = value
        case "NRestarts": restarts = Int(value) ?? 0
        case "ExecMainCode": exitKind = Int(value) ?? 0
        case "ExecMainStatus": exitStatus = Int(value) ?? 0
        case "StatusText": text = value
        case "NeedDaemonReload": needsReload = value == "yes"
        default: break
        }
    }
}

extension ServiceManagerKind {
    /// Asks it for the daemon's units. A manager that hangs is given up.
    func units(within time: Duration) -> UnitAnswer {
        let systemctl = ChildProgram(
            "systemctl",
            (self == .user ? ["--user"] : []) + [
                "--no-pager", "show", "jokesd.service", "jokesd.socket", "-p",
                UnitState.properties.joined(separator: ","),
            ])
        // Where there is no such program.
        guard let answer = try? systemctl.answer(within: time) else { return .absent }
        switch answer {
        case .givenUp: return .silent
        case .ended(let status, let output):
            let units = UnitState.all(in: output)
            return status == 0 && !units.isEmpty ? .units(units) : .absent
        }
    }
}
