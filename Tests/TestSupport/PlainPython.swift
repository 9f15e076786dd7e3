import Glibc

/// A Python with only the standard library, for the clients in Tests/Clients.
package enum PlainPython {
    /// The path of the first python3 in `PATH`; `nil` if there is none.
    package static let path: String? = {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/python3" }.first { access($0, X_OK) == 0 }
    }()

    /// The reason to skip a test that needs Python.
    package static let absence = "There is no python3: make test installs one."

    /// Returns the path of a file in Tests/Clients.
    package static func client(_ name: String) -> String {
        checkout("Tests/Clients/\(name)")
    }

    /// Returns the path of a file in the checkout.
    package static func checkout(_ name: String) -> String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(name)"
    }

    /// Returns the command line of a client. Python writes no compiled files next to it.
    package static func arguments(_ client: String, _ more: [String]) -> [String] {
        ["-B", self.client(client)] + more
    }
}
