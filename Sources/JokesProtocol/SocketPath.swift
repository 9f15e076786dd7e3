/// Where the daemon's socket is.
package enum SocketPath {
    /// The system daemon's.
    package static let system = "/run/jokesd/jokesd.sock"

    /// The user's own daemon's; nil outside a login session.
    package static func personal(environment: (String) -> String?) -> String? {
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        return "\(folder)/jokesd/jokesd.sock"
    }

    /// Where a daemon listens that no service manager gave a socket: what it is told, or its user's place, or the
    /// system's.
    package static func ofDaemon(option: String?, environment: (String) -> String?) -> String {
        told(option, environment) ?? personal(environment: environment) ?? system
    }

    /// Where a client looks, in this order: only where it is told, or at the user's daemon and then the system's.
    package static func ofClient(option: String?, environment: (String) -> String?) -> [String] {
        if let told = told(option, environment) { return [told] }
        return [personal(environment: environment), system].compactMap(\.self)
    }

    private static func told(_ option: String?, _ environment: (String) -> String?) -> String? {
        if let option { return option }
        return environment("JOKESD_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }
}
