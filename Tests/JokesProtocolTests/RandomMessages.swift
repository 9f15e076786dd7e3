import Diffable
import JokesCore
import JokesProtocol
import TestSupport
import Varlink

/// A part of the interface text that describes a message.
enum Part: Hashable {
    case parameters(String)
    case reply(String)
    case error(String)
}

/// A message of any kind as JSON. `readsBack` is true if decoding gives the same value.
struct Message: CustomStringConvertible {
    let part: Part
    let json: String
    let readsBack: Bool

    var description: String { "\(part) \(json)" }

    init<Value: Codable & Equatable>(_ part: Part, _ value: Value) {
        self.part = part
        // The description of an error reply has its parameters as JSON.
        let carrier = ErrorReply("", value)
        json = carrier.description.isEmpty ? "{}" : String(carrier.description.dropFirst())
        readsBack = (try? carrier.parameters(as: Value.self)) == value
    }

    init(_ error: JokesError) {
        let reply = ErrorReply(error, of: JokesInterface.name)
        part = .error(String(reply.name.dropFirst(JokesInterface.name.count + 1)))
        json = String(reply.description.dropFirst(reply.name.count + 1))
        readsBack = reply.error(as: JokesError.self, of: JokesInterface.name) == error
    }
}

/// A random message of the interface.
func randomMessage(_ random: inout SplitMix64, size: Int) -> Message {
    switch random.int(in: 0..<3) {
    case 0: randomParameters(&random)
    case 1: randomReply(&random, size)
    default: Message(randomError(&random))
    }
}

private func randomParameters(_ random: inout SplitMix64) -> Message {
    switch random.int(in: 0..<31) {
    case 23:
        Message(
            .parameters("Probe"),
            ProbeMethod.Parameters(
                url: random.perhaps { $0.text() }, path: random.perhaps { $0.text() },
                type: random.perhaps { $0.text() },
                name: random.perhaps { $0.text() },
                headers: random.perhaps { random in
                    random.list { ProbeMethod.Header(name: $0.text(), value: $0.text()) }
                }, auth: random.perhaps { $0.text() }, allowLocalNetwork: random.perhaps { $0.chance(1, in: 2) },
                safety: random.perhaps { Safety.allCases[$0.int(in: 0..<Safety.allCases.count)] }))
    case 24: Message(.parameters("TestSource"), TestSourceMethod.Parameters(name: random.text()))
    case 25: Message(.parameters("Configuration"), JokesProtocol.NoParameters())
    case 26: Message(.parameters("Reload"), JokesProtocol.NoParameters())
    case 27: Message(.parameters("Undo"), JokesProtocol.NoParameters())
    case 22: Message(.parameters("Abbreviate"), AbbreviateMethod.Parameters(ids: random.texts()))
    case 21: Message(.parameters("Statistics"), randomSelection(&random))
    case 28: Message(.parameters("MarkSeen"), JokeIDs(ids: random.texts()))
    case 29: Message(.parameters("MarkUnseen"), JokeIDs(ids: random.texts()))
    case 30: Message(.parameters("MarkAllSeen"), randomSelection(&random))
    case 20:
        Message(
            .parameters("Hidden"),
            HiddenMethod.Parameters(cursor: random.perhaps { $0.text() }, limit: random.perhaps { $0.count() }))
    case 19: Message(.parameters("Today"), JokesProtocol.NoParameters())
    case 18: Message(.parameters("Forget"), ForgetMethod.Parameters(source: random.text()))
    case 17: Message(.parameters("Diagnose"), JokesProtocol.NoParameters())
    case 16:
        Message(
            .parameters("Suggest"),
            SuggestMethod.Parameters(
                what: SuggestionKind.allCases[random.int(in: 0..<7)], prefix: random.text(),
                limit: random.perhaps { $0.count() }))
    case 13:
        Message(
            .parameters("Export"),
            ExportMethod.Parameters(
                all: random.perhaps { $0.chance(1, in: 2) }, excluded: random.perhaps { $0.chance(1, in: 2) },
                filtered: random.perhaps { $0.chance(1, in: 2) },
                cursor: random.perhaps { $0.text() }))
    case 14: Message(.parameters("Import"), randomPiece(&random))
    case 15:
        Message(
            .parameters("AcknowledgeRecoveries"), AcknowledgeRecoveriesMethod.Parameters(until: random.time()))
    case 11: Message(.parameters("Hide"), JokeIDs(ids: [random.text()]))
    case 12: Message(.parameters("Unhide"), JokeIDs(ids: [random.text()]))
    case 9:
        Message(
            .parameters("Search"),
            SearchMethod.Parameters(
                .init(
                    query: random.text(), excluded: random.perhaps { $0.chance(1, in: 2) },
                    cursor: random.perhaps { $0.text() }, limit: random.perhaps { $0.count() }),
                randomSelection(&random)))
    case 0: Message(.parameters("Status"), JokesProtocol.NoParameters())
    case 1: Message(.parameters("Sources"), JokesProtocol.NoParameters())
    case 2:
        Message(
            .parameters("List"),
            ListMethod.Parameters(
                randomSelection(&random), cursor: random.perhaps { $0.text() }, limit: random.perhaps { $0.count() }))
    case 3: Message(.parameters("Get"), JokeParameters(id: random.text()))
    case 4:
        Message(
            .parameters("Random"),
            randomSelection(&random))
    case 5:
        Message(
            .parameters("Favorite"), FavoriteMethod.Parameters(ids: [random.text()], note: random.perhaps { $0.text() })
        )
    case 6: Message(.parameters("Unfavorite"), JokeIDs(ids: [random.text()]))
    case 7:
        Message(
            .parameters("Favorites"),
            FavoritesMethod.Parameters(
                randomSelection(&random), cursor: random.perhaps { $0.text() }, limit: random.perhaps { $0.count() }))
    case 8:
        Message(
            .parameters("Refresh"),
            RefreshMethod.Parameters(
                sources: random.perhaps { $0.texts() }, force: random.perhaps { $0.chance(1, in: 2) }))
    default:
        Message(
            .parameters("Watch"),
            WatchMethod.Parameters(
                view: random.perhaps {
                    View(
                        query: $0.perhaps { $0.text() }, selection: randomSelection(&$0),
                        sections: $0.perhaps { Set($0.texts().map(Section.ID.init(rawValue:))) },
                        size: $0.perhaps { $0.count() }, start: $0.perhaps { $0.count() } ?? 0)
                }, epoch: random.perhaps { $0.text() }, generation: random.perhaps { $0.number() }))
    }
}

/// A search result with random marks.
private func randomFinding(of joke: Joke, _ random: inout SplitMix64) -> FoundJoke {
    let marks = TextRange.Part.allCases.flatMap { part in
        let text = joke.content.text[part]
        return text.split(separator: " ").filter { _ in random.chance(1, in: 2) }.map { word in
            let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
            return TextRange(part, start..<start + word.utf8.count)
        }
    }
    return FoundJoke(joke: joke, marks: marks)
}

private func randomFinding(_ random: inout SplitMix64) -> Diagnostic {
    let states: [Diagnostic.State] = [.ok, .warning, .failed]
    return Diagnostic(
        Diagnostic.Check.allCases[random.int(in: 0..<Diagnostic.Check.allCases.count)],
        of: random.perhaps { $0.text() },
        states[random.int(in: 0..<3)], random.text(), advice: random.perhaps { $0.text() })
}

private func randomReply(_ random: inout SplitMix64, _ size: Int) -> Message {
    let rows = randomSnapshot(&random, size: size)
    let jokes = rows.itemIdentifiers.compactMap { rows.item(for: $0)?.joke }
    let favorites = rows.itemIdentifiers.compactMap { rows.item(for: $0)?.favorite }
    switch random.int(in: 0..<31) {
    case 23:
        return Message(
            .reply("Probe"),
            ProbeMethod.Reply(
                name: random.text(), type: random.text(), entry: random.text(), sample: randomSample(jokes, &random)))
    case 24: return Message(.reply("TestSource"), TestSourceMethod.Reply(sample: randomSample(jokes, &random)))
    case 25:
        return Message(
            .reply("Configuration"),
            ConfigurationMethod.Reply(
                path: random.text(), exists: random.chance(1, in: 2), defaultSources: random.text()))
    case 26: return Message(.reply("Reload"), ReloadMethod.Reply())
    case 27:
        var reply = UndoMethod.Reply()
        (reply.changedAt, reply.id) = (random.perhaps { $0.time() }, random.perhaps { $0.text() })
        (reply.removedFavorites, reply.restoredFavorites) = (random.count(), random.count())
        (reply.notes, reply.unhidden, reply.hidden) = (random.count(), random.count(), random.count())
        return Message(.reply("Undo"), reply)
    case 22: return Message(.reply("Abbreviate"), AbbreviateMethod.Reply(ids: random.texts()))
    case 21: return Message(.reply("Statistics"), randomStatistics(&random))
    case 28: return Message(.reply("MarkSeen"), ChangeReply(ids: random.texts(), changed: [random.chance(1, in: 2)]))
    case 29: return Message(.reply("MarkUnseen"), ChangeReply(ids: [random.text()], changed: [true]))
    case 30: return Message(.reply("MarkAllSeen"), MarkAllSeenMethod.Reply(changed: random.count()))
    case 20:
        return Message(
            .reply("Hidden"),
            HiddenMethod.Reply(
                hidden: jokes.map { HiddenJoke(joke: $0, hiddenAt: random.time()) }, total: random.count(),
                notCached: random.count(), next: random.perhaps { $0.text() }))
    case 19:
        guard let joke = jokes.first else { return randomReply(&random, size + 1) }
        return Message(.reply("Today"), TodayMethod.Reply(joke: joke, date: random.text()))
    case 18: return Message(.reply("Forget"), ForgetMethod.Reply(removed: random.count()))
    case 17: return Message(.reply("Diagnose"), DiagnoseMethod.Reply(diagnostics: random.list { randomFinding(&$0) }))
    case 16: return Message(.reply("Suggest"), SuggestMethod.Reply(words: random.texts()))
    case 13:
        return Message(
            .reply("Export"),
            ExportMethod.Reply(
                favorites: random.perhaps { _ in favorites }, hidden: random.perhaps { $0.list { randomMark(&$0) } },
                jokes: random.perhaps { _ in jokes }, next: random.perhaps { $0.text() }))
    case 14: return Message(.reply("Import"), randomImportReply(&random))
    case 15: return Message(.reply("AcknowledgeRecoveries"), AcknowledgeRecoveriesMethod.Reply())
    case 11: return Message(.reply("Hide"), ChangeReply(ids: [random.text()], changed: [random.chance(1, in: 2)]))
    case 12: return Message(.reply("Unhide"), ChangeReply(ids: [random.text()], changed: [random.chance(1, in: 2)]))
    case 9:
        return Message(
            .reply("Search"),
            SearchMethod.Reply(
                found: jokes.map { randomFinding(of: $0, &random) }, total: random.count(),
                exact: random.chance(1, in: 2), next: random.perhaps { $0.text() }))
    case 0: return Message(.reply("Status"), randomStatus(&random))
    case 1: return Message(.reply("Sources"), SourcesMethod.Reply(sources: random.list { randomHealth(&$0) }))
    case 2:
        return Message(
            .reply("List"),
            ListMethod.Reply(jokes: jokes, total: random.count(), next: random.perhaps { $0.text() }))
    case 3:
        guard let joke = jokes.first else { return randomReply(&random, size + 1) }
        return Message(.reply("Get"), randomHistory(of: joke, &random))
    case 4:
        guard let joke = jokes.first else { return randomReply(&random, size + 1) }
        return Message(.reply("Random"), RandomMethod.Reply(joke: joke))
    case 5:
        guard let favorite = favorites.first else { return randomReply(&random, size + 1) }
        return Message(.reply("Favorite"), FavoriteMethod.Reply(favorites: [favorite]))
    case 6: return Message(.reply("Unfavorite"), ChangeReply(ids: [random.text()], changed: [random.chance(1, in: 2)]))
    case 7:
        return Message(
            .reply("Favorites"),
            FavoritesMethod.Reply(favorites: favorites, total: random.count(), next: random.perhaps { $0.text() }))
    case 8: return Message(.reply("Refresh"), RefreshMethod.Reply(sources: random.list { randomRefreshed(&$0) }))
    default: return Message(.reply("Watch"), randomSnapshot(rows, &random, size))
    }
}

private func randomSample(_ jokes: [Joke], _ random: inout SplitMix64) -> SourceSample {
    var sample = SourceSample()
    (sample.jokes, sample.notes) = (jokes, random.texts())
    (sample.read, sample.refused) = (random.count(), random.count())
    (sample.unrated, sample.shown) = (random.count(), random.count())
    return sample
}

private func randomMark(_ random: inout SplitMix64) -> HiddenMark {
    HiddenMark(
        fingerprint: Fingerprint(of: .single(random.text())), hiddenAt: Timestamp(microseconds: random.number()))
}

private func randomPiece(_ random: inout SplitMix64) -> ImportMethod.Parameters {
    let rows = randomSnapshot(&random, size: 4)
    let items = rows.itemIdentifiers.compactMap { rows.item(for: $0) }
    let records =
        items.compactMap { $0.favorite.map(ExchangeRecord.favorite) ?? $0.joke.map(ExchangeRecord.joke) }
        + random.list { .hidden(randomMark(&$0)) }
    var piece = ImportMethod.Parameters(
        id: random.perhaps { $0.text() }, records, isLast: random.chance(1, in: 2), isDryRun: random.chance(1, in: 2))
    if random.chance(1, in: 4) { (piece.favorites, piece.hidden, piece.jokes, piece.last) = (nil, nil, nil, nil) }
    return piece
}

private func randomImportReply(_ random: inout SplitMix64) -> ImportMethod.Reply {
    ImportMethod.Reply(
        id: random.perhaps { $0.text() },
        report: random.perhaps {
            var report = ImportReport()
            (report.newFavorites, report.changedFavorites, report.knownFavorites) = ($0.count(), $0.count(), $0.count())
            (report.newHidden, report.knownHidden, report.excluded) = ($0.count(), $0.count(), $0.count())
            (report.newJokes, report.knownJokes) = ($0.count(), $0.count())
            return report
        })
}

private func randomStatus(_ random: inout SplitMix64) -> StatusMethod.Reply {
    var status = StatusMethod.Reply(
        version: random.text(), epoch: random.text(), generation: random.number(), startedAt: random.time(),
        jokes: randomCounts(&random))
    (status.favorites, status.excludedFavorites, status.sources) = (random.count(), random.count(), random.count())
    (status.failing, status.subscribers) = (random.texts(), random.count())
    (status.syncing, status.offline) = (random.chance(1, in: 2), random.chance(1, in: 2))
    (status.lastSync, status.nextSync) = (random.perhaps { $0.time() }, random.perhaps { $0.time() })
    (status.storageFailure, status.storageHint) = (random.perhaps { $0.text() }, random.perhaps { $0.text() })
    (status.reloadFailure, status.reloadFailedAt) = (random.perhaps { $0.text() }, random.perhaps { $0.time() })
    status.recoveries = random.list {
        Recovery(
            at: $0.time(), reason: $0.text(), damagedFile: $0.text(), favorites: $0.count(), favoritesLost: $0.count())
    }
    return status
}

private func randomCounts(_ random: inout SplitMix64) -> JokeCounts {
    JokeCounts(
        cached: random.count(), shown: random.count(), filteredOut: random.count(), unrated: random.count(),
        hidden: random.count(), duplicates: random.count(), evicted: random.count())
}

private func randomSelection(_ random: inout SplitMix64) -> JokeSelection {
    func names(_ random: inout SplitMix64) -> NameSelection { NameSelection(only: random.texts(), not: random.texts()) }
    return JokeSelection(
        source: random.perhaps(names), category: random.perhaps(names), language: random.perhaps(names),
        maxLength: random.perhaps { $0.count() },
        favorites: random.perhaps { $0.chance(1, in: 2) }, unseen: random.perhaps { $0.chance(1, in: 2) })
}

private func randomStatistics(_ random: inout SplitMix64) -> StatisticsMethod.Reply {
    func names(_ random: inout SplitMix64) -> [NameCount] {
        random.list { NameCount(name: $0.text(), jokes: $0.count(), unseen: $0.count()) }
    }
    return StatisticsMethod.Reply(
        jokes: random.count(), unseen: random.count(), favorites: random.count(), served: random.count(),
        sources: names(&random), categories: names(&random), languages: names(&random))
}

private func randomHealth(_ random: inout SplitMix64) -> SourceHealth {
    var health = SourceHealth(
        name: random.text(), type: random.text(), enabled: random.chance(1, in: 2), jokes: randomCounts(&random))
    (health.syncing, health.new, health.refused) = (random.chance(1, in: 2), random.count(), random.count())
    health.url = random.perhaps { $0.text() }
    (health.lastAttempt, health.lastSuccess) = (random.perhaps { $0.time() }, random.perhaps { $0.time() })
    (health.failingSince, health.failure) = (random.perhaps { $0.time() }, random.perhaps { $0.text() })
    (health.failures, health.note) = (random.count(), random.perhaps { $0.text() })
    (health.nextAttempt, health.requestsLeft) = (random.perhaps { $0.time() }, random.perhaps { $0.count() })
    health.rate = random.perhaps {
        RequestRate(requests: $0.count(), per: .milliseconds($0.int(in: 1..<1 << 40)))
    }
    return health
}

private func randomReport(_ random: inout SplitMix64) -> SyncReport {
    SyncReport(
        seen: random.count(), new: random.count(), changed: random.count(), duplicates: random.count(),
        refused: random.count(), note: random.perhaps { $0.text() }, isPaused: random.chance(1, in: 2)
    ).taking(.milliseconds(random.count()))
}

private func randomRefreshed(_ random: inout SplitMix64) -> RefreshedSource {
    let states: [RefreshedSource.State] = [
        .started, .alreadyRunning, .tooSoon, .disabled, .syncing, .succeeded, .failed,
    ]
    return RefreshedSource(
        name: random.text(), state: states[random.int(in: 0..<states.count)],
        retryAfterMs: random.perhaps { $0.number() }, report: random.perhaps { randomReport(&$0) },
        failure: random.perhaps { $0.text() })
}

private func randomHistory(of joke: Joke, _ random: inout SplitMix64) -> StoredJoke {
    var stored = StoredJoke(
        joke: joke, fingerprint: Fingerprint(of: joke.content.text),
        lastSeen: Timestamp(microseconds: random.number()),
        missingSince: random.perhaps { Timestamp(microseconds: $0.number()) },
        duplicates: random.list { JokeID(rawValue: cleanText("test:\($0.text())")) })
    (stored.isHidden, stored.serveCount) = (random.chance(1, in: 2), random.count())
    stored.joke.notShown = random.chance(1, in: 2) ? "hidden" : nil
    stored.lastServed = random.perhaps { Timestamp(microseconds: $0.number()) }
    return stored
}

private func randomSnapshot(_ snapshot: JokeSnapshot, _ random: inout SplitMix64, _ size: Int) -> WatchMethod.Reply {
    let (epoch, generation) = (random.text(), random.number())
    guard random.chance(1, in: 2) else {
        return WatchMethod.Reply(
            epoch: epoch, generation: generation, complete: random.perhaps { $0.chance(1, in: 2) },
            snapshot: Wire.pieces(of: snapshot)[0])
    }
    let next = randomSnapshot(&random, size: size)
    let difference = difference(from: snapshot, to: next)
    return WatchMethod.Reply(
        epoch: epoch, generation: generation,
        difference: Wire.Difference(difference, base: random.number(), to: next))
}

private func randomError(_ random: inout SplitMix64) -> JokesError {
    switch random.int(in: 0..<12) {
    case 10: .sourceFailed(reason: random.text(), hint: random.perhaps { $0.text() })
    case 11: .configurationRefused(reason: random.text(), hint: random.perhaps { $0.text() })
    case 8: .cannotStart(reason: random.text(), hint: random.perhaps { $0.text() })
    case 9: .sourceInUse(name: random.text())
    case 6: .noSuchImport(id: random.text())
    case 7: .importRefused(reason: random.text())
    case 0: .noSuchJoke(id: random.text())
    case 1: .ambiguousID(id: random.text(), matches: random.texts())
    case 2:
        .unknownName(
            what: [.source, .category, .language][random.int(in: 0..<3)], name: random.text(),
            nearest: random.perhaps { $0.text() })
    case 3: .noJokes(reason: random.text())
    case 4: .storageUnavailable(reason: random.text(), hint: random.perhaps { $0.text() })
    default: .busy(retryAfterMs: random.number(), reason: random.perhaps { $0.text() })
    }
}

extension Item {
    fileprivate var joke: Joke? { if case .joke(let joke) = self { joke } else { nil } }
    fileprivate var favorite: Favorite? { if case .favorite(let favorite) = self { favorite } else { nil } }
}

extension SplitMix64 {
    fileprivate mutating func perhaps<Value>(_ value: (inout SplitMix64) -> Value) -> Value? {
        chance(1, in: 2) ? value(&self) : nil
    }

    fileprivate mutating func list<Value>(_ value: (inout SplitMix64) -> Value) -> [Value] {
        (0..<int(in: 0..<4)).map { _ in value(&self) }
    }

    /// Any 64-bit number; the smallest and the largest are frequent.
    fileprivate mutating func number() -> Int64 {
        chance(1, in: 8) ? (chance(1, in: 2) ? .min : .max) : Int64(bitPattern: next()) >> Int64(int(in: 0..<64))
    }

    fileprivate mutating func time() -> Timestamp { Timestamp(microseconds: number()) }

    fileprivate mutating func count() -> Int {
        Int(number())
    }

    /// Clean text with characters that JSON treats specially.
    fileprivate mutating func text() -> String {
        let pieces = ["a", " ", "\"", "\\", "/", "\n", "é", "🎉", "\u{2028}", "{", "0", "null", "\u{FFFD}", "日"]
        return list { pieces[$0.int(in: 0..<pieces.count)] }.joined()
    }

    fileprivate mutating func texts() -> [String] {
        list { $0.text() }
    }
}
