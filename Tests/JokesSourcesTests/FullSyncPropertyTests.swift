import JokesCore
import JokesSources
import TestSupport
import Testing

/// Properties of each service with full syncs, for random catalogs, interruptions and answers.
@Suite struct FullSyncPropertyTests {
    @Test("jokeapi: an interrupted full sync returns every joke and requests each range once")
    func jokeAPI() async throws {
        let server = try UpstreamServer(JokeAPIService([]))
        try await checkFullSyncs(of: server, .jokeAPI, hostile: HostileAnswers.jokeAPI) { random, size in
            let languages = ["en", "de", "cs"].shuffled(using: &random).prefix(random.int(in: 1..<4))
            let jokes = languages.flatMap { language in
                randomIDs(0, size, &random).map { JokeAPIService.Joke($0, lang: language, "Joke \($0).") }
            }
            server.service = JokeAPIService(jokes)
            return FullSyncCase(
                ids: Set(jokes.map { "\($0.lang!):\($0.id)" }),
                requests: 1 + languages.reduce(0) { $0 + server.service.lastID($1) / 10 + 1 }
            ) { $0.languages = Array(languages) }
        }
    }

    @Test("icanhazdadjoke: an interrupted full sync returns every joke and requests each page once")
    func iCanHazDadJoke() async throws {
        let server = try UpstreamServer(DadJokeService([]))
        try await checkFullSyncs(of: server, .iCanHazDadJoke, hostile: HostileAnswers.dadJoke) { random, size in
            let ids = randomIDs(0, 4 * size, &random).map { "id\($0)" }.shuffled(using: &random)
            server.service = DadJokeService(ids.map { DadJokeService.Joke($0, "Joke \($0).") })
            return FullSyncCase(ids: Set(ids), requests: (ids.count + 29) / 30)
        }
    }

    @Test("blagues-api: an interrupted full sync returns every joke and requests each number once")
    func blaguesAPI() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("token", to: "token")
        let server = try UpstreamServer(BlaguesService([], token: "token"))
        try await checkFullSyncs(of: server, .blaguesAPI, hostile: HostileAnswers.blagues) { random, size in
            let ids = randomIDs(1, size, &random)
            server.service = BlaguesService(ids.map { BlaguesService.Joke($0, "Q \($0)", "R") }, token: "token")
            return FullSyncCase(ids: Set(ids.map { "\($0)" }), requests: 1 + ids.max()!) { $0.token = .file(path) }
        }
    }
}

/// At least one number, with gaps between them.
private func randomIDs(_ first: Int, _ size: Int, _ random: inout SplitMix64) -> [Int] {
    var id = first
    return (0...random.int(in: 0..<(2 * size))).map { _ in
        id += random.chance(1, in: 8) ? random.int(in: 1..<40) : 1
        return id - 1
    }
}

/// A catalog, and the expected full sync.
private struct FullSyncCase {
    let ids: Set<String>
    /// The number of requests of a full sync without errors.
    let requests: Int
    var adjust: (inout SourceConfiguration) -> Void = { _ in }
}

/// Reads random catalogs: some with a new reader for each step and some failed steps, some with limits, and some with
/// wrong answers.
private func checkFullSyncs<Service: UpstreamService>(
    of server: UpstreamServer<Service>, _ kind: SourceKind, hostile: [@Sendable (LoopbackRequest) -> LoopbackAnswer],
    _ generate: (inout SplitMix64, Int) -> FullSyncCase
) async throws {
    // Each case sends many requests.
    let (stage, cases) = (Stage(), scaled(150))
    for number in 0..<cases {
        var random = SplitMix64(seed: testSeed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        let fullSync = generate(&random, 1 + number * 8 / cases)
        let reader = { try stage.reader(kind, at: server.url, fullSync.adjust) }
        do {
            switch number % 3 {
            case 0: try await checkInterrupted(fullSync, server, reader, &random)
            case 1: try await checkLimited(fullSync, reader, &random)
            default: try await checkHostile(fullSync, server, reader, hostile, &random)
            }
        } catch {
            try verify(false, "case \(number), JOKESD_TEST_SEED=\(testSeed) repeats it: \(error)")
        }
    }
}

/// Replaces the next answer of the server.
private func interfereOnce<Service>(
    with server: UpstreamServer<Service>, _ answer: @escaping @Sendable (LoopbackRequest) -> LoopbackAnswer
) {
    let isSpent = Locked(false)
    server.answerOverride = { request in
        isSpent.withLock { isSpent in
            defer { isSpent = true }
            return isSpent ? nil : answer(request)
        }
    }
}

private func checkInterrupted<Service>(
    _ fullSync: FullSyncCase, _ server: UpstreamServer<Service>, _ reader: () throws -> any JokeSource,
    _ random: inout SplitMix64
) async throws {
    let before = server.server.requests.count
    var (position, ids, failures, begins, completes) = (SourcePosition(), Set<String>(), 0, 0, 0)
    var steps = 0
    while completes == 0 {
        steps += 1
        try verify(steps < 4 * fullSync.requests + 100, "the sync does not end")
        if random.chance(1, in: 3) {
            failures += 1
            interfereOnce(with: server) { _ in .html("Oops", status: 502) }
        }
        let asked = server.server.requests.count
        let outcome = try await stepOrFailure(reader(), from: position)
        try verify(server.server.requests.count == asked + 1, "a step is one request")
        guard let batch = outcome else { continue }
        position = batch.position
        try verify(batch.beginsFullSync == (begins == 0), "a full sync begins with its first batch")
        begins += 1
        ids.formUnion(batch.jokes.compactMap(\.upstreamID))
        completes += batch.progress == .complete ? 1 : 0
        try verify(batch.progress == .more || batch.progress == .complete, "\(batch.progress) after step \(steps)")
    }
    server.answerOverride = nil
    try verify(ids == fullSync.ids, "returned \(ids.sorted()) of \(fullSync.ids.sorted())")
    let requests = server.server.requests.count - before
    try verify(requests == fullSync.requests + failures, "\(requests) requests, not \(fullSync.requests) + \(failures)")
    let next = try await reader().nextBatch(from: position, atMost: nil)
    try verify(next.progress == .unchanged && next.jokes.isEmpty, "\(next.progress) after the full sync")
}

private func stepOrFailure(
    _ reader: any JokeSource, from position: SourcePosition, limit: Int? = nil
) async throws -> SourceBatch? {
    do {
        return try await reader.nextBatch(from: position, atMost: limit)
    } catch {
        return nil
    }
}

private func checkLimited(
    _ fullSync: FullSyncCase, _ reader: () throws -> any JokeSource, _ random: inout SplitMix64
) async throws {
    var (position, ids, completes, left) = (SourcePosition(), Set<String>(), 0, 0)
    var steps = 0
    while completes == 0 {
        steps += 1
        try verify(steps < 20 * (fullSync.ids.count + fullSync.requests), "the sync does not end")
        if left == 0 { left = random.int(in: 1..<40) }
        let batch = try await reader().nextBatch(from: position, atMost: left)
        try verify(batch.jokes.count <= left, "\(batch.jokes.count) jokes, at most \(left) allowed")
        position = batch.position
        left = batch.progress == .more ? left - batch.jokes.count : 0
        ids.formUnion(batch.jokes.compactMap(\.upstreamID))
        completes += batch.progress == .complete ? 1 : 0
    }
    try verify(ids == fullSync.ids, "returned \(ids.sorted()) of \(fullSync.ids.sorted())")
}

private func checkHostile<Service>(
    _ fullSync: FullSyncCase, _ server: UpstreamServer<Service>, _ reader: () throws -> any JokeSource,
    _ hostile: [@Sendable (LoopbackRequest) -> LoopbackAnswer], _ random: inout SplitMix64
) async throws {
    var (position, ids) = (SourcePosition(), Set<String>())
    let (before, steps) = (server.server.requests.count, fullSync.requests + 20)
    for _ in 0..<steps {
        if random.chance(1, in: 3) { interfereOnce(with: server, hostile.randomElement(using: &random)!) }
        guard let batch = try await stepOrFailure(reader(), from: position) else { continue }
        position = batch.position
        if batch.beginsFullSync { ids = [] }
        ids.formUnion(batch.jokes.compactMap(\.upstreamID))
        if batch.progress == .complete {
            try verify(ids.isSuperset(of: fullSync.ids), "complete with \(ids.sorted()) of \(fullSync.ids.sorted())")
        }
    }
    server.answerOverride = nil
    let requests = server.server.requests.count - before
    try verify(requests <= 10 * steps, "\(requests) requests in \(steps) steps")
    // After the errors, the source must recover. It may request many numbers after the end.
    for _ in 0..<(4 * fullSync.requests + 1000) {
        let batch = try await reader().nextBatch(from: position, atMost: nil)
        position = batch.position
        if batch.progress == .unchanged { return }
    }
    try verify(false, "no sync is without changes")
}

/// Answers that are malformed, contradict themselves, or belong to another request.
private enum HostileAnswers {
    typealias Answer = @Sendable (LoopbackRequest) -> LoopbackAnswer

    private static let anywhere: [Answer] = [
        { _ in .html("Fine") }, { _ in .html("No", status: 403) }, { _ in .html("Away", status: 503) },
        { _ in .json("[]") }, { _ in .json("{}") }, { _ in .json("null") }, { _ in .json("[{}]") },
        { _ in .json("1e30") },
        { _ in .json("") }, { _ in .json("{\"id\":") }, { _ in LoopbackAnswer(status: 204) },
        { _ in LoopbackAnswer(status: 304) }, { _ in .redirect(to: "/elsewhere") },
        { _ in .json(String(repeating: "[", count: 50_000)) },
    ]

    static let jokeAPI: [Answer] =
        anywhere + [
            { _ in .json(#"{"error":false,"amount":0,"jokes":[]}"#) }, { _ in .json(#"{"error":false,"jokes":[7]}"#) },
            { _ in .json(#"{"error":true,"code":"101","message":"x"}"#) },
            { _ in .json(#"{"error":false,"jokes":{"categories":[],"idRange":{"en":[0,1e9]}}}"#) },
            { _ in
                .json(#"{"error":false,"category":"Pun","type":"single","joke":"J","flags":{},"id":99999,"lang":"en"}"#)
            },
            { _ in .json(#"{"error":false,"category":"Pun","type":"single","joke":"J","id":0,"lang":"xx"}"#) },
        ]

    static let dadJoke: [Answer] =
        anywhere + [
            { _ in .json(#"{"message":"x","status":404}"#) },
            { _ in .json(#"{"current_page":1,"results":[],"status":200,"total_jokes":900,"total_pages":30}"#) },
            { request in
                let results = #"[{"id":"other\#(request.target)","joke":"J"},{"id":1e30,"joke":"J"},7]"#
                return .json(#"{"results":\#(results),"status":200,"total_jokes":9000,"total_pages":999}"#)
            },
            { _ in
                .json(#"{"results":[{"id":"o","joke":"J"}],"status":200,"total_jokes":900,"total_pages":99}"#)
            },
        ]

    static let blagues: [Answer] =
        anywhere + [
            { _ in .json(#"{"status":404,"error":"Not Found","message":"x"}"#) },
            { _ in .json(#"{"status":500,"error":"x","message":"x"}"#) }, { _ in .json(#"{"count":1e9}"#) },
            { _ in .json(#"{"status":404,"error":"Not Found","message":"x"}"#, status: 404) },
            { _ in .json(#"{"id":99999,"type":"dev","joke":"Q","answer":"R"}"#) },
        ]
}
