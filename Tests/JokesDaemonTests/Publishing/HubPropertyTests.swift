import Diffable
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing

@testable import JokesDaemon

/// The properties of publishing, for all changes, views and clients:
///
/// 1. A client that continues to read ends with the daemon's snapshot of its view. The client may be slow or stop, and may
///    return with an older snapshot of this view or another view.
/// 2. A client gets a message only after it has received the last message.
/// 3. Generations never decrease.
/// 4. One search runs per turn, and one for each view, even if the jokes change several times before its turn.
/// 5. Equal views share one snapshot, one difference and one encoding.
/// 6. The memory for returning clients and for clients that stopped reading is limited.
@Suite struct HubPropertyTests {
    /// A client that connects and disconnects.
    private struct Client {
        let watcher = StubConnection()
        var view: View
        var number: Int?
        /// The number of reads in four steps, on average.
        var readRate: Int
        /// True if the client forgets its snapshot before it connects again.
        var forgetsSnapshot: Bool
    }

    private struct Run: CustomStringConvertible {
        let seed: UInt64
        let steps: Int
        var description: String { "\(steps) steps of seed \(seed)" }
    }

    @Test("all clients end with the daemon's snapshot of their view, even if they are slow, leave or return")
    func inputs() throws {
        var (differences, snapshots, switches) = (0, 0, 0)
        try checkProperty("watchers", cases: 1200, maxSize: 40) { random, size in
            Run(seed: random.next(), steps: size)
        } property: { run in
            var random = SplitMix64(seed: run.seed)
            let world = HubWorld()
            var clients = (0..<random.int(in: 1..<5)).map { _ in newClient(&random) }
            for _ in 0..<run.steps {
                let generation = world.hub.generation
                try change(world, &random)
                for index in clients.indices { try act(&clients[index], world, &random, &switches) }
                if random.chance(1, in: 2) { try world.hub.publishNext(world.inputs) }
                try verify(world.hub.generation >= generation, "generations went back")
            }
            try world.publishWaiting()
            for client in clients where client.number != nil {
                try read(client, world)
                try verify(client.watcher.queued == 0, "something was queued")
                let shown = client.watcher.followed.snapshot
                try verify(
                    shown == (try world.snapshot(client.view)), "\(client.view) shows \(String(describing: shown))")
            }
            differences += clients.reduce(0) { $0 + $1.watcher.differences }
            snapshots += clients.reduce(0) { $0 + $1.watcher.snapshots }
        }
        // All kinds of messages were sent.
        #expect(
            differences > snapshots && snapshots > scaled(1200) && switches > scaled(300),
            "\(differences), \(snapshots), \(switches)")
    }

    private func newClient(_ random: inout SplitMix64) -> Client {
        Client(view: randomView(&random), readRate: random.int(in: 0..<5), forgetsSnapshot: random.chance(1, in: 4))
    }

    private func randomView(_ random: inout SplitMix64) -> View {
        func some(_ random: inout SplitMix64) -> Set<Section.ID> {
            Set(Section.ID.allCases.filter { _ in random.chance(1, in: 2) })
        }
        return View(
            query: random.chance(1, in: 2) ? ["1", "12", "123", "3 4"][random.int(in: 0..<4)] : nil,
            sections: random.chance(1, in: 4) ? some(&random) : nil,
            size: random.chance(1, in: 3) ? random.int(in: 1..<8) : nil,
            start: random.chance(1, in: 3) ? random.int(in: 1..<12) : 0
        ).canonical
    }

    private func change(_ world: HubWorld, _ random: inout SplitMix64) throws {
        switch random.int(in: 0..<8) {
        case 0, 1, 2:
            let numbers = Array(0..<30).shuffled(using: &random).prefix(random.int(in: 0..<20))
            world.show(numbers.map { HubWorld.joke($0, version: random.int(in: 0..<2)) })
        case 3:
            var jokes = world.jokes
            if jokes.isEmpty { return }
            jokes[random.int(in: 0..<jokes.count)].isFavorite.toggle()
            world.show(jokes)
        case 4:
            let favorite = HubWorld.favorite(random.int(in: 0..<6), note: "\(random.int(in: 0..<2))")
            try world.change { try $0.put(favorite) }
        case 5:
            let id = HubWorld.favorite(random.int(in: 0..<6)).id
            try world.change { try $0.removeFavorite(id) }
        case 6: world.change { $0.syncing = random.chance(1, in: 2) ? ["slow"] : [] }
        default:
            let favorites = (0..<random.int(in: 0..<5)).map { HubWorld.favorite($0) }
            try world.change { try $0.setFavorites(favorites) }
        }
    }

    /// Connects, reads, disconnects, returns, or does nothing.
    private func act(
        _ client: inout Client, _ world: HubWorld, _ random: inout SplitMix64, _ switches: inout Int
    ) throws {
        guard let number = client.number else {
            if random.chance(1, in: 2) { try connect(&client, world, &random) }
            return
        }
        if random.chance(1, in: 12) {
            world.hub.remove(number)
            client.number = nil
            client.watcher.hangUp()
            if random.chance(1, in: 2) {
                client.view = randomView(&random)
                switches += 1
            }
        } else if random.int(in: 0..<4) < client.readRate, try client.watcher.read() {
            try world.hub.sendNext(to: number)
        }
    }

    private func connect(_ client: inout Client, _ world: HubWorld, _ random: inout SplitMix64) throws {
        if client.forgetsSnapshot { client.watcher.followed.forget() }
        let asked = client.watcher.followed.parameters(view: nil)
        client.number = try world.hub.add(
            client.watcher, view: client.view, generation: asked.epoch == nil ? nil : asked.generation,
            world.inputs)
    }

    private func read(_ client: Client, _ world: HubWorld) throws {
        while try client.watcher.read() {
            if let number = client.number { try world.hub.sendNext(to: number) }
        }
    }
}
