/// The options of the command line.
struct Options {
    var names = Catalogue.names
    var kinds = Catalogue.kinds
    var runs: Int?
    var json = false
    var help = false

    /// An error in the command line.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static var usage: String {
        """
        usage: EngineBenchmark [--only NAME,…] [--ids KIND,…] [--runs N] [--json] [--help]

          --only NAME,…  run only these workloads
          --ids KIND,…   run only with these kinds of identifiers: \(Catalogue.kinds.joined(separator: ", "))
          --runs N       number of timed runs of each (one if the standard library takes seconds); by default, as many as a
                         stable median needs
          --json         print one JSON object per line instead of a table, and the machine to stderr

        \(Workload.all.map { "  \(padded($0.name, to: 11))\($0.story)" }.joined(separator: "\n"))
          build      100,000 items appended to an empty snapshot in one call
          build-each the same, in one call for each item
          group-26   the same, each item to the next of 26 sections; group-1k: of 1,000
          build-diff the snapshots of a2, built and compared
          fresh-…    the first becomes the last, or ten insertions: snapshots in which nothing was looked up before, compared
          10-…       a hundred new snapshots of 10 items, each built and applied to a data source of its own: the same items,
                     one insertion, one move, shuffled, all replaced; 100-…, 300-…, 1000-…
          index-unedited: 1,000 calls of indexOfItem in a snapshot that was never edited
          update-…   the new snapshot of g, e2 or e3, built and applied to a data source
          insert     one item inserted before the middle one, into a copy
          delete     5,000 items deleted in one call, from a copy
          index      1,000 calls of indexOfItem after an insertion
          section    1,000 calls of sectionIdentifier(containingItem:) after an insertion
          item       1,000 calls of item(for:) after an insertion
          edits      10 edits of the 100,000 items of a data source, applied
          apply      the difference of 10 edits applied to a snapshot
          apply-a2   the difference of a2 applied to a snapshot
          limits     time of the machine to compare 100,000 identifiers, copy them, hash them by multiplication and
                     SipHash, put them into an open-addressing table and find them again, and fill a Dictionary
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
                    throw Mistake(description: "--runs needs a positive number")
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
            throw Mistake(description: "\(option): unknown name '\(unknown)'; known: \(known.joined(separator: ", "))")
        }
        return known.filter(wanted.contains)
    }
}
