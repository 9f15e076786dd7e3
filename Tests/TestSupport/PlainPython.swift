import Glibc

/// A Python with nothing but its standard library, for the clients in Tests/Clients.
package enum PlainPython {
    /// Where it is: the first python3 of `PATH`; nil where there is none.
    package static let path: String? = {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/python3" }.first { access($0, X_OK) == 0 }
    }()

    /// Why a test that needs it is skipped.
    package static let absence = "There is no python3: make test installs one."

    /// The path of a file of Tests/Clients.
    package static func client(_ name: String) -> String {
        checkout("Tests/Clients/\(name)")
    }

    /// The path of a file of the checkout.
    package static func checkout(_ name: String) -> String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(name)"
    }

    /// The command line of a client: it leaves no compiled files beside itself.
    package static func arguments(_ client: String, _ more: [String]) -> [String] {
        ["-B", self.client(client)] + more
    }
}
