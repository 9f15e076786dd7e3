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
