import Glibc
import JokesClient
import JokesProtocol
import Unix

/// A place where a daemon was looked for, and what was there.
struct SocketPlace: Hashable {
    var path: String
    /// Nil where a daemon, or somebody, answers.
    var obstacle: Obstacle?

    enum Obstacle: Hashable {
        /// Why not, and what there is to be done about it.
        case other(sentence: String, hint: String?)
        case missing(isFolderThere: Bool)
        case nobodyListens
        case denied(Denial)
    }

    /// Who may not use a socket, and who may.
    struct Denial: Hashable {
        var user: String
        /// The group that may use it; nil where that cannot be seen, or where no group may.
        var group: String?
        /// Whether the user is in it by /etc/group.
        var isMember: Bool
        /// Whether this process has it, as all that were begun since the last login do.
        var hasGroup: Bool
    }
}

extension [SocketPlace] {
    /// A line for each place. Where the daemon is found behind others, those are no failures: nobody need be there.
    ///
    /// Where the units say already what is to be done (`unitsAdvise`), that is not said of what is only missing.
    func findings(unitsAdvise: Bool) -> [Wire.Finding] {
        let isFound = contains { $0.obstacle == nil }
        return enumerated().map { number, place in
            var finding = place.finding(startsHere: number == 0 && !unitsAdvise)
            guard isFound else { return finding }
            finding.advice = nil
            switch place.obstacle {
            case nil, .missing: finding.state = .ok
            default: finding.state = .warning
            }
            return finding
        }
    }
}

extension SocketPlace {
    /// As where no daemon is found at all. One is enough: it is started at the first place.
    fileprivate func finding(startsHere: Bool) -> Wire.Finding {
        func failed(_ words: String, _ advice: String?) -> Wire.Finding {
            Wire.Finding(.socket, of: path, .failed, words, advice: advice)
        }
        switch obstacle {
        case nil: return Wire.Finding(.socket, of: path, .ok, "a service listens at \(path)")
        case .missing(let isFolderThere):
            return failed(
                "no socket at \(path)\(isFolderThere ? "" : ": its folder does not exist")", startsHere ? start : nil)
        case .nobodyListens:
            return failed(
                "no service listens at \(path): the socket remains from an earlier daemon", startsHere ? start : nil)
        case .denied(let denial): return failed(denial.sentence(about: path), denial.advice)
        case .other(let sentence, let hint): return failed(clause(of: sentence), hint)
        }
    }

    /// The units see nothing wrong, and so believe that it is there: both are begun anew.
    private var start: String {
        ServiceManagerKind(ofSocket: path).map { $0.command("restart", "jokesd.socket jokesd.service") }
            ?? "Start the daemon: jokesd --socket \(shellWord(path)) &"
    }
}

extension SocketPlace.Denial {
    fileprivate func sentence(about path: String) -> String {
        let refusal = "user '\(user)' has no access to \(path)"
        guard let group else { return "\(refusal), and no group has access" }
        if hasGroup { return "\(refusal), although this session has the group \(group)" }
        return isMember
            ? "\(refusal): this session started before \(user) joined the group \(group)"
            : "\(refusal): \(user) is not in the group \(group)"
    }

    fileprivate var advice: String? {
        guard let group else { return deniedHint }
        if hasGroup { return "Check the folders above the socket: each must give you execute permission." }
        return isMember
            ? "Log out and in again; until then, in this terminal: newgrp \(group)"
            : "sudo usermod -aG \(group) \(user), then log in again"
    }
}
