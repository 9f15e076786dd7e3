import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import Measuring
import TestSupport
import Unix

/// Twelve sources with long answers, synced at once, and a short source that is refreshed meanwhile.
struct SourceScenario: Sendable {
    let name: String
    let summary: String
    /// The type of the sources.
    let type: String
    let makeBody: @Sendable () -> [UInt8]
    /// True if the sources are files on disk.
    var isFile = false
    /// True if the files grow while they are read.
    var grows = false
    /// True if the answers are refused because they have too many values.
    var isRefused = false

    private static let sources = 12
    /// The name of the short source.
    private static let short = "short"
    /// Growing files grow at each of the first refreshes.
    private static let growingRounds = 100
    private static let timeout = Duration.seconds(240)

    static let all = [
        SourceScenario(name: "jokes", summary: "lists of 100,000 jokes in 7 MB", type: "json") {
            list(100_000) { #"{"id":\#($0),"joke":"the duck of number \#($0) is late again"}"# }
        },
        SourceScenario(name: "strings", summary: "lists of 560,000 different strings in 7 MB", type: "json") {
            list(560_000) { #""joke \#($0)""# }
        },
        SourceScenario(name: "letters", summary: #"lists of 1,900,000 strings "a""#, type: "json") {
            list(1_900_000) { _ in #""a""# }
        },
        SourceScenario(name: "feeds", summary: "JSON Feeds of 80,000 items in 7 MB", type: "jsonfeed") {
            Array(#"{"version":"https://jsonfeed.org/version/1.1","title":"Long","items":"#.utf8)
                + list(80_000) { #"{"id":"\#($0)","content_text":"the duck of number \#($0) is late again"}"# }
                + Array("}".utf8)
        },
        SourceScenario(name: "rss", summary: "RSS feeds of 80,000 items in 7 MB", type: "rss") {
            var text = "<rss version=\"2.0\"><channel><title>Long</title>"
            for number in 0..<80_000 {
                text += "<item><guid>\(number)</guid><description>the duck \(number) is late</description></item>"
            }
            return Array((text + "</channel></rss>").utf8)
        },
        SourceScenario(
            name: "official", summary: "100,000 jokes of an Official Joke API", type: "official-joke-api",
            makeBody: {
                list(100_000) { #"{"type":"general","setup":"Why \#($0)?","punchline":"Because of it."}"# }
            }, isRefused: true),
        SourceScenario(
            name: "files", summary: "fortune files of 1,400,000 jokes in 7 MB", type: "fortune",
            makeBody: { [UInt8](repeatElement(Array("a\n%\n".utf8), count: 1_750_000).joined()) }, isFile: true),
        SourceScenario(
            name: "growing", summary: "fortune files of 100,000 jokes that grow", type: "fortune",
            makeBody: {
                Array((0..<100_000).map { "the duck of number \($0) is late again\n%\n" }.joined().utf8)
            }, isFile: true, grows: true),
    ]

    private static func list(_ count: Int, _ item: (Int) -> String) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for number in 0..<count {
            if number > 0 { text.append(UInt8(ascii: ",")) }
            text += item(number).utf8
        }
        return text + [UInt8(ascii: "]")]
    }

    /// Measures the peak memory of the daemon, and the time of refreshes of the short source.
    func measure(in folder: String) throws -> [Outcome] {
        let folder = "\(folder)/sources-\(name)"
        try makeFolder(folder, mode: 0o700)
        let server = try LoopbackServer()
        let body = makeBody()
        let media = type == "rss" ? "application/rss+xml" : "application/json"
        server.routeEverythingElse { _ in LoopbackAnswer(type: media, body: body) }
        server.route("/short") { request in .json(#"["short joke \#(request.connection)"]"#) }
        let files = (0..<Self.sources).map { "\(folder)/fortunes-\($0)" }
        if isFile { for file in files { try write(body, to: file, mode: "w") } }
        let sources = (0..<Self.sources).map { number in
            let place = isFile ? #""path": "\#(files[number])""# : #""url": "\#(server.url)/\#(number)""#
            let local = isFile ? "" : #", "allowLocalNetwork": true"#
            let map = type == "json" ? #", "map": {"id": ["/id"], "text": ["/joke"]}"# : ""
            return #"{"name": "long\#(number)", "type": "\#(type)", \#(place)\#(local)\#(map)}"#
        }
        let short =
            #"{"name": "\#(Self.short)", "type": "json", "url": "\#(server.url)/short", "allowLocalNetwork": true}"#
        let daemon = try MeasuredDaemon(on: folder, sources: "[\((sources + [short]).joined(separator: ", "))]")
        let times = try refreshTimes(daemon) {
            if grows { for file in files { try write(Array("one more\n%\n".utf8), to: file, mode: "a") } }
        }.sorted()
        let memory = try daemon.measuredProcess.peakMemory()
        let failing = try daemon.connect().call(SourcesMethod.self, SourcesMethod.Parameters()).sources
            .count { $0.failure != nil }
        try daemon.stop()
        return [
            Outcome(name, "failed sources", Double(failing), bar: isRefused ? Double(Self.sources) : 0, ""),
            Outcome(name, "memory, peak, \(Self.sources) sources", memory, bar: 64, "MB"),
            Outcome(name, "Refresh of a short source, p99", times[times.count * 99 / 100], bar: 100, "ms"),
        ]
    }

    /// Refreshes the short source until all other syncs have ended. Returns the time of each refresh.
    private func refreshTimes(_ daemon: MeasuredDaemon, _ step: () throws -> Void) throws -> [Double] {
        let client = try RawClient(daemon.socket)
        defer { client.close() }
        let refresh = Scenario.call("Refresh", #"{"sources":["\#(Self.short)"]}"#, flag: #","more":true"#)
        var times: [Double] = []
        let end = ContinuousClock.now.advanced(by: Self.timeout)
        while ContinuousClock.now < end {
            if times.count < Self.growingRounds { try step() }
            times.append(
                try milliseconds {
                    try client.send(refresh)
                    while let answer = try client.receive(), answer.contains(#""continues":true"#) {}
                })
            usleep(20_000)
            try client.send(Scenario.call("Status"))
            // The first refresh waits for the first jokes of every source.
            if try client.receive()?.contains(#""syncing":false"#) == true { return Array(times.dropFirst()) }
        }
        throw SystemError("sync", "the long sources", code: ETIMEDOUT)
    }

    private func write(_ bytes: [UInt8], to path: String, mode: String) throws {
        guard let file = fopen(path, mode) else { throw SystemError("write", path, code: errno) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SystemError("write", path, code: errno) }
    }
}
