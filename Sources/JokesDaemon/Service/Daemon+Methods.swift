import HTTP
import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// The methods of the interface about the state of the daemon, and those that read or change jokes and favorites.
///
/// `JokesService.interface` lists all methods.
///
/// A method returns its reply. A method with changes returns after the change is on disk.
extension Daemon {
    /// The reply to `Status`. JokesProtocol has its fields and their documentation in the interface text.
    var status: StatusMethod.Reply {
        let (counts, planner) = (views.counts, syncs.planner)
        var status = StatusMethod.Reply(
            version: jokesdVersion, epoch: views.hub.epoch, generation: views.hub.generation,
            startedAt: startedAt, jokes: views.jokeCounts.values.reduce(JokeCounts(), +))
        (status.favorites, status.excludedFavorites) = (counts.favorites, counts.excludedFavorites)
        (status.sources, status.failing) = (planner.order.count, planner.failing)
        (status.syncing, status.offline) = (views.catalog.header.isSyncing, planner.isOffline)
        (status.lastSync, status.nextSync) = (planner.lastSuccess, planner.nextSync(at: .now))
        (status.subscribers, status.recoveries) = (views.hub.subscriberCount, recoveries)
        (status.storageFailure, status.storageHint) = (writer.failure?.reason, writer.failure?.hint)
        status.reloadFailure = configurationStatus.reloadError
        status.reloadFailedAt = configurationStatus.reloadFailedAt
        return status
    }

    /// The reply to `Sources`: the configured sources, and then the other sources that have jokes.
    var sources: SourcesMethod.Reply {
        let (counts, order) = (views.jokeCounts, syncs.planner.order)
        let others = counts.filter { !order.contains($0.key) }.sorted { $0.key < $1.key }.map { name, jokes in
            let isRemoved = views.counts.removed.contains(name)
            let type: SourceHealth.UnconfiguredType =
                name == StarterJokes.source ? .bundled : isRemoved ? .removed : .imported
            return SourceHealth(name: name, type: type.rawValue, enabled: !isRemoved, jokes: jokes)
        }
        return SourcesMethod.Reply(sources: order.compactMap { health(of: $0, counts) } + others)
    }

    func list(_ parameters: ListMethod.Parameters) throws -> ListMethod.Reply {
        let (request, selection) = (parameters.parameters, try selection(parameters.selection))
        let position = try cursor(request.cursor, PageCursor.init)
        let page = try fittingPage(limit: try pageSize(request.limit), size: { Item.joke($0).estimatedBytes }) {
            try reader.list(selection, after: position, limit: $0)
        }
        return ListMethod.Reply(
            jokes: page.rows, total: page.total, next: page.next?.description)
    }

    func search(_ parameters: SearchMethod.Parameters) throws -> SearchMethod.Reply {
        let request = parameters.parameters
        guard request.query.utf8.count <= View.maxQueryBytes, request.excluded == true || !request.query.isEmpty else {
            throw ErrorReply.invalidParameter("query")
        }
        if request.excluded == true { return try excluded(request, try parameters.selection.validated()) }
        let selection = try selection(parameters.selection)
        let position = try cursor(request.cursor, PageCursor.init)
        let page = try fittingPage(limit: try pageSize(request.limit), size: { Item.found($0).estimatedBytes }) {
            try reader.search(request.query, selection, after: position, limit: $0)
        }
        return SearchMethod.Reply(
            found: page.rows, total: page.total,
            exact: page.total <= JokeReader.maxCountedMatches, next: page.next?.description)
    }

    /// Searches the jokes that are neither shown nor hidden, which have no index of words. Reads a bounded number.
    private func excluded(_ request: SearchMethod.Query, _ selection: JokeSelection) throws -> SearchMethod.Reply {
        let (limit, rules) = (try pageSize(request.limit), configuration.displayRules)
        var (position, jokes) = (try cursor(request.cursor, PageCursor.init), [Joke]())
        let words = request.query.split(separator: " ").map { word in
            JokeFilter(safe: false, words: [String(word)], maxLength: nil)
        }
        for _ in 0..<20 {
            let page = try fittingPage(limit: limit, size: { Item.joke($0).estimatedBytes }) {
                try reader.excludedJokes(after: position, limit: $0)
            }
            jokes = page.rows.filter { joke in
                selection.selects(joke) && words.allSatisfy { !$0.admits(joke.content) }
            }
            position = page.next
            if !jokes.isEmpty || position == nil { break }
        }
        for index in jokes.indices { jokes[index].notShown = try reader.exclusion(of: jokes[index].id, by: rules) }
        let found = jokes.map { FoundJoke(joke: $0, marks: []) }
        return SearchMethod.Reply(found: found, total: found.count, exact: false, next: position?.description)
    }

    func get(_ parameters: JokeParameters) throws -> GetMethod.Reply {
        let id = try resolve(parameters.id)
        guard var joke = try reader.joke(id, includingExcluded: true) else {
            throw JokesError.noSuchJoke(id: parameters.id)
        }
        joke.joke.notShown = try reader.exclusion(of: id, by: configuration.displayRules)
        return joke
    }

    /// Returns the reason why no joke matches, for one source or for all sources.
    func reasonForNoJoke(of source: String?) -> String {
        let ofSource = source.map { views.counts.sources[$0] ?? JokeCounts() }
        if ofSource?.shown ?? views.counts.shown > 0 { return JokesError.noMatchReason }
        let which = source.map { " of '\($0)'" } ?? ""
        if let source, views.counts.removed.contains(source) { return "source '\(source)' is no longer configured" }
        return ofSource?.cached ?? views.counts.stored == 0
            ? "no jokes\(which) are cached yet"
            : "all cached jokes\(which) are hidden, duplicates or excluded by the filter"
    }

    func random(_ parameters: JokeSelection) async throws -> RandomMethod.Reply {
        let selection = try selection(parameters)
        let joke = try await serve(of: selection.source?.single) {
            try $0.random(selection, at: .now)
        } unrecorded: {
            try reader.anyJoke(selection)
        }
        return RandomMethod.Reply(joke: joke)
    }

    /// The time to wait for another program that locks the database: a prompt must not wait longer.
    private static let patienceForRecord: Duration = .milliseconds(250)

    /// Returns a joke that the store has recorded as served. If nothing can be stored, any joke is better than none.
    func serve(
        of source: String? = nil, _ pick: @Sendable (isolated JokeStore) throws -> Joke?,
        unrecorded: () throws -> Joke?
    ) async throws -> Joke {
        let recorded = try? await writer.write(lockTimeout: Self.patienceForRecord, pick)
        if let joke = try recorded ?? unrecorded() { return joke }
        throw JokesError.noJokes(reason: reasonForNoJoke(of: source))
    }

    func favorites(_ parameters: FavoritesMethod.Parameters) throws -> FavoritesMethod.Reply {
        let (request, selection) = (parameters.parameters, try selection(parameters.selection))
        let position = try cursor(request.cursor, PageCursor.init)
        let page = try fittingPage(limit: try pageSize(request.limit), size: { Item.favorite($0).estimatedBytes }) {
            try reader.favorites(selection, after: position, limit: $0)
        }
        return FavoritesMethod.Reply(
            favorites: page.rows, total: page.total, next: page.next?.description)
    }

    func hidden(_ parameters: HiddenMethod.Parameters) throws -> HiddenMethod.Reply {
        let position = try cursor(parameters.cursor, PageCursor.init)
        let page = try fittingPage(
            limit: try pageSize(parameters.limit), size: { Item.joke($0.joke).estimatedBytes },
            { try reader.hiddenJokes(after: position, limit: $0) })
        return HiddenMethod.Reply(
            hidden: page.rows,
            total: page.total, notCached: max(0, try reader.hiddenMarkCount() - page.total),
            next: page.next?.description)
    }

    func abbreviate(_ parameters: AbbreviateMethod.Parameters) throws -> AbbreviateMethod.Reply {
        guard parameters.ids.count <= AbbreviateMethod.maxIDs else { throw ErrorReply.invalidParameter("ids") }
        return AbbreviateMethod.Reply(ids: try parameters.ids.map { try reader.shortID(JokeID(rawValue: $0)) })
    }

    /// Returns the words that begin with a prefix, for completion in a shell.
    func suggest(_ parameters: SuggestMethod.Parameters) throws -> SuggestMethod.Reply {
        let (prefix, limit) = (parameters.prefix, parameters.limit ?? 100)
        // No ID is longer than 1000 bytes.
        guard prefix.utf8.count <= 1000 else { throw ErrorReply.invalidParameter("prefix") }
        guard (1...100).contains(limit) else { throw ErrorReply.invalidParameter("limit") }
        let words =
            switch parameters.what {
            case .id: try ids(.shown, prefix, limit: limit)
            case .favorite: try ids(.favorites, prefix, limit: limit)
            case .hidden: try ids(.hidden, prefix, limit: limit)
            case .removed:
                Array(
                    views.counts.sources.keys.filter { name in
                        name.hasPrefix(prefix) && name != StarterJokes.source
                            && syncs.planner.configuration(of: name) == nil
                    }.sorted().prefix(limit))
            case .category: try reader.categories(beginningWith: prefix, limit: limit)
            case .language: try reader.languages(beginningWith: prefix, limit: limit)
            case .source: Array(syncs.sourceNames.filter { $0.hasPrefix(prefix) }.prefix(limit))
            }
        return SuggestMethod.Reply(words: words)
    }

    /// Returns short IDs, unless the prefix is that of full IDs.
    private func ids(_ kind: JokeReader.IDKind, _ prefix: String, limit: Int) throws -> [String] {
        let ids = try reader.completions(ofIDs: kind, JokeID.prefix(from: prefix), limit: limit)
        return prefix.contains(":") ? ids : try ids.map { try reader.shortID(JokeID(rawValue: $0)) }
    }

    func favorite(_ parameters: FavoriteMethod.Parameters) async throws -> FavoriteMethod.Reply {
        let ids = try resolve(parameters.ids)
        let note = parameters.note.map(Favorite.note)
        if case .some(nil) = note { throw ErrorReply.invalidParameter("note") }
        let favorites = try await writer.write { try $0.favorite(ids, note: note ?? nil, at: .now) }
        for favorite in favorites { try views.changeFavorites { try $0.put(favorite) } }
        return FavoriteMethod.Reply(favorites: favorites)
    }

    func unfavorite(_ parameters: JokeIDs) async throws -> ChangeReply {
        let ids = try resolve(parameters.ids)
        let removed = try await writer.write { try $0.unfavorite(ids) }
        for favorite in removed.compactMap(\.self) { try views.changeFavorites { try $0.removeFavorite(favorite.id) } }
        return ChangeReply(ids: ids.map(\.rawValue), changed: removed.map { $0 != nil })
    }

    /// Hides jokes, or shows them again: `Unhide` is `setHidden(false, …)`.
    func setHidden(_ isHidden: Bool, _ parameters: JokeIDs) async throws -> ChangeReply {
        let ids = try resolve(parameters.ids)
        let changed = try await writer.write { try $0.setHidden(isHidden, ids, at: .now) }
        return ChangeReply(ids: ids.map(\.rawValue), changed: changed)
    }

    /// Marks jokes as seen, or as unseen: `MarkUnseen` is `setSeen(false, …)`.
    func setSeen(_ isSeen: Bool, _ parameters: JokeIDs) async throws -> ChangeReply {
        let ids = try resolve(parameters.ids)
        let changed = try await writer.write { try $0.setSeen(isSeen, ids) }
        return ChangeReply(ids: ids.map(\.rawValue), changed: changed)
    }

    /// Marks the jokes of a selection as seen, in small steps with other writes between them.
    func markAllSeen(_ parameters: MarkAllSeenMethod.Parameters) async throws -> MarkAllSeenMethod.Reply {
        let selection = try selection(parameters)
        var changed = 0
        while true {
            let step = try await writer.write { try $0.markAllSeen(selection, atMost: 5000) }
            if step == 0 { return MarkAllSeenMethod.Reply(changed: changed) }
            changed += step
        }
    }

    /// Takes back the last change of favorites, notes and hidden marks.
    func undo(_: UndoMethod.Parameters) async throws -> UndoMethod.Reply {
        let report = try await writer.write { try $0.undo(at: .now) }
        log.attempt("publish an undo") { try views.reloadFavorites() }
        return report
    }

    /// Removes the jokes of a source that is no longer configured, in small steps with other writes between them.
    func forget(_ parameters: ForgetMethod.Parameters) async throws -> ForgetMethod.Reply {
        let name = parameters.source
        if syncs.planner.configuration(of: name) != nil || name == StarterJokes.source {
            throw JokesError.sourceInUse(name: name)
        }
        guard views.counts.sources[name] != nil else { throw syncs.unknownSource(name) }
        var removed = 0
        while true {
            let step = try await writer.write { try $0.forget(name, at: .now) }
            if step == 0 { return ForgetMethod.Reply(removed: removed) }
            removed += step
        }
    }

    /// Removes the warning about recoveries that the user has seen.
    func acknowledge(
        _ parameters: AcknowledgeRecoveriesMethod.Parameters
    ) async throws -> AcknowledgeRecoveriesMethod.Reply {
        try await writer.write { try $0.dismissRecoveries(until: parameters.until) }
        publishRecoveries()
        return AcknowledgeRecoveriesMethod.Reply()
    }

    // MARK: Helpers

    /// Publishes the jokes after a change. An error must not fail the call: the change is already on disk.
    func publishChange() {
        log.attempt("publish a change") { try views.updateJokes() }
    }

    /// Returns the full IDs for one or more IDs, prefixes or `last`.
    private func resolve(_ ids: [String]) throws -> [JokeID] {
        guard (1...JokeIDs.maxChanged).contains(ids.count), !ids.contains("") else {
            throw ErrorReply.invalidParameter("ids")
        }
        return try ids.map { try resolve($0) }
    }

    /// Returns the full ID for an ID, a unique prefix, or `last`: the joke that was served last, to any client.
    ///
    /// A full ID may belong to a joke that the filters exclude, because such a joke can be unfavorited or unhidden.
    /// Methods that show the joke check the filters again.
    private func resolve(_ text: String) throws -> JokeID {
        let id = JokeID(rawValue: text)
        if text.isEmpty { throw ErrorReply.invalidParameter("id") }
        if text == JokeParameters.last {
            guard let last = try reader.lastServed() else { throw JokesError.noSuchJoke(id: text) }
            return last
        }
        if try reader.has(id) { return id }
        let shown = JokesError.maxMatches
        let matches = try reader.ids(withPrefix: JokeID.prefix(from: text), limit: shown + 1)
        switch matches.count {
        case 0: throw JokesError.noSuchJoke(id: text)
        case 1: return matches[0]
        default:
            let short = try matches.prefix(shown).map { try reader.shortID($0) }
            throw JokesError.ambiguousID(id: text, matches: short)
        }
    }

    /// Returns the parsed cursor of a page; nil for the first page.
    func cursor<Cursor>(_ text: String?, _ read: (String) -> Cursor?) throws -> Cursor? {
        guard let text else { return nil }
        guard let cursor = read(text) else { throw ErrorReply.invalidParameter("cursor") }
        return cursor
    }

    /// Returns the number of rows of a page.
    func pageSize(_ limit: Int?) throws -> Int {
        let limit = limit ?? 50
        guard (1...Wire.PageParameters.maxLimit).contains(limit) else { throw ErrorReply.invalidParameter("limit") }
        return limit
    }

    /// Returns the state of a source for clients.
    private func health(of name: String, _ counts: [String: JokeCounts]) -> SourceHealth? {
        let planner = syncs.planner
        guard let source = planner.configuration(of: name), let state = planner.state(of: name) else { return nil }
        var health = SourceHealth(
            name: name, type: source.kind.rawValue, enabled: source.isEnabled, jokes: counts[name] ?? JokeCounts())
        health.url = source.path ?? (source.url ?? source.kind.traits.origin.url).map(redactedURL)
        (health.syncing, health.note) = (planner.running.contains(name), planner.remark(of: name))
        (health.new, health.refused) = (state.newInLastSync, state.refusedInLastSync)
        (health.lastAttempt, health.lastSuccess) = (state.lastAttempt, state.lastSuccess)
        (health.failingSince, health.failure, health.failures) = (state.failingSince, state.failure, state.failureCount)
        health.nextAttempt = planner.nextAttempt(of: name, at: .now)
        (health.requestsLeft, health.rate) = (planner.requestsLeft(of: name, at: .now), source.allowedRate)
        return health
    }
}

/// Returns a page of at most `limit` rows and approximately at most `bytes`, for a reply under 1 MiB.
///
/// A page has at least one row, even if the row is larger. A page that exceeds `bytes` is read again with a lower
/// limit. The second reading corrects the cursor of the next page.
func fittingPage<Row>(
    limit: Int, bytes: Int = 896 << 10, size: (Row) -> Int, _ read: (_ limit: Int) throws -> Page<Row>
) throws -> Page<Row> {
    let page = try read(limit)
    var bytesLeft = bytes
    let fitting = page.rows.prefix { row in
        bytesLeft -= size(row)
        return bytesLeft >= 0
    }.count
    return fitting == page.rows.count ? page : try read(max(1, fitting))
}
