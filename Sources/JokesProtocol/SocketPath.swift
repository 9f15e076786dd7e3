/// The paths of the daemon's socket.
package enum SocketPath {
    /// The path of the system's daemon.
    package static let system = "/run/jokesd/jokesd.sock"

    /// The path of the user's daemon; nil outside a login session.
    package static func personal(environment: (String) -> String?) -> String? {
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        return "\(folder)/jokesd/jokesd.sock"
    }

    /// The path at which a daemon listens: the option, or the path of the user, or that of the system.
    package static func ofDaemon(option: String?, environment: (String) -> String?) -> String {
        told(option, environment) ?? personal(environment: environment) ?? system
    }

    /// The paths that a client tries in order: the option only, or the user's daemon and then the system's.
    package static func ofClient(option: String?, environment: (String) -> String?) -> [String] {
        if let told = told(option, environment) { return [told] }
        return [personal(environment: environment), system].compactMap(\.self)
    }

    private static func told(_ option: String?, _ environment: (String) -> String?) -> String? {
        if let option { return option }
        return environment("JOKESD_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }
}
