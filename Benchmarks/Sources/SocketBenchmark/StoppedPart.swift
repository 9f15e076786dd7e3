import Measuring

/// A thousand watchers, one of which stops reading.
enum StoppedPart: Part {
    static let name = "stopped"
    static let summary = "memory for each of 1,000 watchers, and a favorite, to 999 of them while one reads nothing"
    private static let watchers = 1_000
    private static let rounds = 100

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let process = daemon.measuredProcess
        let stars = try StarCalls(to: daemon)
        // The memory of the first watcher and the first favorite must not count for each watcher.
        do {
            let one = try Audience(1, at: daemon.socket, call: ChangePart.watch)
            for _ in 0..<4 { _ = try stars.next(before: one) }
        }
        let before = try process.anonymousMemory()
        let audience = try Audience(watchers - 1, at: daemon.socket, call: ChangePart.watch)
        let other = try RawConnection(to: daemon.socket)
        try other.send(ChangePart.watch)
        try other.receive()
        let connected = try process.anonymousMemory()
        var (all, stopped) = (Stars(), Stars())
        func withAllReading() throws {
            for _ in 0..<rounds {
                try all.add(process) { try stars.next(before: audience).untilLast }
                try other.receive()
            }
        }
        try withAllReading()
        let reported = try process.anonymousMemory()
        try fill(other) { _ = try stars.next(before: audience) }
        for _ in 0..<2 * rounds { try stopped.add(process) { try stars.next(before: audience).untilLast } }
        let atEnd = try process.anonymousMemory()
        while other.waitingBytes > 0 { _ = try other.receiveSome() }
        try withAllReading()
        try daemon.stop()
        let each = { (memory: Double) in [(memory - before) * 1000 / Double(watchers)] }
        return [
            Figure(part: name, what: "memory for each, connected", values: each(connected), unit: "kB"),
            Figure(part: name, what: "memory for each, after \(rounds) changes", values: each(reported), unit: "kB"),
            Figure(part: name, what: "memory for each, one not reading", values: each(atEnd), unit: "kB"),
            Figure(
                part: name, what: "a favorite, to the last of 999, one not reading", values: stopped.times,
                yardstick: ("with all reading", all.times)),
            Figure(
                part: name, what: "processor time of the daemon for that", values: stopped.processor,
                yardstick: ("with all reading", all.processor)),
        ]
    }

    /// The times of favorites, in milliseconds.
    private struct Stars {
        var times: [Double] = []
        /// The processor times of the daemon.
        var processor: [Double] = []

        mutating func add(_ process: MeasuredProcess, _ star: () throws -> Double) throws {
            let before = try process.processorTime()
            times.append(try star())
            processor.append(try process.processorTime() - before)
        }
    }

    /// Repeats until the kernel accepts no more bytes for a connection that is not read.
    private static func fill(_ connection: RawConnection, _ star: () throws -> Void) throws {
        var before = -1
        while connection.waitingBytes > before {
            before = connection.waitingBytes
            for _ in 0..<8 { try star() }
        }
    }
}
