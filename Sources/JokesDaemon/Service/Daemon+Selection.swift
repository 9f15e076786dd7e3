import JokesCore
import JokesProtocol
import JokesStore
import TextLayout
import Varlink

/// `Statistics` and `Today`, and the check of a selection for other methods.
extension Daemon {
    func statistics(_ parameters: StatisticsMethod.Parameters) async throws -> StatisticsMethod.Reply {
        try await worker.statistics(of: try selection(parameters))
    }

    /// Returns the joke of the day. The first call of a day picks the joke, as `Random` does.
    func today(_: TodayMethod.Parameters) async throws -> TodayMethod.Reply {
        let date = LocalClock.now.date
        let joke = try await serve {
            try $0.jokeOfTheDay(date, at: .now)
        } unrecorded: {
            try reader.jokeOfTheDay(date) ?? reader.anyJoke()
        }
        return TodayMethod.Reply(joke: joke, date: "\(date)")
    }

    /// Checks the selection of a call, and that its names exist.
    func selection(_ parameters: JokeSelection) throws -> JokeSelection {
        let selection = try parameters.validated()
        for name in selection.source?.all ?? [] where !syncs.sourceNames.contains(name) {
            throw syncs.unknownSource(name)
        }
        for name in selection.category?.all ?? [] {
            try check(.category, name, JokeSelection(category: NameSelection(only: [name])), reader.categories)
        }
        for tag in selection.language?.all ?? [] {
            try check(.language, tag, JokeSelection(language: NameSelection(only: [tag])), reader.languages)
        }
        return selection
    }

    /// Throws `UnknownName` if a name selects no shown joke and no favorite. Reads the jokes only for the first call with
    /// a name, because it may read all of them.
    private func check(
        _ kind: SuggestionKind, _ name: String, _ selection: JokeSelection,
        _ names: (_ prefix: String, _ limit: Int) throws -> [String]
    ) throws {
        let key = "\(kind) \(name.lowercased())"
        if knownNames.contains(key) { return }
        guard
            try reader.list(selection, limit: 1).total > 0
                || reader.favorites(selection, limit: 1, includingExcluded: true).total > 0
        else {
            let nearest = nearest(to: name, among: try names("", 1000))
            throw JokesError.unknownName(what: kind, name: name, nearest: nearest)
        }
        knownNames.insert(key)
    }
}
