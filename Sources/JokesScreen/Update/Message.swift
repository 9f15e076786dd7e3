package import JSON5
package import JokesCore
package import JokesProtocol
package import Terminal

/// An event.
package enum Message: Equatable, Sendable {
    case input(Input)
    case resized(Size)
    case connecting
    /// A new snapshot. After `Request.watch`, it is of that view.
    case changed(JokeSnapshot)
    /// The daemon is unreachable. The next attempt is at `retryAt`.
    case unreachable(reason: String, hint: String? = nil, retryAt: Timestamp)
    /// The answer to `Request.mark`. A refusal may have a hint on its last line.
    case markAnswered(Mark, refusal: String?)
    /// The answer to `Request.undo`.
    case undoAnswered(UndoMethod.Reply)
    /// The answer to `Request.markAllSeen`: the number of jokes that were unseen.
    case allSeenAnswered(Int)
    /// The answer to `Request.refresh`.
    case refreshAnswered([RefreshedSource])
    /// The answer to `Request.refresh` for an unknown source.
    case refreshFoundNoSource
    /// The answer to `Effect.copy`.
    case copyAnswered(refusal: ClipboardRefusal?)
    /// The answer to `Effect.open`, with the time that it took.
    case openAnswered(url: String, refusal: String?, after: Duration)
    /// The answer to `Effect.editNote`: the new text, or the reason for a failure.
    case noteEdited(String, refusal: String?)
    /// The answer to `Effect.runJokesctl`: the output of jokesctl, with its errors.
    case jokesctlAnswered(String, hasFailed: Bool)
    /// The answer to `Request.sources`.
    case sourcesAnswered([SourceHealth])
    /// The answer to `Request.testSource`.
    case sourceTested(String, SourceSample)
    /// The answer to `Request.random`.
    case randomAnswered(Joke)
    /// tui.json was changed and read again.
    case settingsRead(Result<Settings, ConfigurationError>)
    /// The answer to `Request.statistics`.
    case statisticsAnswered(StatisticsMethod.Reply)
    /// The answer to `Request.hidden`.
    case hiddenAnswered(HiddenMethod.Reply)
    /// The answer to `Request.joke`: why the joke is not shown; nil if it is shown.
    case jokeAnswered(JokeID, notShown: String?)
    /// The answer to any other request that failed. A hint is on its last line.
    case refused(Request, reason: String)
    /// The timer of `Effect.startTimer` has ended.
    case timerEnded(ScreenTimer)
}

/// An effect that `update` returns. The runner performs the effects in order.
package enum Effect: Hashable, Sendable {
    /// Sends a request to the daemon.
    case send(Request)
    /// Starts a timer, which replaces one of the same kind.
    case startTimer(ScreenTimer)
    /// Copies a text to the clipboard. Answered by `copyAnswered`.
    case copy(String)
    /// Opens an http or https URL. Answered by `openAnswered`.
    case open(String)
    /// Lends the terminal to an editor with the text of the note. Answered by `noteEdited`.
    case editNote
    /// Applies the theme and the mouse setting to the terminal.
    case applySettings(Settings)
    /// Runs jokesctl with these arguments. Answered by `jokesctlAnswered`.
    case runJokesctl([String])
    /// Redraws the whole screen.
    case redraw
    case suspend
    case quit
}

/// A request of the viewer to the daemon. A request that fails is answered by `refused`, except `watch`, `mark` and `reconnect`.
package enum Request: Hashable, Sendable {
    /// Follows another view.
    case watch(View)
    /// Sets or removes a mark. Answered by one `markAnswered`, also without a daemon.
    case mark(MarkChange)
    /// Marks a joke as seen or unseen. Answered by a snapshot.
    case markSeen(JokeID, isSeen: Bool)
    /// Marks the jokes of a selection as seen. Answered by `allSeenAnswered`.
    case markAllSeen(JokeSelection)
    /// Takes back the last change. Answered by `undoAnswered`.
    case undo
    /// Refreshes these sources, or all. Answered by `refreshAnswered` or `refreshFoundNoSource`.
    case refresh(sources: [String]? = nil)
    /// Asks for the status of the sources. Answered by `sourcesAnswered`.
    case sources
    /// Fetches jokes of a source for a test. Answered by `sourceTested`.
    case testSource(String)
    /// Asks for a random joke of a selection. Answered by `randomAnswered`.
    case random(JokeSelection)
    /// Asks for the numbers of all shown jokes. Answered by `statisticsAnswered`.
    case statistics
    /// Asks for a page of hidden jokes. Answered by `hiddenAnswered`.
    case hidden(cursor: String?)
    /// Asks for a joke. Answered by `jokeAnswered`.
    case joke(JokeID)
    /// Tries to connect at once.
    case reconnect
}
