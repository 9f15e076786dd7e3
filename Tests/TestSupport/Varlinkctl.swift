import Glibc

/// The varlinkctl of systemd, a client from another project.
package enum Varlinkctl {
    /// The path of the first varlinkctl in `PATH`; `nil` if there is none, or if it cannot stream replies or print JSON.
    package static let path: String? = programInPath("varlinkctl").flatMap { path in
        let help = try? ChildProcess.run(path, ["--help"]).output
        return help.map { $0.contains("--more") && $0.contains("--json") } == true ? path : nil
    }

    /// The reason to skip a test that needs varlinkctl.
    package static let skipReason = "There is no varlinkctl with --more and --json: systemd has it from version 255 on."
}

/// Returns the path of the first program with this name in `PATH`; `nil` if there is none.
package func programInPath(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}
