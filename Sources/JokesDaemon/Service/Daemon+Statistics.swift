import JokesCore
import JokesProtocol
import JokesStore
import Varlink

/// `Statistics`, `Hidden`, `Today` and `Abbreviate`, and the conversion of a selection for other methods.
extension Daemon {
    func hidden(_ parameters: HiddenMethod.Parameters) throws -> HiddenMethod.Reply {
        let position = try cursor(parameters.cursor, PageCursor.init)
        let page = try fittingPage(
            limit: try pageSize(parameters.limit), size: { Item.joke($0.joke).estimatedBytes },
            { try reader.hiddenJokes(after: position, limit: $0) })
        return HiddenMethod.Reply(
            hidden: page.rows.map { Wire.HiddenJoke(joke: Wire.Joke($0.joke), hiddenAt: $0.hiddenAt) },
            total: page.total, notCached: page.otherMarks, next: page.next?.description)
    }

    func abbreviate(_ parameters: AbbreviateMethod.Parameters) throws -> AbbreviateMethod.Reply {
        guard parameters.ids.count <= AbbreviateMethod.maxIDs else { throw ErrorReply.invalidParameter("ids") }
        return AbbreviateMethod.Reply(ids: try parameters.ids.map { try reader.shortID(JokeID(rawValue: $0)) })
    }

    func statistics(_ call: VarlinkCall<StatisticsMethod.Parameters, StatisticsMethod.Reply>) throws {
        let selection = try selection(call.parameters)
        Task {
            do {
                call.reply(StatisticsMethod.Reply(try await statisticsReader.statistics(of: selection)))
            } catch {
                call.fail(JokesService.errorReply(for: error))
            }
        }
    }

    /// Answers with the joke of the day. The first call of a day picks the joke, as `Random` does.
    func today(_ call: VarlinkCall<TodayMethod.Parameters, TodayMethod.Reply>) {
        let date = LocalClock.now.date
        serve(call) {
            try $0.jokeOfTheDay(date, at: .now)
        } unrecorded: { [reader] in
            try reader.jokeOfTheDay(date) ?? reader.anyJoke()
        } reply: {
            TodayMethod.Reply(joke: Wire.Joke($0), date: "\(date)")
        }
    }

    /// Checks the selection of a call, and that its source exists.
    func selection(_ parameters: Wire.Selection) throws -> JokeSelection {
        let selection = try parameters.validated()
        try checkSource(selection.source)
        return selection
    }
}

extension HiddenPage: RowPage {}

extension StatisticsMethod.Reply {
    fileprivate init(_ found: JokeStatistics) {
        func wire(_ names: [JokeStatistics.NamedCount]) -> [Wire.NameCount] {
            names.map { Wire.NameCount(name: $0.name, jokes: $0.jokes, unseen: $0.unseen) }
        }
        self.init(
            jokes: found.jokes, unseen: found.unseen, favorites: found.favorites, served: found.served,
            sources: wire(found.sources), categories: wire(found.categories), languages: wire(found.languages))
    }
}
