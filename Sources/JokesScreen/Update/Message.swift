package import JokesCore
package import JokesProtocol
package import Terminal

/// What happened.
package enum Message: Equatable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    /// Text of one line that was pasted.
    case pasted(String)
    case resized(Size)
    /// The daemon is being looked for.
    case connecting
    /// The daemon's picture as it is now, the first one or one that differences were applied to. After `Request.watch`
    /// it is of that view.
    case changed(JokeSnapshot)
    /// The daemon is not there; it is tried again at the moment given.
    case away(reason: String, hint: String? = nil, retryAt: Timestamp)
    /// The answer to `Request.star`, `.restore` or `.hide`. A refusal may have a hint on its last line.
    case markAnswered(Mark, refusal: String?)
    /// The answer to `Request.refresh`.
    case refreshAnswered([Wire.RefreshedSource])
    case refreshRefused(String)
    /// Likewise, if a source that was named is not configured.
    case refreshFoundNoSource
    /// The answer to `Effect.copy`; the reason where the terminal has no clipboard.
    case copyAnswered(refusal: ClipboardRefusal?)
    /// The answer to `Effect.open`, and how long it took; the reason where it could not be opened.
    case openAnswered(url: String, refusal: String?, after: Duration)
    /// The answer to `Request.sources`.
    case sourcesAnswered([Wire.SourceHealth])
    case sourcesRefused(String)
    /// What `Effect.tick` waited for.
    case ticked(Ticking)
}

/// What is to be done outside. `update` returns them; the runner performs them in order.
package enum Effect: Hashable, Sendable {
    /// Sends a request to the daemon.
    case ask(Request)
    /// Waits once, then says `ticked`; instead of one of the same kind that waits.
    case tick(Ticking, after: Duration)
    /// Ends a wait: no `ticked` of its kind comes.
    case stopTicking(Ticking)
    /// Puts the text into the clipboard of whoever sits at the terminal. Answered by `copyAnswered`.
    case copy(String)
    /// Has the desktop open the URL, which is http or https. Answered by `openAnswered`.
    case open(String)
    /// Draws all of the screen, in case something else wrote on it.
    case redraw
    case suspend
    case quit
}

/// A request of the viewer to the daemon.
package enum Request: Hashable, Sendable {
    /// Follows another view of the daemon's jokes from now on.
    case watch(Wire.View)
    /// Adds a joke to the favorites, or removes it. Answered by one `markAnswered`, also without a daemon.
    case star(JokeID, isStarred: Bool)
    /// Adds a favorite that was removed, as it was, whatever became of the joke meanwhile. Answered by one `markAnswered`
    /// for the joke, which may be a duplicate of it.
    case restore(Favorite, of: JokeID)
    /// Hides a joke, or shows it again. Answered by one `markAnswered`, also without a daemon.
    case hide(JokeID, isHidden: Bool)
    /// Refreshes these sources, or all. Answered by `refreshAnswered`, `refreshRefused` or `refreshFoundNoSource`.
    case refresh(sources: [String]? = nil)
    /// Asks for the status of the sources. Answered by `sourcesAnswered` or `sourcesRefused`.
    case sources
    /// Tries now to reach the daemon that is away.
    case reconnect
}
