/// What is asked for on the command line.
struct Options {
    var jokes = 100_000
    var folder = "/var/tmp"
    var only: [String] = []
    var json = false
    var help = false

    /// What is wrong with the command line, for its writer.
    struct Mistake: Error {
        let description: String
    }

    static var usage: String {
        """
        usage: StoreBenchmark [--only PART,…] [--jokes N] [--folder PATH] [--json] [--help]

          --only PART,…  only these parts
          --jokes N      so many jokes in the store; 100000 without it
          --folder PATH  where the database is made, and removed again; /var/tmp without it. A folder in memory measures
                         another thing than a disk
          --json         one JSON object a line instead of the table

        Parts:

        """ + StoreBenchmark.parts.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
    }

    init(_ arguments: some Collection<String>) throws {
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
            case "--only":
                let names = StoreBenchmark.parts.map { $0.name }
                only = rest.popFirst().map { $0.split(separator: ",").map(String.init) } ?? []
                guard !only.isEmpty, only.allSatisfy(names.contains) else {
                    throw Mistake(description: "--only needs parts of \(names.joined(separator: ", "))")
                }
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }
}
