import CLinux
import Glibc

/// Returns an environment variable; nil if it is not set.
package func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Returns all environment variables, without entries that have no `=`.
package func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
        entry += 1
    }
    return variables
}

/// Sets `XDG_RUNTIME_DIR` of this process and its children if it is not set, as in cron, su and sudo: to `/run/user/UID` if
/// this user owns the folder. Call it before other threads start.
package func findRuntimeFolder() {
    if environment("XDG_RUNTIME_DIR")?.hasPrefix("/") == true { return }
    let folder = "/run/user/\(geteuid())"
    guard let status = try? fileStatus(at: folder), status.type == S_IFDIR, status.st_uid == geteuid() else { return }
    setenv("XDG_RUNTIME_DIR", folder, 1)
}

/// Returns the path of a file in `$XDG_CONFIG_HOME` or `~/.config`; nil if neither is set.
package func personalConfigurationFile(_ path: String, _ environment: [String: String]) -> String? {
    personalFolder("XDG_CONFIG_HOME", ".config", environment).map { "\($0)/\(path)" }
}

/// Returns the path of a folder in `$XDG_STATE_HOME` or `~/.local/state`; nil if neither is set.
package func personalStateFolder(_ name: String) -> String? {
    personalFolder("XDG_STATE_HOME", ".local/state", environmentVariables()).map { "\($0)/\(name)" }
}

/// Ignores relative paths, as the XDG Base Directory specification says.
private func personalFolder(_ variable: String, _ pathInHome: String, _ environment: [String: String]) -> String? {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(pathInHome)"
}

/// Returns the path of the running program; nil if it is unknown.
package func ownProgram() -> String? {
    let target = try? linkTarget("/proc/self/exe", for: "follow", "/proc/self/exe")
    return target.map { String(decoding: $0, as: UTF8.self) }
}

/// Raises the limit of open descriptors if the hard limit allows it. Returns the limit.
///
/// The default soft limit of 1024 is for select(2), which is not used here.
package func raiseDescriptorLimit(to wanted: Int) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // Cannot fail: the resource exists.
    getrlimit(resource, &limit)
    let goal = min(rlim_t(wanted), limit.rlim_max)
    if limit.rlim_cur < goal {
        limit.rlim_cur = goal
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
    }
    return Int(clamping: limit.rlim_cur)
}

/// Returns freed memory to the kernel, after work in a process that may then be idle for hours.
///
/// Takes about a millisecond, during which other threads cannot allocate.
package func returnFreeMemory() { linux_return_free_memory() }

/// Lets blocks of 64 KiB and more return to the kernel when they are freed.
///
/// To be called at the start of a daemon, so that large messages do not increase its memory permanently.
package func limitFreeMemory() { linux_bound_free_memory() }
