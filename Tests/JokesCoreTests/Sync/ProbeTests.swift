import JokesCore
import Testing

@Suite("Probes within a server's rate")
struct ProbeTests {
    private func feed(_ host: String, name: String = "new", local: Bool = false) -> SourceConfiguration {
        SourceConfiguration(name: name, kind: .rss, url: "https://\(host)/feed", allowLocalNetwork: local)
    }

    @Test("a second probe of a server waits for the minimum pause, and other servers do not")
    func pause() {
        var planner = SyncPlanner()
        let pause = SourceConfiguration(name: "x", kind: .rss).minPause
        #expect(planner.startProbe(of: feed("a.org"), at: Sync.moment(.zero)) == .admitted)
        #expect(planner.startProbe(of: feed("A.org:443"), at: Sync.moment(.seconds(5))).wait == pause - .seconds(5))
        #expect(planner.startProbe(of: feed("b.org"), at: Sync.moment(.seconds(5))) == .admitted)
        #expect(planner.startProbe(of: feed("a.org"), at: Sync.moment(pause)) == .admitted)
        for _ in 0..<3 {
            #expect(planner.startProbe(of: feed("c.local", local: true), at: Sync.moment(.zero)) == .admitted)
        }
    }

    @Test("a source that is added after its probe continues with its pause and its rate")
    func added() throws {
        var planner = SyncPlanner()
        let new = feed("a.org")
        #expect(planner.startProbe(of: new, at: Sync.moment(.zero)) == .admitted)
        for _ in 0..<3 { #expect(planner.request(of: new, at: Sync.moment(.zero)) == .admitted) }
        planner.configure([feed("b.org", name: "b"), new], states: [:], now: Sync.moment(.seconds(2)))
        #expect(planner.startDue(at: Sync.moment(.seconds(2))) == ["b"])
        let full = try #require(planner.requestsLeft(of: "b", at: Sync.moment(.seconds(2))))
        #expect(planner.requestsLeft(of: "new", at: Sync.moment(.seconds(2))) == full - 3)
        #expect(planner.startDue(at: Sync.moment(SourceConfiguration(name: "x", kind: .rss).minPause)) == ["new"])
    }

    @Test("a probe that must wait is answered with the reason")
    func reason() {
        var planner = SyncPlanner()
        let new = feed("Example.org:443")
        #expect(planner.startProbe(of: new, at: Sync.moment(.zero)) == .admitted)
        #expect(planner.admitRequest(of: new, at: Sync.moment(.zero)) == .admitted)
        planner.requestEnded(of: new, retryAfter: Sync.hour, at: Sync.moment(.zero))
        #expect(
            planner.startProbe(of: new, at: Sync.moment(.zero))
                == .after(Sync.hour, reason: "example.org asked to wait 60 minutes"))
        #expect(
            planner.startProbe(of: feed("b.org"), at: Sync.moment(.zero)) == .admitted)
        #expect(
            planner.startProbe(of: feed("b.org"), at: Sync.moment(.zero))
                == .after(.seconds(20), reason: "b.org gets the next request in 20 seconds"))
    }

    @Test("the number of probed servers is limited, and they are forgotten when their rates are unused")
    func limited() {
        var planner = SyncPlanner()
        let hosts = (0..<200).map { feed("h\($0).org") }
        let started = hosts.filter { planner.startProbe(of: $0, at: Sync.moment(.zero)) == .admitted }
        #expect(started.count == 100)
        #expect(hosts.suffix(100).allSatisfy { planner.startProbe(of: $0, at: Sync.moment(Sync.hour)) == .admitted })
    }
}
