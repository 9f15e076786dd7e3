/// What is asked for on the command line.
struct Options {
    var names = Catalogue.names
    var kinds = Catalogue.kinds
    var runs: Int?
    var json = false
    var help = false

    /// What is wrong with the command line, for its writer.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static var usage: String {
        """
        usage: EngineBenchmark [--only NAME,…] [--ids KIND,…] [--runs N] [--json] [--help]

          --only NAME,…  only these of the names below
          --ids KIND,…   only these kinds of identifiers: \(Catalogue.kinds.joined(separator: ", "))
          --runs N       so many timed runs of each (but one where the standard library takes seconds); without it, as
                         many as a stable median needs
          --json         one JSON object a line instead of the table; the machine's line goes to standard error

        \(Workload.all.map { "  \(padded($0.name, to: 11))\($0.story)" }.joined(separator: "\n"))
          build      100,000 items entered into an empty snapshot in one call
          build-each the same, one call for each
          build-diff a2's snapshots built and compared, in one time
          insert     one item inserted before the middle one, into a copy
          delete     5,000 items deleted in one call, from a copy
          index      1,000 times indexOfItem after an insertion; all of them in one time
          section    1,000 times sectionIdentifier(containingItem:), likewise
          item       1,000 times item(for:), likewise
          edits      10 edits made on what a data source of 100,000 shows, and applied
          apply      the difference of 10 edits applied to a snapshot
          apply-a2   a2's difference applied to a snapshot
          limits     what the machine needs for 100,000 identifiers: to compare them, copy them, hash them by multiplying
                     and by SipHash, put them into an open-addressing table and find them again, fill a Dictionary
        """
    }

    init(_ arguments: some Collection<String>) throws {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": help = true
            case "--json": json = true
            case "--only": names = try Self.list(option, rest.popFirst(), from: Catalogue.names)
            case "--ids": kinds = try Self.list(option, rest.popFirst(), from: Catalogue.kinds)
            case "--runs":
                guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
                    throw Mistake(description: "--runs needs a number from 1 on")
                }
                runs = number
            default: throw Mistake(description: "unknown option \(option)")
            }
        }
    }

    private static func list(_ option: String, _ value: String?, from known: [String]) throws -> [String] {
        let wanted = (value ?? "").split(separator: ",").map(String.init)
        if wanted.isEmpty {
            throw Mistake(description: "\(option) needs a list, such as \(known.prefix(2).joined(separator: ","))")
        }
        if let unknown = wanted.first(where: { !known.contains($0) }) {
            throw Mistake(description: "\(option): there is no \(unknown); there are \(known.joined(separator: ", "))")
        }
        return known.filter(wanted.contains)
    }
}
