import JokesProtocol

/// What the managers that could have the daemon say of it.
struct UnitFacts {
    var answers: [(manager: ServiceManagerKind, answer: UnitAnswer)]
    /// Whether the daemon was reached at the socket of this manager, or none is known to have it.
    var isReached: Bool

    var findings: [Wire.Finding] {
        let having = answers.compactMap { manager, answer -> (manager: ServiceManagerKind, units: [UnitState])? in
            guard case .units(let all) = answer, case let units = all.filter({ $0.load != "not-found" }), !units.isEmpty
            else { return nil }
            return (manager, units)
        }
        let silent = answers.filter { $0.answer == .silent }.map { $0.manager.silence }
        if having.isEmpty { return silent.isEmpty ? [withoutUnits] : silent }
        // A package brings the units of both. Whose are not used are none to be mended, unless nobody's are.
        let used = having.filter { $0.units.contains(where: \.isUsed) }
        let meant = used.isEmpty ? Array(having.prefix(1)) : used
        return silent
            + meant.flatMap { manager, units in
                units.map {
                    UnitJudgement(
                        unit: $0, units: units, manager: manager, isReached: isReached, isOneOfSeveral: meant.count > 1
                    ).finding
                }
            }
    }

    private var withoutUnits: Wire.Finding {
        if answers.isEmpty {
            return Wire.Finding(.unit, .ok, "no unit has a socket there: whoever started the daemon looks after it")
        }
        let isAnywhere = answers.contains { $0.answer != .absent }
        let what = isAnywhere ? "jokesd is not installed as a unit" : "no systemd is there to look after jokesd"
        if isReached { return Wire.Finding(.unit, .ok, "\(what): whoever started it does") }
        return Wire.Finding(
            .unit, .warning, what,
            advice: isAnywhere
                ? "Start it by hand: jokesd &, or install it, and then: \(answers[0].manager.command("enable --now", "jokesd.socket"))"
                : "Start it by hand: jokesd &")
    }
}

extension UnitState {
    /// Somebody has enabled it, or it has been started.
    fileprivate var isUsed: Bool {
        active != "inactive" || ["enabled", "enabled-runtime"].contains(file)
    }
}

extension ServiceManagerKind {
    fileprivate var silence: Wire.Finding {
        Wire.Finding(
            .unit, .warning, "\(words) does not answer: systemctl was given up",
            advice: "Look at it: \(command("status", ""))")
    }
}

/// One unit, beside the other one.
private struct UnitJudgement {
    let unit: UnitState
    let units: [UnitState]
    let manager: ServiceManagerKind
    let isReached: Bool
    /// Whether there are such units of another manager, too.
    let isOneOfSeveral: Bool

    private var isSocket: Bool { unit.name.hasSuffix(".socket") }

    private func say(_ state: Wire.Finding.State, _ words: String, _ advice: String? = nil) -> Wire.Finding {
        let owner = isOneOfSeveral ? "of \(manager.words): " : ""
        return Wire.Finding(.unit, of: unit.name, state, owner + words, advice: advice)
    }

    private func command(_ verb: String, _ units: String? = nil) -> String {
        manager.command(verb, units ?? unit.name)
    }

    var finding: Wire.Finding {
        if unit.load == "masked" { return say(.failed, "it is masked: it cannot be started", command("unmask")) }
        if unit.load != "loaded" {
            return say(
                .failed, "systemd cannot load it (\(unit.load))", "What is wrong with it says: \(command("status"))")
        }
        if unit.active == "failed" { return failure }
        if unit.needsReload {
            return say(
                .warning, "\(activity), but its file has changed since systemd read it",
                "\(command("daemon-reload", "")) && \(command("restart"))")
        }
        return isSocket ? socketFinding : serviceFinding
    }

    private var activity: String {
        unit.active == "active"
            ? "it is \(isSocket && unit.sub != "failed" ? "listening" : "running")" : "it is \(unit.active)"
    }

    // MARK: Failed

    /// A socket that still listens has the next who asks start the service; one that was given up with it does not.
    private func next(isLimit: Bool) -> String {
        let listens = units.contains { $0.name.hasSuffix(".socket") && $0.active == "active" }
        if listens && !isLimit { return "the next who asks starts it again" }
        let reset = command("reset-failed", "jokesd.service jokesd.socket")
        return "then: \(reset) && \(command("start", "jokesd.socket"))"
    }

    private var failure: Wire.Finding {
        // What is to be done is said of the service.
        if isSocket && unit.result.hasPrefix("service-") {
            return say(.failed, "systemd has given it up with jokesd.service")
        }
        let isLimit = unit.result.hasSuffix("limit-hit")
        let reason = exitReason
        let gaveUp = isLimit ? "systemd has given it up, since it ended again and again" : "it has failed"
        let words = reason.map { "\(gaveUp): \($0.words)" } ?? (isLimit ? gaveUp : "\(gaveUp) (\(unit.result))")
        return say(.failed, words, "\(reason?.advice ?? "\(manager.log) says why"); \(next(isLimit: isLimit))")
    }

    /// What a daemon that cannot start tells its manager begins so.
    private static let lastWords = "cannot start: "

    /// Why the process ended, by how it did, and by its own last words.
    private var exitReason: (words: String, advice: String)? {
        let service = units.first { $0.name.hasSuffix(".service") } ?? unit
        guard var reason = reason(of: service) else { return nil }
        if service.text.hasPrefix(Self.lastWords) {
            reason.words += ": \(phrase(String(service.text.dropFirst(Self.lastWords.count))))"
        }
        return reason
    }

    private func reason(of service: UnitState) -> (words: String, advice: String)? {
        switch service.result {
        case "watchdog": return ("it hung, and was ended", "\(manager.log) says what it did last")
        case "oom-kill": return ("it took more memory than it may", "See MemoryMax= in the unit")
        case "timeout": return ("it took too long to start, or to stop", "\(manager.log) says what it did last")
        default: break
        }
        if service.exitKind > 1 { return ("signal \(service.exitStatus) ended it", "\(manager.log) says more") }
        guard service.exitKind == 1, service.exitStatus != 0 else { return nil }
        return Self.meaning(of: service.exitStatus, log: manager.log)
    }

    /// As jokesd(8) lists its exit codes.
    private static func meaning(of status: Int, log: String) -> (words: String, advice: String) {
        switch status {
        case 64: ("its command line cannot be followed (64)", "Mend ExecStart= in the unit or its drop-ins")
        case 65:
            (
                "the database is of a newer jokesd, or another program's (65)",
                "Start the newer jokesd, or move the file away: \(log) names it"
            )
        case 69: ("somebody else listens at its socket (69)", "End the other daemon: \(log) says more")
        case 73: ("its state folder, or its socket, cannot be made (73)", "\(log) says which and why")
        case 74: ("its state cannot be read or written (74)", "\(log) says why")
        case 75: ("another daemon has its state folder (75)", "End that: \(log) names it")
        case 78: ("its configuration has a mistake (78)", "jokesd --check-config, or \(log), says where; mend it")
        case 200...245: ("systemd cannot set up what its unit says (\(status))", "\(log) says what")
        default: ("it ended with exit code \(status)", "\(log) says why")
        }
    }

    // MARK: Not failed

    private var isEnabled: Bool {
        ["enabled", "enabled-runtime", "static", "alias", "indirect", "generated", "linked"].contains(unit.file)
    }

    private var socketFinding: Wire.Finding {
        let enable = command("enable --now")
        if unit.active == "active" {
            return isEnabled
                ? say(.ok, "it listens, and will after the next \(start)")
                : say(.warning, "it listens, but not after the next \(start): it is not enabled", enable)
        }
        if isReached { return say(.ok, "it does not listen: somebody else does") }
        return say(
            .failed, isEnabled ? "it is enabled, but does not listen" : "it is installed, but not enabled", enable)
    }

    private var start: String {
        manager == .user ? "login" : "boot"
    }

    private var serviceFinding: Wire.Finding {
        let again = unit.restarts == 1 ? "once" : "\(unit.restarts) times"
        if unit.active == "activating" && unit.sub == "auto-restart" {
            let reason = exitReason.map { ": \($0.words)" } ?? ""
            return say(
                .failed, "it ended, and is being started again, \(again) by now\(reason)",
                exitReason?.advice ?? "\(manager.log) says why")
        }
        if unit.restarts > 0 {
            return say(.warning, "\(activity), but had to be started again \(again)", "\(manager.log) says why")
        }
        if unit.active == "inactive" {
            let listens = units.contains { $0.name.hasSuffix(".socket") && $0.active == "active" }
            if listens { return say(.ok, "it is started by the first who asks") }
            return say(.ok, "it does not run")
        }
        return say(.ok, activity)
    }
}
