import Glibc

/// A variable of the environment; nil where it is not set.
package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// All variables of the environment; what has no `=` in it is left out.
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

/// Where a person's own configuration file of this name belongs: `$XDG_CONFIG_HOME/jokesd/`, else `~/.config/jokesd/`.
///
/// The XDG Base Directory specification has relative paths ignored. Nil where the environment names no folder.
package func personalConfigurationFile(_ name: String, _ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/jokesd/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/jokesd/\(name)"
}

/// The file of the program that runs; nil where the kernel does not tell.
package func ownProgram() -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { bytes in
        readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
}
