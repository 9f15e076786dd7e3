import Glibc
import JokesClient
import JokesProtocol
import Unix

/// The address of a socket, and the result of a connection to it.
struct SocketPlace {
    let path: String
    /// Nil if a service answers.
    var error: ClientError?

    /// The finding about this socket. Its failure does not matter if `isFound`: a service answers at another socket.
    func finding(isFound: Bool, advisesStart: Bool) -> Wire.Finding {
        let words: String
        let advice: String?
        var isMissing = false
        switch error {
        case nil:
            return Wire.Finding(.socket, of: path, .ok, "a service listens at \(path)")
        case .unreachable(let place, _, ENOENT) where !place.hasPrefix("@"):
            isMissing = true
            words = "no socket at \(path)\(exists(parentFolder(of: place)) ? "" : ": its folder does not exist")"
            advice = advisesStart ? start : nil
        case .unreachable(let place, _, ECONNREFUSED) where !place.hasPrefix("@"):
            words = "no service listens at \(path): the socket remains from an earlier daemon"
            advice = advisesStart ? start : nil
        case .unreachable(let place, _, EACCES), .unreachable(let place, _, EPERM):
            (words, advice) = denial(at: place)
        case let error?:
            (words, advice) = (clause(of: error.sentence), error.advice(at: path))
        }
        guard isFound else { return Wire.Finding(.socket, of: path, .failed, words, advice: advice) }
        return Wire.Finding(.socket, of: path, isMissing ? .ok : .warning, words)
    }

    /// Restarts both units: systemd reports no problem with them.
    private var start: String {
        ServiceManagerKind(ofSocket: path).map { $0.command("restart", "jokesd.socket jokesd.service") }
            ?? "Start the daemon: jokesd --socket \(shellWord(path)) &"
    }

    /// The reason why the user has no access, and how to get access.
    private func denial(at place: String) -> (words: String, advice: String) {
        let identity = ProcessIdentity.current
        let user = AccountLine.all(of: "/etc/passwd").first { $0.id == identity.uid }?.name ?? "user \(identity.uid)"
        let refusal = "user '\(user)' has no access to \(path)"
        let groupMayWrite: UInt32 = 0o020
        guard let owner = groupAndMode(of: place), owner.mode & groupMayWrite != 0 else {
            return ("\(refusal), and no group has access", deniedHint)
        }
        let account = AccountLine.all(of: "/etc/group").first { $0.id == owner.gid }
        let group = account?.name ?? "\(owner.gid)"
        if identity.gids.contains(owner.gid) {
            return (
                "\(refusal), although this session has the group \(group)",
                "Check the folders above the socket: each must give you execute permission."
            )
        }
        if account?.members.contains(user) == true {
            return (
                "\(refusal): this session started before \(user) joined the group \(group)",
                "Log out and in again; until then, in this terminal: newgrp \(group)"
            )
        }
        return (
            "\(refusal): \(user) is not in the group \(group)",
            "sudo usermod -aG \(group) \(user), then log in again"
        )
    }
}
