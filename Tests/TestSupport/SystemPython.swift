/// The python3 of the system, for the clients in Tests/Clients, which use only the standard library.
package enum SystemPython {
    /// The path of the first python3 in `PATH`; `nil` if there is none.
    package static let path = programInPath("python3")

    /// The reason to skip a test that needs Python.
    package static let skipReason = "There is no python3: make test installs one."

    /// Returns the path of a file in Tests/Clients.
    package static func clientPath(_ name: String) -> String {
        checkoutPath("Tests/Clients/\(name)")
    }

    /// Returns the path of a file in the checkout.
    package static func checkoutPath(_ name: String) -> String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/\(name)"
    }

    /// Returns the arguments of Python for a client. The option -B prevents .pyc files in the checkout.
    package static func arguments(_ client: String, _ more: [String]) -> [String] {
        ["-B", clientPath(client)] + more
    }
}
