import CommandLineTools
import JokesClient
import JokesCore
import JokesProtocol
import TextLayout
import Unix

extension Command {
    private static let sections = Section.ID.allCases.map(\.rawValue)

    static let watch = Command(
        name: "watch", group: .jokes,
        options: CommandOption.selection + [
            CommandOption(
                "query", argument: "WORDS", .text, "Watch the search results for WORDS instead of the newest jokes."),
            CommandOption(
                "section", argument: "NAMES", .severalOf(sections, noun: "section"),
                "Only these sections, separated by commas: \(sections.joinedAsWords("and")) (default: all)."),
            .limit(
                1...View.maxSize,
                "Print at most N jokes and all favorites; N is 1 to \(View.maxSize) (default: feed.size of the daemon; 1 for a status bar)."
            ),
            CommandOption("notify", "Show each new joke in a desktop notification instead of printing it."),
        ] + CommandOption.format, summary: "Print new jokes and other changes until interrupted",
        notes: """
            Without --json, watch prints the current jokes, the newest last. Then watch prints a line for each change: a
            new joke, a favorite added or removed, a source that fails or no longer fails.

            With --json, each line is a document. The first document is {"epoch", "generation", "complete": true,
            "snapshot"}. Later documents are {"epoch", "generation", "difference"}, or another snapshot, which replaces
            everything before it. jokesd-protocol(7) describes the members.

            If the daemon becomes unreachable, watch prints a message on standard error and waits for the daemon. If
            there is no daemon at the start, the exit code is 69; for waybar and i3blocks, watch waits for the daemon.
            watch exits with code 0 when the program that reads its output exits.

            With --format, watch prints only jokes: each current joke, and then each new one. With --section
            favoriteJokes, watch prints the favorites instead. For waybar and i3blocks, watch prints a line whenever the
            joke or the state changes. The joke is the newest one, or the newest match for --query. An unreachable daemon
            is one of the states.

            With --notify, the current jokes get no notification; --limit limits the notifications for one change. If a
            notification fails, watch prints the reason and continues. \(JokeNotification.help)
            """,
        examples: ["jokesctl watch --limit 1", "jokesctl watch --json --section jokes"]
    ) { invocation in
        let format = try invocation.format(BarFormat.allCases)
        let isNotified = try invocation.isNotified
        if case .bar(let bar) = format { return try watch(invocation, for: bar) }
        let view = try view(invocation)
        // The daemon accepts a view of names that come later, and a status bar waits for them.
        if let selection = view?.selection, !selection.isEmpty {
            _ = try invocation.daemon.call(ListMethod.self, .init(selection, limit: 1))
            invocation.daemon.disconnect()
        }
        let notifySend = try isNotified ? NotifySend() : nil
        let printer = invocation.printer
        var news = SnapshotNews()
        try follow(view, invocation) { reason in
            let message = ControlFailure(reason).message
            try? writeFully("jokesctl: \(sanitized(message)); waiting for the daemon\n", to: standardError)
        } take: { reply, snapshot in
            if let notifySend {
                let isFirst = news.isFirst
                let jokes = jokes(in: news.take(snapshot), view)
                if !isFirst { notifySend.show(jokes) }
                return
            }
            if let format { return try printer.print(jokes(in: news.take(snapshot), view), as: format) }
            if printer.isJSON { return try printer.print(reply, onOneLine: true) { _ in } }
            let lines = news.take(snapshot)
            try Command.printer(invocation, for: lines.compactMap(\.id)).print(lines)
        }
    }

    /// Passes on every change of the snapshot until the reader of the output is gone. `lost` and `found` are called once
    /// for each time that the daemon is unreachable.
    ///
    /// - Throws: `ClientError` if the daemon refuses, or cannot be reached at the start unless `waitsForFirst`.
    private static func follow(
        _ view: View?, _ invocation: Invocation, waitsForFirst: Bool = false,
        lost: @escaping (ClientError) throws -> Void, found: @escaping () throws -> Void = {},
        take: @escaping (WatchMethod.Reply, JokeSnapshot) throws -> Void
    ) throws {
        let loop = try EventLoop()
        // Only used on the loop, which runs on this thread.
        nonisolated(unsafe) let (lost, found, take) = (lost, found, take)
        nonisolated(unsafe) var wasReached = waitsForFirst
        nonisolated(unsafe) var isUnreachable = false
        nonisolated(unsafe) var failure: (any Error)?
        let follower = DaemonFollower(paths: invocation.daemon.paths, loop: loop, view: view) { event in
            do {
                switch event {
                case .changed(let snapshot, let reply?) where failure == nil:
                    if isUnreachable { try found() }
                    (isUnreachable, wasReached) = (false, true)
                    if reply.difference != Wire.Difference(base: reply.generation) { try take(reply, snapshot) }
                case .unreachable(let error, _) where failure == nil:
                    // The daemon may serve the same call later.
                    let mayPass = [.unavailable, .tryLater].contains(error.exitStatus)
                    if !wasReached || !mayPass { throw error }
                    if !isUnreachable { try lost(error) }
                    isUnreachable = true
                case .connecting, .changed, .unreachable: break
                }
            } catch {
                failure = error
                loop.stop()
            }
        }
        follower.assumeIsolated { $0.start() }
        // A regular file cannot be watched, and has no reader.
        _ = try? loop.watch(standardOutput, for: []) { _ in loop.stop() }
        loop.run()
        if let failure { throw failure }
    }

    /// The printer with short IDs. Closes the second connection, which may be idle until the daemon is gone.
    private static func printer(_ invocation: Invocation, for ids: [JokeID]) -> Printer {
        defer { invocation.daemon.disconnect() }
        return invocation.printer(shortening: ids.map(\.rawValue))
    }

    /// The new jokes, or the new favorites if nothing else is watched.
    private static func jokes(in news: [SnapshotNews.Line], _ view: View?) -> [TemplateJoke] {
        news.compactMap { line in
            switch line {
            case .joke(let joke): TemplateJoke(joke)
            case .favoriteAdded(let favorite) where view?.sections == [.favoriteJokes]: TemplateJoke(favorite)
            case .favoriteAdded, .favoriteRemoved, .remark: nil
            }
        }
    }

    private static func watch(_ invocation: Invocation, for bar: BarFormat) throws {
        var view = try view(invocation) ?? View()
        view.size = view.size ?? 1
        view.sections = view.sections ?? [view.query == nil ? .jokes : .searchResults]
        let output = invocation.printer.output
        var content: BarContent?
        var last: String?
        func show(_ content: BarContent) throws {
            let line = bar.line(content)
            if line == last { return }
            last = line
            try output.append(line + "\n")
            try output.flush()
        }
        try follow(view, invocation, waitsForFirst: true) { reason in
            try show(content?.away(reason.words) ?? BarContent(.away, reason.words))
        } found: {
            // Without changes, no snapshot comes.
            if let content { try show(content) }
        } take: { _, snapshot in
            content = BarContent(snapshot)
            if let content { try show(content) }
        }
    }

    /// The view of the options; nil for the default view of the daemon.
    private static func view(_ invocation: Invocation) throws -> View? {
        let query = invocation.options["query"]
        if let query, !(1...View.maxQueryBytes).contains(query.utf8.count) {
            throw UsageError("option '--query' needs 1 to \(View.maxQueryBytes) bytes")
        }
        let names = invocation.options["section"]?.split(separator: ",").map(String.init)
        let sections = names.map { Set($0.map(Section.ID.init(rawValue:))) }
        if query == nil && sections == [.searchResults] {
            throw UsageError("section 'searchResults' needs the option '--query'")
        }
        if query != nil && sections == [.jokes] {
            throw UsageError(
                "section 'jokes' and option '--query' cannot be used together",
                suggestion: "Try: --section searchResults")
        }
        // The section of favorites has no unseen jokes to wait for.
        let unseen: Set<Section.ID>? =
            invocation.options.contains("unseen") ? [query == nil ? .jokes : .searchResults] : nil
        let view = View(
            query: query, selection: invocation.selection, sections: sections ?? unseen,
            size: invocation.number("limit"))
        return view == View() ? nil : view
    }
}
