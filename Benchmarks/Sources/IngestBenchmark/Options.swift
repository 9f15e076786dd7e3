/// What is asked for on the command line.
struct Options {
    var jokes = 100_000
    var folder = "/var/tmp"
    var json = false
    var help = false

    /// What is wrong with the command line, for its writer.
    struct Mistake: Error {
        let description: String
    }

    static let usage = """
        usage: IngestBenchmark [--jokes N] [--folder PATH] [--json] [--help]

          --jokes N      so many jokes in the file; 100000 without it
          --folder PATH  where the file and the databases are made, and removed again; /var/tmp without it. A folder in
                         memory measures another thing than a disk
          --json         one JSON object a line instead of the table
        """

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
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }
}
