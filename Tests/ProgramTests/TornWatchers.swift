import Glibc
import JSON
import JokesProtocol
import TestSupport
import Testing
import Unix
import Varlink

/// Clients written in Python from docs/protocol.md, whose connections to a daemon are cut at random moments.
final class TornWatchers {
    /// A client and its views.
    struct Watched {
        /// Views as JSON, as `Watch` accepts them. The client reconnects with any of them; the first one is compared.
        var views: [String]
        /// True if it reads slowly.
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

        var snapshots: [AnyJSON]
        var counts: [Counts]
    }

    private let daemon: DaemonUnderTest
    private let watched: [Watched]
    private let process: ChildProcess
    /// The standard input of the program.
    private let commands: Descriptor
    private var meetings = 0

    init(_ daemon: DaemonUnderTest, _ watched: [Watched], seed: UInt64) throws {
        self.daemon = daemon
        self.watched = watched
        let folder = daemon.folder.path("wires")
        try retrying("make", folder) { mkdir(folder, 0o700) }
        let pipe = daemon.folder.path("commands")
        try retrying("make", pipe) { mkfifo(pipe, 0o600) }
        // Also readable, so that opening the FIFO does not wait for the program, or the program for this side.
        commands = Descriptor(owning: try retrying("open", pipe) { open(pipe, O_RDWR | O_CLOEXEC) })
        let views = watched.map { #"{"views": [\#($0.views.joined(separator: ","))], "slow": \#($0.isSlow)}"# }
        process = try ChildProcess(
            try #require(SystemPython.path),
            SystemPython.arguments(
                "torn_watchers.py", [daemon.socket, folder, "\(seed)", "[\(views.joined(separator: ", "))]"]),
            input: pipe)
    }

    /// Lets slow clients read a little.
    func turn() throws {
        try writeFully("turn\n", to: commands.rawValue)
    }

    /// Waits until every client has the daemon's newest generation of its view, and compares its snapshot with the
    /// daemon's.
    ///
    /// The daemon may have no work that changes a snapshot permanently.
    /// - Returns: The numbers of messages and of disconnections of all clients so far.
    func meet() throws -> (messages: Int, torn: Int) {
        let deadline = Deadline()
        while true {
            let expected = try watched.map { try snapshot(of: $0.views[0]) }
            let meeting = try snapshots(reaching: expected, deadline)
            if try isSettled(meeting.snapshots, expected) {
                return (meeting.counts.reduce(0) { $0 + $1.messages }, meeting.counts.reduce(0) { $0 + $1.torn })
            }
            // The daemon has sent another change after its answer here.
            if deadline.isPast { throw DeadlinePassed("the snapshots stopped changing") }
        }
    }

    private func snapshots(reaching expected: [AnyJSON], _ deadline: Deadline) throws -> Meeting {
        let goals = expected.map { AnyJSON.array([$0["epoch"] ?? .null, $0["generation"] ?? .null]) }
        try writeFully("meet \(try JSONEncoding.text(of: goals))\n", to: commands.rawValue)
        meetings += 1
        do {
            let lines = try process.output.waitForLines(meetings, deadline)
            return try JSONDocument(Array(lines[meetings - 1].utf8)).root.decode(Meeting.self)
        } catch let error as DeadlinePassed {
            // A client that finds a violation ends the program and prints it to standard error.
            _ = try? process.waitForEnd(deadline)
            throw BrokenProperty("\(error) \(process.errors.text)")
        }
    }

    /// Returns false if a client has a later generation than the expected snapshot.
    private func isSettled(_ snapshots: [AnyJSON], _ expected: [AnyJSON]) throws -> Bool {
        try #require(snapshots.count == expected.count)
        var isSettled = true
        for (index, snapshot) in snapshots.enumerated() {
            if snapshot["epoch"] == expected[index]["epoch"] && snapshot["generation"] == expected[index]["generation"]
            {
                try verify(snapshot == expected[index], parting(watched[index].views[0], snapshot, expected[index]))
            } else {
                isSettled = false
            }
        }
        return isSettled
    }

    /// Describes the first difference between a client's snapshot and the daemon's.
    private func parting(_ view: String, _ snapshot: AnyJSON, _ expected: AnyJSON) -> String {
        let (here, there) = (lines(of: snapshot), lines(of: expected))
        let index = Array(zip(here, there)).firstIndex { $0 != $1 } ?? min(here.count, there.count)
        let rows = [here, there].map { $0.dropFirst(index).first ?? .null }
        return "view \(view), row \(index): \(rows[0]) and not \(rows[1])"
    }

    /// Returns the headers and items in order.
    private func lines(of snapshot: AnyJSON) -> [AnyJSON] {
        (snapshot["snapshot"]?.elements ?? []).flatMap { [$0["section"] ?? .null] + ($0["items"]?.elements ?? []) }
    }

    /// Returns the answer of `Watch` without `more`. If it is too large for a message, it returns the joined pieces of
    /// a call with `more`.
    private func snapshot(of view: String) throws -> AnyJSON {
        let parameters = AnyJSON.object(["view": try AnyJSON(view)])
        var whole = try wholeSnapshot(parameters) ?? snapshotInPieces(parameters)
        whole["complete"] = nil
        return whole
    }

    private func client() throws -> VarlinkClient {
        try VarlinkClient(connectingTo: daemon.socket, replyLimit: 1 << 20)
    }

    private func wholeSnapshot(_ parameters: AnyJSON) throws -> AnyJSON? {
        do {
            return try client().call(WatchMethod.fullName, parameters, returning: AnyJSON.self)
        } catch VarlinkError.refused(.expectedMore) {
            return nil
        }
    }

    private func snapshotInPieces(_ parameters: AnyJSON) throws -> AnyJSON {
        let replies = try client().stream(WatchMethod.fullName, parameters, returning: AnyJSON.self)
        var pieces: [AnyJSON] = []
        while let piece = try replies.next() {
            pieces.append(piece)
            if piece["complete"] != .bool(false) { break }
        }
        var whole = try #require(pieces.last)
        whole["snapshot"] = .array(Self.sections(of: pieces))
        return whole
    }

    /// Joins the sections of all pieces, in the order of their first piece.
    private static func sections(of pieces: [AnyJSON]) -> [AnyJSON] {
        var sections: [AnyJSON] = []
        for filled in pieces.flatMap({ $0["snapshot"]?.elements ?? [] }) {
            if let index = sections.firstIndex(where: { $0["section"] == filled["section"] }) {
                let items = [sections[index], filled].flatMap { $0["items"]?.elements ?? [] }
                sections[index]["items"] = .array(items)
            } else {
                sections.append(filled)
            }
        }
        return sections
    }
}
