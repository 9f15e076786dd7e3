import Measuring
import TestSupport

/// From the start of the daemon until it is ready to be asked.
enum StartPart: Part {
    static let name = "start"
    static let summary = "from start to ready; yardstick: the program from start to end, asked for its version"
    private static let starts = 21

    static func measure(_ cache: Cache) async throws -> [Figure] {
        // The first one shows the jokes by other rules than those that they came under.
        try MeasuredDaemon(on: cache.folder).stop()
        var times: [Double] = []
        var yardstick: [Double] = []
        for _ in 0..<starts {
            let daemon = try MeasuredDaemon(on: cache.folder)
            times.append(daemon.untilReady)
            try daemon.stop()
            yardstick.append(
                try milliseconds { _ = try ChildProcess.run(try MeasuredDaemon.program("jokesd"), ["--version"]) })
        }
        return [
            Figure(
                part: name, what: "\(cache.jokes) jokes", values: times, yardstick: ("jokesd --version", yardstick))
        ]
    }
}
