import Glibc
import JSON
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// Clients written in Python from docs/protocol.md, whose connections to a daemon are cut at random moments.
final class TornWatchers {
    /// A client.
    struct Watched {
        /// As `Watch` takes them, in JSON: it comes back with any of them, and is compared with the first.
        var views: [String]
        /// Whether it reads only by and by.
        var isSlow = false

        init(_ views: String..., isSlow: Bool = false) {
            self.views = views
            self.isSlow = isSlow
        }
    }

    private struct Meeting: Decodable {
        struct Counts: Decodable {
            var messages: Int
            var torn: Int
        }

        var pictures: [PlainJSON]
        var counts: [Counts]
    }

    private let daemon: DaemonUnderTest
    private let watched: [Watched]
    private let process: ChildProcess
    /// Its standard input.
    private let commands: Descriptor
    private var meetings = 0

    init(_ daemon: DaemonUnderTest, _ watched: [Watched], seed: UInt64) throws {
        self.daemon = daemon
        self.watched = watched
        let folder = daemon.folder.path("wires")
        try retrying("make", folder) { mkdir(folder, 0o700) }
        let pipe = daemon.folder.path("commands")
        try retrying("make", pipe) { mkfifo(pipe, 0o600) }
        // Readable as well, so that neither this nor the program's start waits for the other.
        commands = Descriptor(owning: try retrying("open", pipe) { open(pipe, O_RDWR | O_CLOEXEC) })
        let views = watched.map { #"{"views": [\#($0.views.joined(separator: ","))], "slow": \#($0.isSlow)}"# }
        process = try ChildProcess(
            try #require(PlainPython.path),
            PlainPython.arguments(
                "torn_watchers.py", [daemon.socket, folder, "\(seed)", "[\(views.joined(separator: ", "))]"]),
            input: pipe)
    }

    /// Lets those who are slow read a little.
    func turn() throws {
        try writeFully("turn\n", to: commands.rawValue)
    }

    /// Waits until every client has the daemon's newest generation of its view, and holds its picture against the
    /// daemon's snapshot.
    ///
    /// The daemon must have nothing to do but what changes no picture for good.
    /// - Returns: how many messages the clients have taken, and how often they were cut off, up to now.
    func meet() throws -> (messages: Int, torn: Int) {
        let deadline = Deadline()
        while true {
            let expected = try watched.map { try snapshot(of: $0.views[0]) }
            let meeting = try pictures(reaching: expected, deadline)
            if try isSettled(meeting.pictures, expected) {
                return (meeting.counts.reduce(0) { $0 + $1.messages }, meeting.counts.reduce(0) { $0 + $1.torn })
            }
            // Something was shown between the daemon's answer and the clients'.
            if deadline.isPast { throw DeadlinePassed("the pictures stood still") }
        }
    }

    private func pictures(reaching expected: [PlainJSON], _ deadline: Deadline) throws -> Meeting {
        let goals = expected.map { PlainJSON.list([$0["epoch"] ?? .null, $0["generation"] ?? .null]) }
        try writeFully("meet \(try JSONEncoding.text(of: goals))\n", to: commands.rawValue)
        meetings += 1
        do {
            let lines = try process.output.waitForLines(meetings, deadline)
            return try JSONDocument(Array(lines[meetings - 1].utf8)).root.decode(Meeting.self)
        } catch let error as DeadlinePassed {
            // A rule that is broken ends it, and is said beside.
            _ = try? process.waitForEnd(deadline)
            throw BrokenLaw("\(error) \(process.errors.text)")
        }
    }

    /// False where a client has a later generation than what it is compared with.
    private func isSettled(_ pictures: [PlainJSON], _ expected: [PlainJSON]) throws -> Bool {
        try #require(pictures.count == expected.count)
        var isSettled = true
        for (index, picture) in pictures.enumerated() {
            if picture["epoch"] == expected[index]["epoch"] && picture["generation"] == expected[index]["generation"] {
                try hold(picture == expected[index], parting(watched[index].views[0], picture, expected[index]))
            } else {
                isSettled = false
            }
        }
        return isSettled
    }

    /// Where a picture and the daemon's part first.
    private func parting(_ view: String, _ picture: PlainJSON, _ expected: PlainJSON) -> String {
        let (here, there) = (lines(of: picture), lines(of: expected))
        let index = Array(zip(here, there)).firstIndex { $0 != $1 } ?? min(here.count, there.count)
        let rows = [here, there].map { $0.dropFirst(index).first ?? .null }
        return "view \(view), row \(index): \(rows[0]) and not \(rows[1])"
    }

    /// Headers and items in their order.
    private func lines(of picture: PlainJSON) -> [PlainJSON] {
        (picture["snapshot"]?.elements ?? []).flatMap { [$0["section"] ?? .null] + ($0["items"]?.elements ?? []) }
    }

    /// What `Watch` answers without `more`; where that is more than a message may be, the pieces that come with it, put
    /// together.
    private func snapshot(of view: String) throws -> PlainJSON {
        let parameters = PlainJSON.members(["view": try PlainJSON(view)])
        var whole = try wholeSnapshot(parameters) ?? snapshotInPieces(parameters)
        whole["complete"] = nil
        return whole
    }

    private func client() throws -> VarlinkClient {
        try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
    }

    private func wholeSnapshot(_ parameters: PlainJSON) throws -> PlainJSON? {
        do {
            return try client().call(WatchMethod.fullName, parameters, returning: PlainJSON.self)
        } catch VarlinkError.refused(.expectedMore) {
            return nil
        }
    }

    private func snapshotInPieces(_ parameters: PlainJSON) throws -> PlainJSON {
        let replies = try client().stream(WatchMethod.fullName, parameters, returning: PlainJSON.self)
        var pieces: [PlainJSON] = []
        while let piece = try replies.next() {
            pieces.append(piece)
            if piece["complete"] != .flag(false) { break }
        }
        var whole = try #require(pieces.last)
        whole["snapshot"] = .list(Self.sections(of: pieces))
        return whole
    }

    /// What is in all pieces, sections in the order in which they were named first.
    private static func sections(of pieces: [PlainJSON]) -> [PlainJSON] {
        var sections: [PlainJSON] = []
        for filled in pieces.flatMap({ $0["snapshot"]?.elements ?? [] }) {
            if let index = sections.firstIndex(where: { $0["section"] == filled["section"] }) {
                let items = [sections[index], filled].flatMap { $0["items"]?.elements ?? [] }
                sections[index]["items"] = .list(items)
            } else {
                sections.append(filled)
            }
        }
        return sections
    }
}
