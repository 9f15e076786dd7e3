import JSON5
import JokesCore
import JokesProtocol
import Terminal

/// An event.
enum Message: Equatable, Sendable {
    case input(Input)
    case resized(Size)
    case connecting
    /// A new snapshot. After `Request.watch`, it is of that view.
    case changed(JokeSnapshot)
    /// The daemon is unreachable. The next attempt is at `retryAt`.
    case unreachable(reason: String, hint: String? = nil, retryAt: Timestamp)
    case answered(Request, Answer)
    /// The answer to `Effect.copy`.
    case copyAnswered(refusal: ClipboardRefusal?)
    /// The answer to `Effect.open`, with the time that it took.
    case openAnswered(url: String, refusal: String?, after: Duration)
    /// The answer to `Effect.editNote`: the new text, or the reason for a failure.
    case noteEdited(String, refusal: String?)
    /// The answer to `Effect.runJokesctl`: the output of jokesctl, with its errors.
    case jokesctlAnswered(String, hasFailed: Bool)
    /// tui.json was changed and read again.
    case settingsRead(Result<Settings, ConfigurationError>)
    /// The second of `Effect.startReading` has ended.
    case readingEnded
}

/// An effect that `update` returns. The runner performs the effects in order.
enum Effect: Hashable, Sendable {
    /// Sends a request to the daemon.
    case send(Request)
    /// Starts a second, again if one runs, which ends with `readingEnded` if `Model.isReading` stays true.
    case startReading
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

/// A request of the viewer to the daemon. Each is answered once, also without a daemon, except `watch` and `reconnect`.
enum Request: Hashable, Sendable {
    /// Follows another view.
    case watch(View)
    /// Adds or removes a favorite. A note replaces its note, an empty one removes it.
    case favorite(JokeID, isFavorite: Bool, note: String? = nil)
    /// Hides a joke, or shows it again.
    case hide(JokeID, isHidden: Bool)
    /// Marks a joke as seen or unseen.
    case markSeen(JokeID, isSeen: Bool)
    /// Marks the jokes of a selection as seen.
    case markAllSeen(JokeSelection)
    /// Takes back the last change.
    case undo
    /// Refreshes these sources, or all.
    case refresh(sources: [String]? = nil)
    /// Asks for the status of the sources.
    case sources
    /// Fetches jokes of a source for a test.
    case testSource(String)
    /// Asks for a random joke of a selection.
    case random(JokeSelection)
    /// Asks for the numbers of all shown jokes.
    case statistics
    /// Asks for a page of hidden jokes.
    case hidden(cursor: String?)
    /// Asks why a joke is not shown.
    case joke(JokeID)
    /// Tries to connect at once.
    case reconnect
}

/// The answer to a request.
enum Answer: Equatable, Sendable {
    /// The change is stored.
    case done
    case undone(UndoMethod.Reply)
    case refreshed([RefreshedSource])
    case sources([SourceHealth])
    case sample(SourceSample)
    case joke(Joke)
    case statistics(StatisticsMethod.Reply)
    case hidden(HiddenMethod.Reply)
    /// Why a joke is not shown; nil if it is shown.
    case notShown(String?)
    /// The number of jokes that were unseen.
    case count(Int)
    /// The request failed. A hint is on the last line of the reason.
    case refused(String)

    /// The reason for a failure.
    var refusal: String? { if case .refused(let reason) = self { reason } else { nil } }
}
