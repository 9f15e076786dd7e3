import Measuring

/// The time from the start of the viewer to its first full screen.
enum FramePart: Part {
    static let name = "frame"
    static let summary = "from start to the first full screen; yardsticks: less and newsboat with as many jokes"
    private static let starts = 31

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let viewer = try ShownProgram.viewer(of: daemon, in: cache.folder)
        let others = try [
            ShownProgram.less(cache.jokes, of: daemon, in: cache.folder),
            ShownProgram.newsboat(cache.jokes, of: daemon, in: cache.folder),
        ].compactMap(\.self)
        var times: [Double] = []
        var yardsticks = others.map { _ in [Double]() }
        for _ in 0..<starts {
            times.append(try untilShown(viewer))
            for (index, other) in others.enumerated() { yardsticks[index].append(try untilShown(other)) }
        }
        try daemon.stop()
        let what = "\(cache.jokes) jokes"
        if others.isEmpty { return [Figure(part: name, what: what, values: times)] }
        return zip(others, yardsticks).map { other, values in
            Figure(part: name, what: what, values: times, yardstick: (other.name, values))
        }
    }

    private static func untilShown(_ program: ShownProgram) throws -> Double {
        let shown = try MeasuredTerminal(program)
        let time = try shown.wait(until: program.isShown)
        try shown.stop()
        return time
    }
}

/// The time from a key to its change on the screen, with ten thousand favorites above the jokes.
enum KeyPart: Part {
    static let name = "key"
    static let summary =
        "from a key to the end of its frame, with 10,000 favorites; yardstick: less with as many lines"
    static let favorites = 10_000
    private static let rounds = 20
    /// Keys that each change the screen: rows down and up, half pages, the end and the beginning.
    private static let keys = ["j", "j", "j", "k", "k", "\u{4}", "\u{4}", "\u{15}", "G", "g"]

    static func measure(_ cache: Cache) async throws -> [Figure] {
        try cache.star(favorites)
        let daemon = try MeasuredDaemon(on: cache.folder)
        let shown = try MeasuredTerminal.shown(try .viewer(of: daemon, in: cache.folder))
        let less = try ShownProgram.less(favorites, of: daemon, in: cache.folder).map { try MeasuredTerminal.shown($0) }
        var (times, yardstick) = ([Double](), [Double]())
        for _ in 0..<rounds {
            for key in keys {
                times.append(try shown.type(key))
                if let less { yardstick.append(try less.type(key)) }
            }
        }
        try shown.stop()
        try less?.stop()
        try daemon.stop()
        return [
            Figure(
                part: name, what: "\(favorites) favorites", values: times,
                yardstick: less.map { _ in ("less", yardstick) })
        ]
    }
}

/// Scrolling from the first joke to the last one, a page for each key.
enum ScrollPart: Part {
    static let name = "scroll"
    static let summary =
        "from a key to the end of its frame while paging through all jokes, and the memory at the end; yardstick: less"
    private static let pageDown = "\u{6}"

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let shown = try MeasuredTerminal.shown(try .viewer(of: daemon, in: cache.folder))
        let less = try ShownProgram.less(cache.jokes, of: daemon, in: cache.folder).map {
            try MeasuredTerminal.shown($0)
        }
        var (times, yardstick) = ([Double](), [Double]())
        while !isAtEnd(shown.text) {
            times.append(try shown.type(pageDown))
            // At its end, less prints nothing. A line of less is a joke, so its pages have more jokes.
            if let less, (times.count + 1) * MeasuredTerminal.rows < cache.jokes {
                yardstick.append(try less.type(pageDown))
            }
        }
        let memory = try shown.measuredProcess.anonymousMemory()
        try shown.stop()
        try less?.stop()
        try daemon.stop()
        let slow = times.isEmpty ? [] : [percentile99(times)]
        return [
            Figure(
                part: name, what: "\(times.count) pages", values: times,
                yardstick: less.map { _ in ("less", yardstick) }),
            Figure(part: name, what: "slower than 99 of 100 keys", values: slow),
            Figure(part: name, what: "memory at the last joke", values: [memory], unit: "MB"),
        ]
    }

    /// True if the header shows the number of the last joke, such as `Jokes 84/84`.
    private static func isAtEnd(_ text: String) -> Bool {
        guard let position = text.firstMatch(of: /Jokes ([0-9]+)\/([0-9]+)/) else { return false }
        return position.1 == position.2
    }

    private static func percentile99(_ times: [Double]) -> Double { times.sorted()[times.count * 99 / 100] }
}

/// Thirty seconds without any events.
enum ViewerIdlePart: Part {
    static let name = "idle"
    static let summary = "context switches of all threads of the idle viewer in 30 s; yardstick: less"

    static func measure(_ cache: Cache) async throws -> [Figure] {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let programs = try [
            ShownProgram.viewer(of: daemon, in: cache.folder), ShownProgram.less(100, of: daemon, in: cache.folder),
        ].compactMap(\.self)
        let shown = try programs.map { try MeasuredTerminal($0) }
        for (program, shown) in zip(programs, shown) { try shown.wait(until: program.isShown) }
        // The programs are used once before, because a program may idle differently after its first key.
        for shown in shown { _ = try shown.type("j") }
        try await Task.sleep(for: .seconds(2))
        let before = try shown.map { try $0.measuredProcess.contextSwitches() }
        try await Task.sleep(for: .seconds(30))
        let after = try shown.map { try $0.measuredProcess.contextSwitches() }
        for shown in shown { try shown.stop() }
        try daemon.stop()
        let switches = zip(before, after).map { Double($1 - $0) }
        return [
            Figure(
                part: name, what: "in 30 s", values: [switches[0]],
                yardstick: switches.count > 1 ? ("less", [switches[1]]) : nil, unit: "switches")
        ]
    }
}

/// The private memory of the viewer.
enum ViewerMemoryPart: Part {
    static let name = "memory"
    static let summary =
        "anonymous memory of the idle viewer, without favorites and with 10,000; yardstick: newsboat"

    static func measure(_ cache: Cache) async throws -> [Figure] {
        var figures = [try figure("no favorites", cache)]
        try cache.star(KeyPart.favorites)
        figures.append(try figure("\(KeyPart.favorites) favorites", cache))
        return figures
    }

    private static func figure(_ what: String, _ cache: Cache) throws -> Figure {
        let daemon = try MeasuredDaemon(on: cache.folder)
        let memory = try memory(of: .viewer(of: daemon, in: cache.folder))
        let newsboat = try ShownProgram.newsboat(cache.jokes, of: daemon, in: cache.folder)
        let other = try newsboat.map { try Self.memory(of: $0) }
        try daemon.stop()
        return Figure(
            part: name, what: what, values: [memory], yardstick: other.map { ("newsboat, all jokes", [$0]) }, unit: "MB"
        )
    }

    private static func memory(of program: ShownProgram) throws -> Double {
        let shown = try MeasuredTerminal.shown(program)
        // When a key is answered, everything after the first screen has also arrived.
        _ = try shown.type("j")
        let memory = try shown.measuredProcess.anonymousMemory()
        try shown.stop()
        return memory
    }
}
