import JokesCore
import JokesProtocol
import Unix

/// The answers of the managers that can start the daemon.
struct UnitFacts {
    var answers: [(manager: ServiceManagerKind, answer: UnitAnswer)]
    /// True if the daemon serves.
    var isReached: Bool

    var diagnostics: [Wire.Diagnostic] {
        let installed = answers.compactMap { manager, answer -> (manager: ServiceManagerKind, units: [UnitState])? in
            guard case .units(let all) = answer else { return nil }
            let units = all.filter { $0.load != "not-found" }
            return units.isEmpty ? nil : (manager, units)
        }
        let timedOut = answers.filter { $0.answer == .timedOut }.map { manager, _ in
            Wire.Diagnostic(
                .unit, .warning, "\(manager.words) does not answer: systemctl timed out",
                advice: "Try: \(manager.command("status", ""))")
        }
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

    private var withoutUnits: Wire.Diagnostic {
        if answers.isEmpty {
            let start = isReached ? ": jokesd was started in another way" : ""
            return Wire.Diagnostic(.unit, .ok, "no systemd unit provides this socket\(start)")
        }
        let isAnywhere = answers.contains { $0.answer != .absent }
        let what = isAnywhere ? "jokesd is not installed as a systemd unit" : "systemd does not manage jokesd here"
        if isReached { return Wire.Diagnostic(.unit, .ok, "\(what): jokesd was started in another way") }
        let enable = answers[0].manager.command("enable --now", "jokesd.socket")
        return isAnywhere
            ? Wire.Diagnostic(.unit, .warning, what, advice: "Install the units, then: \(enable)")
            : Wire.Diagnostic(.unit, .ok, what)
    }

    /// The installed units of the manager whose units listen at the address.
    func units(ofSocket path: String) -> [UnitState] {
        let manager = ServiceManagerKind(ofSocket: path)
        guard case .units(let units)? = answers.first(where: { $0.manager == manager })?.answer else { return [] }
        return units.filter { $0.load != "not-found" }
    }

    /// How to start a daemon that does not listen at the address, if systemd reports no failed unit.
    func start(ofSocket path: String) -> String {
        guard let manager = ServiceManagerKind(ofSocket: path) else {
            return "Start the daemon: jokesd --socket \(shellWord(path)) &"
        }
        if units(ofSocket: path).isEmpty { return manager.start }
        return manager.command("restart", "jokesd.socket jokesd.service")
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

    private var isSocket: Bool { unit.name.hasSuffix(".socket") }

    private func result(_ state: Wire.Diagnostic.State, _ words: String, _ advice: String? = nil) -> Wire.Diagnostic {
        let owner = isOneOfSeveral ? "in \(manager.words): " : ""
        return Wire.Diagnostic(.unit, of: unit.name, state, owner + words, advice: advice)
    }

    private func command(_ verb: String, _ units: String? = nil) -> String {
        manager.command(verb, units ?? unit.name)
    }

    var diagnostic: Wire.Diagnostic {
        if unit.load == "masked" { return result(.failed, "masked: systemd cannot start the unit", command("unmask")) }
        if unit.load != "loaded" {
            return result(.failed, "systemd cannot load the unit (\(unit.load))", "See the error: \(command("status"))")
        }
        if unit.active == "failed" { return failure }
        if unit.needsReload {
            return result(
                .warning, "\(activity), but the unit file has changed since systemd read it",
                "\(command("daemon-reload", "")) && \(command("restart"))")
        }
        return isSocket ? socketDiagnostic : serviceDiagnostic
    }

    private var activity: String {
        if unit.active != "active" { return unit.active }
        return isSocket && unit.sub != "failed" ? "listening" : "running"
    }

    // MARK: Failed

    private var listens: Bool {
        units.contains { $0.name.hasSuffix(".socket") && $0.active == "active" }
    }

    /// The next step: after too many failures, systemd no longer starts the service on a request.
    private func next(isLimit: Bool) -> String {
        if listens && !isLimit { return "the next request starts jokesd again" }
        let reset = command("reset-failed", "jokesd.service jokesd.socket")
        return "then: \(reset) && \(command("start", "jokesd.socket"))"
    }

    private var failure: Wire.Diagnostic {
        // The diagnostic of the service has the advice.
        if isSocket && unit.result.hasPrefix("service-") {
            return result(.failed, "failed because jokesd.service failed")
        }
        let isLimit = unit.result.hasSuffix("limit-hit")
        let reason = exitReason
        let gaveUp = isLimit ? "systemd gave up after repeated failures" : "failed"
        let words = reason.map { "\(gaveUp): \($0.words)" } ?? (isLimit ? gaveUp : "\(gaveUp) (\(unit.result))")
        return result(.failed, words, "\(reason?.advice ?? seeLog); \(next(isLimit: isLimit))")
    }

    /// Why the process ended: from its exit code, and from the status text of a daemon that could not start.
    private var exitReason: (words: String, advice: String)? {
        let service = units.first { $0.name.hasSuffix(".service") } ?? unit
        guard var reason = reason(of: service) else { return nil }
        let start = "cannot start: "
        if service.text.hasPrefix(start) { reason.words += ": \(phrase(String(service.text.dropFirst(start.count))))" }
        return reason
    }

    private func reason(of service: UnitState) -> (words: String, advice: String)? {
        switch service.result {
        case "watchdog": return ("jokesd hung and was killed", seeLog)
        case "oom-kill": return ("jokesd exceeded its memory limit", "Check MemoryMax= in the unit")
        case "timeout": return ("jokesd took too long to start or stop", seeLog)
        default: break
        }
        if service.exitKind > 1 { return ("killed by signal \(service.exitStatus)", seeLog) }
        guard service.exitKind == 1, service.exitStatus != 0 else { return nil }
        return meaning(of: service.exitStatus)
    }

    private var seeLog: String { "See the log: \(manager.log)" }

    /// As jokesd(8) lists its exit codes.
    private func meaning(of status: Int) -> (words: String, advice: String) {
        switch status {
        case 64: ("wrong command line (64)", "Fix ExecStart= in the unit or its drop-ins")
        case 65:
            (
                "the database is from a newer jokesd or another program (65)",
                "Start the newer jokesd, or move the database file away. The log names the file: \(manager.log)"
            )
        case 69: ("another process listens at the socket (69)", "Stop the other daemon. \(seeLog)")
        case 73: ("jokesd cannot create its state folder or its socket (73)", seeLog)
        case 74: ("jokesd cannot read or write its state (74)", seeLog)
        case 75:
            (
                "another daemon uses the state folder (75)",
                "Stop the other daemon. The log names the process: \(manager.log)"
            )
        case 78:
            (
                "the configuration has an error (78)",
                "Fix the configuration. To find the error: jokesd --check-config, or \(manager.log)"
            )
        case 200...245: ("systemd cannot set up the service (\(status))", seeLog)
        default: ("exit code \(status)", seeLog)
        }
    }

    // MARK: Not failed

    private var socketDiagnostic: Wire.Diagnostic {
        let enable = command("enable --now")
        if unit.active == "active" {
            return unit.isEnabled
                ? result(.ok, "listening, and enabled for the next \(loginOrBoot)")
                : result(.warning, "listening, but not enabled for the next \(loginOrBoot)", enable)
        }
        if isReached { return result(.ok, "not listening: another process listens at the socket") }
        return result(.failed, unit.isEnabled ? "enabled, but not listening" : "installed, but not enabled", enable)
    }

    private var loginOrBoot: String { manager == .user ? "login" : "boot" }

    private var serviceDiagnostic: Wire.Diagnostic {
        let again = unit.restarts == 1 ? "once" : "\(unit.restarts) times"
        if unit.active == "activating" && unit.sub == "auto-restart" {
            let reason = exitReason.map { ": \($0.words)" } ?? ""
            return result(
                .failed, "failed and restarting (\(again) so far)\(reason)", exitReason?.advice ?? seeLog)
        }
        if unit.restarts > 0 {
            return result(.warning, "\(activity), but restarted \(again) after a failure", seeLog)
        }
        if unit.active == "inactive" {
            return result(.ok, listens ? "not running: the next request starts jokesd" : "not running")
        }
        return result(.ok, activity)
    }
}
