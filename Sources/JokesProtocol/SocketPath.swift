/// The paths of the daemon's socket.
package enum SocketPath {
    /// The path of the system daemon.
    package static let system = "/run/jokesd/jokesd.sock"

    /// The path of the user daemon; nil outside a login session.
    package static func personal(environment: (String) -> String?) -> String? {
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        return "\(folder)/jokesd/jokesd.sock"
    }

    /// The path at which a daemon listens: the option, or else the path of the user daemon or of the system daemon.
    package static func ofDaemon(option: String?, environment: (String) -> String?) -> String {
        given(option, environment) ?? personal(environment: environment) ?? system
    }

    /// The paths that a client tries in order: only the option, or the user daemon and then the system daemon.
    package static func ofClient(option: String?, environment: (String) -> String?) -> [String] {
        if let given = given(option, environment) { return [given] }
        return [personal(environment: environment), system].compactMap(\.self)
    }

    private static func given(_ option: String?, _ environment: (String) -> String?) -> String? {
        option ?? environment("JOKESD_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }
}
