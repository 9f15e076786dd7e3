import JokesCore
import JokesProtocol
import JokesStore
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

/// Random events while several sources share servers with a small rate.
@Suite struct SharedServersTests {
    @Test(
        "with any order of calls, reloads, pauses and long answers, servers keep their rate, waiters get their answers, and nothing is stored after a removal or a stop"
    )
    func randomEvents() async throws {
        for number in 0..<scaled(10) {
            let seed = testSeed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03
            do {
                try await SyncStage.run { stage in
                    try await SharedServers(stage, seed: seed).run(requests: 10)
                }
            } catch {
                throw BrokenProperty("case \(number), JOKESD_TEST_SEED=\(testSeed): \(error)")
            }
        }
    }
}

@ServiceActor
private final class SharedServers {
    private static let rate = RequestRate(requests: 5, per: .milliseconds(300))
    private static let sourcesPerServer = 3
    private static let maxCalls = 6

    private let stage: SyncStage
    private let servers: [RandomServer]
    private var random: SplitMix64
    private var configured: [SourceConfiguration] = []
    /// The calls that are not known to be answered.
    private var refreshes: [PendingReply<RefreshMethod.Reply>] = []
    private var probes: [PendingReply<ProbeMethod.Reply>] = []
    /// The number of jokes of each removed source when its removal was complete.
    private var removed: [String: Int] = [:]
    /// The times of reloads and of the end, which may cancel a request before its answer is read.
    private var cancellations: [BootInstant] = []
    private var checkedUntil = BootInstant.now

    init(_ stage: SyncStage, seed: UInt64) throws {
        self.stage = stage
        random = SplitMix64(seed: seed)
        servers = [try RandomServer(seed: seed &+ 1), try RandomServer(seed: seed &+ 2)]
    }

    /// Runs random events until each server has had this number of requests, syncs as often as the servers allow for as
    /// many requests, and then ends all syncs.
    func run(requests: Int) async throws {
        try await reload(share: 1)
        while servers.contains(where: { $0.requests.count < requests }) {
            let before = progress
            try await performRandomEvent()
            try await checkServers()
            try checkRemoved()
            try await waitUntil("something happens") { progress != before || isIdle && maySync || holdsAnswers }
        }
        try await refreshAll(requests: requests)
        try await end()
        try checkServerLogs()
    }

    private var holdsAnswers: Bool { servers.contains { $0.holdsAnswers } }

    private var isIdle: Bool {
        stage.syncs.isIdle && refreshes.allSatisfy(\.hasEnded) && probes.allSatisfy(\.hasEnded)
    }

    /// True if the servers allow a sync of at least one source now.
    private var maySync: Bool {
        configured.contains { source in
            var planner = stage.syncs.planner
            return planner.refresh(source.name, at: .now) == .started
        }
    }

    /// A number that grows with each request and each slice, and with the end of each sync and call.
    private var progress: Int {
        stage.views.counts.stored + refreshes.count(where: \.hasEnded) + probes.count(where: \.hasEnded)
            + servers.reduce(0) { $0 + $1.requests.count } + stage.outcomes.values.reduce(0) { $0 + $1.count }
    }

    // MARK: Events

    private func performRandomEvent() async throws {
        switch random.int(in: 0..<10) {
        case 0..<4: servers.filter(\.holdsAnswers).randomElement(using: &random)?.release()
        case 4..<8 where refreshes.count(where: { !$0.hasEnded }) < Self.maxCalls:
            let names = configured.filter(\.isEnabled).map(\.name)
            refreshes.append(
                stage.refresh(random.chance(1, in: 2) ? nil : names.filter { _ in random.chance(1, in: 2) }))
        case 8 where probes.count(where: { !$0.hasEnded }) < 3:
            // The URL of the disabled source: a probe of a new one need not keep the pauses of other URLs.
            let url = servers[random.int(in: 0..<servers.count)].server.url
            probes.append(
                stage.call(
                    ProbeMethod.self, ProbeMethod.Parameters(url: url, name: "probe", allowLocalNetwork: true)))
        case 9: try await reload()
        default: break
        }
    }

    /// Adopts random sources: some are removed, some have other requests.
    private func reload(share: Double = 0.75) async throws {
        let old = configured.map(\.name)
        configured = []
        for server in servers {
            configured.append(.guarding(server.server))
            for number in 0..<Self.sourcesPerServer where Double.random(in: 0..<1, using: &random) < share {
                var source = SourceConfiguration.list(
                    "s\(server.server.port)-\(number)", at: server.server, rate: Self.rate)
                if random.chance(1, in: 8) { source.categories = ["other"] }
                configured.append(source)
            }
        }
        let names = configured.map(\.name)
        for name in names { removed[name] = nil }
        if !isIdle { cancellations.append(.now) }
        try await stage.adopt(configured)
        for name in Set(old).subtracting(names) { removed[name] = try stage.stored(name) }
    }

    /// Syncs all sources as often as the servers allow.
    private func refreshAll(requests: Int) async throws {
        for server in servers { server.answerAtOnce(isLong: false) }
        try await waitUntil("all calls are answered") { isIdle }
        try await reload(share: 1)
        try checkServerLogs()
        let before = servers.map(\.requests.count)
        for server in servers { server.pause() }
        while zip(servers, before).contains(where: { $0.requests.count < $1 + requests }) {
            try await waitUntil("a source may be synced") { maySync }
            refreshes.append(stage.refresh())
            try await waitUntil("the syncs have ended") { isIdle }
        }
    }

    /// Ends all syncs while long answers are stored.
    private func end() async throws {
        for server in servers { server.answerAtOnce(isLong: true) }
        let stored = stage.views.counts.stored
        while stage.views.counts.stored <= stored {
            try await waitUntil("a source may be synced") { maySync }
            refreshes.append(stage.refresh())
            try await waitUntil("a slice is stored, or no sync runs") {
                stage.views.counts.stored > stored || isIdle
            }
        }
        let names = configured.map(\.name)
        let before = try names.map(stage.stored)
        let running = stage.syncs.planner.running.count
        cancellations.append(.now)
        await stage.endSyncs()
        let after = try names.map(stage.stored)
        try verify(stage.syncs.isIdle, "a sync runs after the end")
        let growth = zip(before, after).map { $1 - $0 }.max() ?? 0
        try verify(growth <= 2 * JokeStore.sliceCount, "\(growth) jokes were stored during the end of \(running) syncs")
        for server in servers { server.answerAtOnce(isLong: false) }
        try await waitUntil("every call is answered") {
            refreshes.allSatisfy(\.hasEnded) && probes.allSatisfy(\.hasEnded)
        }
        for call in refreshes { try await checkAnswer(of: call) }
        try verify(try names.map(stage.stored) == after, "jokes were stored after the end")
        try checkRemoved()
    }

    // MARK: Checks

    /// Each call gets the ends of all syncs that it follows. A call is only refused for a source that was just removed.
    private func checkAnswer(of call: PendingReply<RefreshMethod.Reply>) async throws {
        guard let replies = try? await call.all(), let first = replies.first else { return }
        let running = first.sources.filter { $0.state == .started || $0.state == .alreadyRunning }.map(\.name)
        let ended = replies.flatMap(\.sources).filter { $0.state == .succeeded || $0.state == .failed }.map(\.name)
        try verify(running.sorted() == ended.sorted(), "a call follows \(running), and got the ends of \(ended)")
    }

    private func checkRemoved() throws {
        for (name, count) in removed {
            let now = try stage.stored(name)
            try verify(now == count, "\(name) had \(count) jokes when it was removed, and \(now) later")
        }
    }

    /// Only the test releases answers, so two requests of one server at a time stay under way here.
    private func checkServers() async throws {
        for server in servers {
            try await waitUntil("a server has one request at a time", Deadline(after: .seconds(10))) {
                server.server.answersUnderWay <= 1
            }
        }
    }

    /// Checks the logs of the servers. Nothing may be under way, or its cancellation is known.
    private func checkServerLogs() throws {
        for server in servers {
            try checkRate(of: server)
            try checkPauses(of: server)
        }
        (cancellations, checkedUntil) = ([], .now)
    }

    /// A request arrives after it was sent, so the first one of a period may belong to an earlier one. Another one may have
    /// been canceled before it arrived.
    private func checkRate(of server: RandomServer) throws {
        let (times, most) = (server.requests, Self.rate.requests + 2)
        for (first, last) in zip(times, times.dropFirst(most)) {
            let span = first.duration(to: last)
            try verify(span > Self.rate.per, "\(most + 1) requests of a server in \(span)")
        }
    }

    private func checkPauses(of server: RandomServer) throws {
        for pause in server.pauses where pause > checkedUntil {
            // An answer to a canceled request is not read.
            guard let next = server.requests.first(where: { $0 > pause }),
                !cancellations.contains(where: { $0 > pause.advanced(by: .seconds(-1)) && $0 < next })
            else { continue }
            let span = pause.duration(to: next)
            try verify(span >= .seconds(1), "a request came \(span) after a server had asked for a pause of a second")
        }
    }
}
