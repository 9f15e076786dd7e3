/// What is asked for on a benchmark's command line.
package struct BenchmarkOptions {
    package var jokes = 100_000
    package var folder = "/var/tmp"
    /// Names of parts; all where it is empty.
    package var only: [String] = []
    package var json = false
    package var help = false

    /// What is wrong with the command line, for its writer.
    package struct Mistake: Error {
        package let description: String
    }

    /// Reads what follows the program's name; `parts` are the names that `--only` takes, none where it does not exist.
    package init(_ arguments: some Collection<String>, parts: [String]) throws(Mistake) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": help = true
            case "--json": json = true
            case "--jokes":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Mistake(description: "--jokes needs a number from 1 on")
                }
                jokes = number
            case "--folder":
                guard let path = rest.popFirst(), path.hasPrefix("/") else {
                    throw Mistake(description: "--folder needs a path that begins with /")
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
