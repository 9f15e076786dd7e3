import Glibc

/// Returns an environment variable; nil if it is not set.
package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// Returns all environment variables, without entries that have no `=`.
package func wholeEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        entry += 1
    }
    return variables
}

/// Returns the path of the user's configuration file with this name, in `$XDG_CONFIG_HOME/jokesd/` or
/// `~/.config/jokesd/`.
///
/// Relative paths are ignored, as the XDG Base Directory specification says. Nil if the environment has no folder.
package func personalConfigurationFile(_ name: String, _ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/jokesd/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/jokesd/\(name)"
}

/// Returns the path of the running program; nil if it is unknown.
package func ownProgram() -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { bytes in
        readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
}
