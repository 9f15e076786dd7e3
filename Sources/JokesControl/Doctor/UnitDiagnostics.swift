import JokesClient
import JokesCore
import JokesProtocol
import Unix

/// The units of the daemon, as one service manager describes them.
struct UnitFacts {
    /// The manager that can start the daemon. A package has units for both managers: this is the first one that uses
    /// them, or else the first one that has them. Nil if no unit listens at the socket.
    let manager: ServiceManagerKind?
    private let answer: UnitAnswer
    /// True if the daemon serves.
    private let isReached: Bool

    private static let timeout: Duration = .seconds(3)

    /// Asks the managers whose units listen at these addresses.
    init(ofSockets paths: [String], isReached: Bool) {
        let answers = paths.compactMap { ServiceManagerKind(ofSocket: $0) }.map { ($0, $0.units(within: Self.timeout)) }
        let chosen =
            answers.first { $1.units.contains(where: \.isUsed) } ?? answers.first { !$1.units.isEmpty }
            ?? answers.first
        (manager, answer) = (chosen?.0, chosen?.1 ?? .absent)
        self.isReached = isReached
    }

    var diagnostics: [Diagnostic] {
        if let manager, answer == .timedOut {
            let words = "\(manager.words) does not answer: systemctl timed out"
            return [Diagnostic(.unit, .warning, words, advice: "Try: \(manager.command("status"))")]
        }
        guard let manager, !answer.units.isEmpty else { return [withoutUnits] }
        return answer.units.map { diagnostic(of: $0, manager) }
    }

    private var withoutUnits: Diagnostic {
        let missing =
            answer == .absent ? "systemd does not manage jokesd here" : "jokesd is not installed as a systemd unit"
        let words = manager == nil ? "no systemd unit provides this socket" : missing
        if isReached { return Diagnostic(.unit, .ok, "\(words): jokesd was started in another way") }
        guard let manager, answer != .absent else { return Diagnostic(.unit, .ok, words) }
        return Diagnostic(
            .unit, .warning, words, advice: "Install the units, then: \(manager.command("enable --now jokesd.socket"))")
    }

    /// How to start a daemon that does not listen at the address, if systemd reports no failed unit.
    func start(ofSocket path: String) -> String {
        if let manager, !answer.units.isEmpty { return manager.command("restart jokesd.socket jokesd.service") }
        return startHint(at: path, personal: SocketPath.personal(environment: environment), hasSystemd: false)
    }

    // MARK: One unit

    private func diagnostic(of unit: UnitState, _ manager: ServiceManagerKind) -> Diagnostic {
        func result(_ state: Diagnostic.State, _ words: String, _ advice: String? = nil) -> Diagnostic {
            Diagnostic(.unit, of: unit.name, state, words, advice: advice)
        }
        let load = unit["LoadState"]
        if load != "loaded" {
            let verb = load == "masked" ? "unmask" : "status"
            return result(
                .failed, "systemd cannot load the unit: \(load)", "Try: \(manager.command("\(verb) \(unit.name)"))")
        }
        if unit.hasFailed {
            let reset = manager.command("reset-failed jokesd.service jokesd.socket")
            return result(
                .failed, "failed (\(unit["Result"]))\(unit.reason)",
                "See the log: \(manager.log); then: \(reset) && \(manager.command("start jokesd.socket"))")
        }
        guard unit.isSocket else {
            if unit["ActiveState"] != "inactive" { return result(.ok, unit.words) }
            let listens = answer.units.contains { $0.isSocket && $0.isActive }
            return result(.ok, listens ? "not running: the next request starts jokesd" : "not running")
        }
        let enable = manager.command("enable --now jokesd.socket")
        if unit.isActive {
            let next = manager == .user ? "login" : "boot"
            return unit.isEnabled
                ? result(.ok, "listening, and enabled for the next \(next)")
                : result(.warning, "listening, but not enabled for the next \(next)", enable)
        }
        if isReached { return result(.ok, "not listening: another process listens at the socket") }
        return result(.failed, unit.isEnabled ? "enabled, but not listening" : "installed, but not enabled", enable)
    }
}
