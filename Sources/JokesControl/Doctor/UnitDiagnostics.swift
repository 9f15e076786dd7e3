import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// The answers of the managers that can start the daemon.
struct UnitFacts {
    var answers: [(manager: ServiceManagerKind, answer: UnitAnswer)]
    /// True if the daemon serves.
    var isReached: Bool

    var diagnostics: [Diagnostic] {
        let timedOut = answers.filter { $0.answer == .timedOut }.map { manager, _ in
            Diagnostic(
                .unit, .warning, "\(manager.words) does not answer: systemctl timed out",
                advice: "Try: \(manager.command("status"))")
        }
        let installed = answers.map { (manager: $0.manager, units: units(of: $0.manager)) }.filter { !$0.units.isEmpty }
        if installed.isEmpty { return timedOut.isEmpty ? [withoutUnits] : timedOut }
        // A package has units for both managers. Unused units are no problem, unless none is used.
        let used = installed.filter { $0.units.contains(where: \.isUsed) }
        let relevant = used.isEmpty ? Array(installed.prefix(1)) : used
        let checks = relevant.flatMap { manager, units in
            units.map {
                UnitCheck(
                    unit: $0, units: units, manager: manager, isReached: isReached, isOneOfSeveral: relevant.count > 1)
            }
        }
        return timedOut + checks.map(\.diagnostic)
    }

    private var withoutUnits: Diagnostic {
        let hasManager = answers.contains { $0.answer != .absent }
        let missing = hasManager ? "jokesd is not installed as a systemd unit" : "systemd does not manage jokesd here"
        let words = answers.isEmpty ? "no systemd unit provides this socket" : missing
        if isReached { return Diagnostic(.unit, .ok, "\(words): jokesd was started in another way") }
        guard hasManager else { return Diagnostic(.unit, .ok, words) }
        let enable = answers[0].manager.command("enable --now jokesd.socket")
        return Diagnostic(.unit, .warning, words, advice: "Install the units, then: \(enable)")
    }

    /// The installed units of the manager.
    func units(of manager: ServiceManagerKind?) -> [UnitState] {
        guard case .units(let units)? = answers.first(where: { $0.manager == manager })?.answer else { return [] }
        return units
    }

    /// How to start a daemon that does not listen at the address, if systemd reports no failed unit.
    func start(ofSocket path: String) -> String {
        let manager = ServiceManagerKind(ofSocket: path)
        if let manager, !units(of: manager).isEmpty { return manager.command("restart jokesd.socket jokesd.service") }
        return startHint(at: path, personal: SocketPath.personal(environment: environment), hasSystemd: false)
    }
}

/// The diagnostic about one unit.
private struct UnitCheck {
    let unit: UnitState
    /// All units of the manager.
    let units: [UnitState]
    let manager: ServiceManagerKind
    let isReached: Bool
    /// True if another manager also has such units.
    let isOneOfSeveral: Bool

    private func result(_ state: Diagnostic.State, _ words: String, _ advice: String? = nil) -> Diagnostic {
        let owner = isOneOfSeveral ? "in \(manager.words): " : ""
        return Diagnostic(.unit, of: unit.name, state, owner + words, advice: advice)
    }

    var diagnostic: Diagnostic {
        let load = unit["LoadState"]
        if load != "loaded" {
            let verb = load == "masked" ? "unmask" : "status"
            return result(
                .failed, "systemd cannot load the unit: \(load)", "Try: \(manager.command("\(verb) \(unit.name)"))")
        }
        if unit["ActiveState"] == "failed" { return failure }
        if unit["NeedDaemonReload"] == "yes" {
            return result(
                .warning, "\(unit.words), but the unit file has changed since systemd read it",
                "\(manager.command("daemon-reload")) && \(manager.command("restart \(unit.name)"))")
        }
        return unit.isSocket ? socketDiagnostic : serviceDiagnostic
    }

    // MARK: Failed

    private var failure: Diagnostic {
        // The diagnostic of the service has the advice.
        if unit.isSocket && unit["Result"].hasPrefix("service-") {
            return result(.failed, "failed because jokesd.service failed")
        }
        // After too many failures, systemd no longer starts the service on a request.
        let isLimit = unit["Result"].hasSuffix("limit-hit")
        let words = isLimit ? "systemd gave up after repeated failures" : "failed (\(unit["Result"]))"
        let reset = manager.command("reset-failed jokesd.service jokesd.socket")
        let next =
            listens && !isLimit
            ? "the next request starts jokesd again" : "then: \(reset) && \(manager.command("start jokesd.socket"))"
        return result(.failed, words + reason, "\(seeLog); \(next)")
    }

    private var listens: Bool { units.contains { $0.isSocket && $0.isActive } }

    private var seeLog: String { "See the log: \(manager.log)" }

    /// Why the process ended, after a colon: the reason of a daemon that could not start, or else its exit code or signal.
    private var reason: String {
        let service = units.first { !$0.isSocket } ?? unit
        let (text, status) = (service["StatusText"], service["ExecMainStatus"])
        let start = "cannot start: "
        if text.hasPrefix(start) { return ": \(phrase(String(text.dropFirst(start.count))))" }
        return switch service["ExecMainCode"] {
        case "1" where status != "0": ": exit code \(status); see jokesd(8)"
        case "2", "3": ": killed by signal \(status)"
        default: ""
        }
    }

    // MARK: Not failed

    private var socketDiagnostic: Diagnostic {
        let enable = manager.command("enable --now jokesd.socket")
        let next = manager == .user ? "login" : "boot"
        if unit.isActive {
            return unit.isEnabled
                ? result(.ok, "listening, and enabled for the next \(next)")
                : result(.warning, "listening, but not enabled for the next \(next)", enable)
        }
        if isReached { return result(.ok, "not listening: another process listens at the socket") }
        return result(.failed, unit.isEnabled ? "enabled, but not listening" : "installed, but not enabled", enable)
    }

    private var serviceDiagnostic: Diagnostic {
        let isRestarting = unit["SubState"].hasPrefix("auto-restart")
        let restarts = Int(unit["NRestarts"]) ?? 0
        if isRestarting || restarts > 0 {
            let words = "\(unit.words), restarted \(counted(restarts, "time"))\(reason)"
            return result(isRestarting ? .failed : .warning, words, seeLog)
        }
        if unit["ActiveState"] != "inactive" { return result(.ok, unit.words) }
        return result(.ok, listens ? "not running: the next request starts jokesd" : "not running")
    }
}
