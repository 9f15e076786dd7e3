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
    var findings: [Wire.Finding] {
        let isFound = contains { $0.obstacle == nil }
        return enumerated().map { number, place in place.finding(isFound: isFound, isFirst: number == 0) }
    }
}

extension SocketPlace {
    fileprivate func finding(isFound: Bool, isFirst: Bool) -> Wire.Finding {
        func finding(_ words: String, _ advice: String?, elsewhere: Wire.Finding.State) -> Wire.Finding {
            Wire.Finding(.socket, of: path, isFound ? elsewhere : .failed, words, advice: isFound ? nil : advice)
        }
        switch obstacle {
        case nil: return Wire.Finding(.socket, of: path, .ok, "somebody listens at \(path)")
        case .missing(let isFolderThere):
            let what = isFolderThere ? "there is no socket \(path)" : "there is no socket \(path), nor its folder"
            // One daemon is enough, and the first place is the one to have it at.
            return finding(what, isFirst ? start(enabling: true) : nil, elsewhere: .ok)
        case .nobodyListens:
            return finding(
                "nobody listens at \(path): a daemon that ended left it there", start(enabling: false),
                elsewhere: .warning)
        case .denied(let denial):
            return finding(denial.sentence(about: path), denial.advice, elsewhere: .warning)
        case .other(let sentence, let hint): return finding(phrase(sentence), hint, elsewhere: .warning)
        }
    }

    private func start(enabling isToStay: Bool) -> String {
        let manager = ServiceManagerKind(ofSocket: path)
        guard let manager else { return "Start a daemon there: jokesd --socket \(path)" }
        return "Start it: \(manager.command(isToStay ? "enable --now" : "start", "jokesd.socket"))"
            + (manager == .user ? ", or by hand: jokesd &" : "")
    }
}

extension SocketPlace.Denial {
    fileprivate func sentence(about path: String) -> String {
        let refusal = "\(user) may not use \(path)"
        guard let group else { return "\(refusal), nor does a group give leave to" }
        if hasGroup { return "\(refusal), though this session has its group \(group)" }
        return isMember
            ? "\(refusal): \(user) is in its group \(group), but this session began before that"
            : "\(refusal): \(user) is not in its group \(group)"
    }

    fileprivate var advice: String? {
        guard let group else { return "It is somebody else's: --socket PATH, or JOKESD_SOCKET, names another." }
        if hasGroup { return "Look at the folders above it: each must let you through." }
        return isMember
            ? "Log out and in again; until then, in this terminal: newgrp \(group)"
            : "sudo usermod -aG \(group) \(user), and log in again"
    }
}
