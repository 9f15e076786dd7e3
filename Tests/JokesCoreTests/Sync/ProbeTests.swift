import JokesCore
import TestSupport
import Testing

@Suite("Probes within a server's rate")
struct ProbeTests {
    private var random = SplitMix64(seed: 4)

    private func feed(_ host: String, name: String = "new", local: Bool = false) -> SourceConfiguration {
        SourceConfiguration(name: name, kind: .rss, url: "https://\(host)/feed", allowLocalNetwork: local)
    }

    @Test("a second probe of a server waits for the minimum pause, and other servers do not")
    func pause() {
        var planner = SyncPlanner()
        let pause = SourceKind.rss.traits.minPause
        #expect(planner.startProbe(of: feed("a.org"), at: Sync.moment(.zero)) == nil)
        #expect(planner.startProbe(of: feed("A.org"), at: Sync.moment(.seconds(5))) == pause - .seconds(5))
        #expect(planner.startProbe(of: feed("b.org"), at: Sync.moment(.seconds(5))) == nil)
        #expect(planner.startProbe(of: feed("a.org"), at: Sync.moment(pause)) == nil)
        for _ in 0..<3 { #expect(planner.startProbe(of: feed("c.local", local: true), at: Sync.moment(.zero)) == nil) }
    }

    @Test("the requests of probes and of syncs share the rate of a configured source, also of a disabled one")
    mutating func shared() {
        var planner = SyncPlanner()
        var source = Sync.source("a", rate: RequestRate(requests: 4, per: .seconds(60)))
        source.isEnabled = false
        planner.configure([source], states: [:], now: Sync.moment(.zero))
        #expect(planner.nameForProbe(of: source) == "a")
        #expect(planner.startProbe(of: source, at: Sync.moment(.zero)) == nil)
        #expect(planner.admitProbeRequest(of: source, at: Sync.moment(.zero)) == .admitted)
        #expect(planner.admitRequest(of: "a", at: Sync.moment(.zero)) == .admitted)
        #expect(planner.admitProbeRequest(of: source, at: Sync.moment(.zero)) != .admitted)
        #expect(planner.requestsLeft(of: "a", at: Sync.moment(.zero)) == 0)
        #expect(planner.state(of: "a")?.rateLimitResetAt != nil)
        // A new source on the same server.
        var other = source
        other.name = "b"
        #expect(planner.nameForProbe(of: other) == "a")
        #expect(planner.startProbe(of: other, at: Sync.moment(.seconds(1))) != nil)
    }

    @Test("a source that is added after its probe continues with its pause and its rate")
    func added() throws {
        var planner = SyncPlanner()
        let new = feed("a.org")
        #expect(planner.startProbe(of: new, at: Sync.moment(.zero)) == nil)
        for _ in 0..<3 { #expect(planner.admitProbeRequest(of: new, at: Sync.moment(.zero)) == .admitted) }
        planner.configure([feed("b.org", name: "b"), new], states: [:], now: Sync.moment(.seconds(2)))
        #expect(planner.startDue(at: Sync.moment(.seconds(2))) == ["b"])
        let full = try #require(planner.requestsLeft(of: "b", at: Sync.moment(.seconds(2))))
        #expect(planner.requestsLeft(of: "new", at: Sync.moment(.seconds(2))) == full - 3)
        #expect(planner.startDue(at: Sync.moment(SourceKind.rss.traits.minPause)) == ["new"])
    }

    @Test("a pause that the server asks for delays probes and syncs")
    func retryAfter() {
        var planner = SyncPlanner()
        let new = feed("a.org")
        #expect(planner.startProbe(of: new, at: Sync.moment(.zero)) == nil)
        planner.pauseAfterProbe(of: new, retryAfter: Sync.hour, at: Sync.moment(.zero))
        #expect(planner.startProbe(of: new, at: Sync.moment(.seconds(60))) == Sync.hour - .seconds(60))
        planner.configure([new], states: [:], now: Sync.moment(.seconds(60)))
        #expect(planner.startDue(at: Sync.moment(Sync.hour - .seconds(1))) == [])
        #expect(planner.startDue(at: Sync.moment(Sync.hour)) == ["new"])
    }

    @Test("the number of probed servers is limited, and they are forgotten when their rates are unused")
    func limited() {
        var planner = SyncPlanner()
        let hosts = (0..<200).map { feed("h\($0).org") }
        let started = hosts.filter { planner.startProbe(of: $0, at: Sync.moment(.zero)) == nil }
        #expect(started.count == 100)
        #expect(hosts.suffix(100).allSatisfy { planner.startProbe(of: $0, at: Sync.moment(Sync.hour)) == nil })
    }
}
