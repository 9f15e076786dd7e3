import JokesClient
import JokesCore
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

    /// Returns a command such as `systemctl --user start jokesd.socket`.
    func command(_ words: String) -> String { "\(self == .user ? "systemctl --user" : "sudo systemctl") \(words)" }

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
            let installed = units.filter { $0["LoadState"] != "not-found" }
            return status == 0 && !units.isEmpty ? .units(installed) : .absent
        }
    }
}

/// The answer of a manager about the units of the daemon.
enum UnitAnswer: Hashable {
    /// The installed units.
    case units([UnitState])
    /// The manager does not run, or systemctl is not installed.
    case absent
    /// The manager did not answer in time.
    case timedOut

    /// The installed units; empty without an answer.
    var units: [UnitState] {
        if case .units(let units) = self { units } else { [] }
    }
}

/// The properties of a unit, as `systemctl show` prints them.
struct UnitState: Hashable {
    private let values: [String: String]

    static let properties = [
        "Id", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "StatusText",
    ]

    /// Reads the lines of one unit, such as `Id=jokesd.socket`.
    init(_ lines: some StringProtocol) {
        let pairs = lines.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        values = Dictionary(pairs) { $1 }
    }

    /// The value of a property; empty without one.
    subscript(property: String) -> String { values[property] ?? "" }

    var name: String { self["Id"] }
    var isSocket: Bool { name.hasSuffix(".socket") }
    var isActive: Bool { self["ActiveState"] == "active" }

    /// True if the unit has failed, also if systemd will start it again.
    var hasFailed: Bool { self["ActiveState"] == "failed" || self["SubState"].hasPrefix("auto-restart") }

    /// The reason of a daemon that could not start, after a colon; otherwise empty.
    var reason: String {
        let (text, start) = (self["StatusText"], "cannot start: ")
        return text.hasPrefix(start) ? ": \(phrase(String(text.dropFirst(start.count))))" : ""
    }

    /// True if the unit is enabled or was started.
    var isUsed: Bool { self["ActiveState"] != "inactive" || isEnabled }

    /// True if systemd starts the unit at each login or boot. A unit in another state, such as `linked` or
    /// `enabled-runtime`, is not started at the next one.
    var isEnabled: Bool { self["UnitFileState"] == "enabled" }

    /// The state as `systemctl status` prints it, such as `active (running)`.
    var words: String { "\(self["ActiveState"]) (\(self["SubState"]))" }
}
