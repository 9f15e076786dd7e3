import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// How watchers are answered, and what is done for them besides.
extension Daemon {
    /// Milliseconds between signs of life: no sooner than is worth a wake-up, and at least daily.
    private static let keepAliveRange: ClosedRange<Int64> = 1000...86_400_000

    func watch(_ call: WatchCall) throws {
        let view = try Wire.view(call.parameters.view)
        let keepAlive = try call.parameters.keepAliveMs.map { milliseconds in
            guard Self.keepAliveRange.contains(milliseconds) else { throw ErrorReply.invalidParameter("keepAliveMs") }
            return Duration.milliseconds(milliseconds)
        }
        if view.shows(.favoriteJokes) { try learnFavorites() }
        // It may show more than was loaded for those before it.
        if view.showsItems(of: .jokes), view.size ?? 0 > catalog.newestCount { try readJokes(for: view) }
        guard call.wantsMore else {
            guard let snapshot = try hub.snapshot(of: view, pictures) else { throw ErrorReply.expectedMore }
            call.reply(snapshot)
            return
        }
        let known = call.parameters.epoch == hub.epoch ? call.parameters.generation : nil
        let number = try hub.add(call, view: view, generation: known, keepAlive: keepAlive, pictures)
        keepAliveChanged()
        call.onDrained { [weak self] in
            self?.assumeIsolated { daemon in
                daemon.attempt("send an update") { try daemon.hub.drained(number) }
            }
        }
        call.onClosed { [weak self] in
            self?.assumeIsolated { daemon in
                daemon.hub.remove(number)
                daemon.keepAliveChanged()
            }
        }
    }

    /// What pictures are made of, as it is now.
    var pictures: Pictures {
        Pictures(catalog: catalog) { [reader] query, limit in
            let found = try reader.search(query, limit: limit)
            return SearchResults(rows: found.rows, count: found.total.count, isExact: found.total.isExact)
        }
    }

    // MARK: Searches

    /// Sees to the views that wait: one a turn of the loop, so that none of them delays what others ask.
    func followSearches() {
        guard hub.hasWaiting, !isSearching else { return }
        isSearching = true
        loop.atEndOfTurn { [weak self] in
            self?.assumeIsolated { daemon in
                daemon.isSearching = false
                daemon.attempt("update a watched search") { try daemon.hub.publishNext(daemon.pictures) }
                daemon.followSearches()
            }
        }
    }

    // MARK: Keeping alive

    /// One timer wakes for all who want it, and none where nobody does. Where somebody has heard something meanwhile it
    /// comes early, and is set anew.
    private func keepAliveChanged() {
        let next = hub.nextKeepAlive
        if let timer = keepAliveTimer {
            if let next, timer.due <= next { return }
            loop.cancel(timer.token)
            keepAliveTimer = nil
        }
        guard let next else { return }
        let token = loop.schedule(at: next) { [weak self] in
            self?.assumeIsolated { daemon in
                daemon.keepAliveTimer = nil
                daemon.attempt("send a keep-alive") { try daemon.hub.keepAlive() }
                daemon.keepAliveChanged()
            }
        }
        keepAliveTimer = (token, next)
    }
}

extension Wire {
    /// The view that a watcher asks for.
    static func view(_ view: View?) throws(ErrorReply) -> JokesCore.View {
        if let query = view?.query, !(1...JokesCore.View.longestQuery).contains(query.utf8.count) {
            throw .invalidParameter("view.query")
        }
        if let size = view?.size, !(1...JokesCore.View.largestSize).contains(size) {
            throw .invalidParameter("view.size")
        }
        return JokesCore.View(
            query: view?.query, sections: try sections(view?.sections, of: "view.sections"), size: view?.size,
            collapsed: try sections(view?.collapsed, of: "view.collapsed") ?? []
        ).canonical
    }

    private static func sections(
        _ names: [String]?, of parameter: String
    ) throws(ErrorReply) -> Set<JokesCore.Section.ID>? {
        guard let names else { return nil }
        let sections = Set(names.map(JokesCore.Section.ID.init(rawValue:)))
        guard sections.isSubset(of: JokesCore.Section.ID.allCases) else { throw .invalidParameter(parameter) }
        return sections
    }
}
