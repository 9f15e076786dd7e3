/// The options of a benchmark's command line.
package struct BenchmarkOptions {
    package var jokes = 100_000
    package var folder = "/var/tmp"
    /// The names of the selected parts; empty for all parts.
    package var only: [String] = []
    package var json = false
    package var help = false

    /// An error in the command line.
    package struct Mistake: Error {
        package let description: String
    }

    /// Parses the arguments. `parts` are the names for `--only`; if it is empty, the option does not exist.
    package init(_ arguments: some Collection<String>, parts: [String]) throws(Mistake) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": help = true
            case "--json": json = true
            case "--jokes":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Mistake(description: "--jokes needs a positive number")
                }
                jokes = number
            case "--folder":
                guard let path = rest.popFirst(), path.hasPrefix("/") else {
                    throw Mistake(description: "--folder needs an absolute path")
                }
                folder = path
            case "--only" where !parts.isEmpty:
                only = rest.popFirst().map { $0.split(separator: ",").map(String.init) } ?? []
                guard !only.isEmpty, only.allSatisfy(parts.contains) else {
                    throw Mistake(description: "--only needs parts of \(parts.joined(separator: ", "))")
                }
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }
}
