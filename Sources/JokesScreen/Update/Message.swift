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
    /// The daemon's picture as it is now, the first one or one that differences were applied to. After `Effect.watch`
    /// it is of that view.
    case changed(JokeSnapshot)
    /// The daemon is not there; it is tried again at the moment given.
    case away(reason: String, hint: String? = nil, retryAt: Timestamp)
    /// The answer to `Effect.star` and to `Effect.restore`; the reason where the daemon, or its absence, said no, and in
    /// a line of its own what to do about it.
    case starAnswered(JokeID, refusal: String?)
    /// The answer to `Effect.hide`, likewise.
    case hideAnswered(JokeID, refusal: String?)
    /// The answer to `Effect.refresh`.
    case refreshAnswered([Wire.RefreshedSource])
    case refreshRefused(String)
    /// Likewise, if a source that was named is not configured.
    case refreshFoundNoSource
    /// The answer to `Effect.copy`; the reason where the terminal has no clipboard.
    case copyAnswered(refusal: ClipboardRefusal?)
    /// The answer to `Effect.open`, and how long it took; the reason where it could not be opened.
    case openAnswered(url: String, refusal: String?, after: Duration)
    /// The answer to `Effect.sources`.
    case sourcesAnswered([Wire.SourceHealth])
    case sourcesRefused(String)
    /// What `Effect.tick` waited for.
    case ticked(Ticking)
}

/// What is to be done outside. `update` returns them; the runner performs them in order.
package enum Effect: Hashable, Sendable {
    /// Follows another view of the daemon's jokes from now on.
    case watch(Wire.View)
    /// Asks the daemon to star a joke, or to take its star. Each one is answered by one `starAnswered`.
    case star(JokeID, isStarred: Bool)
    /// Asks the daemon to have a favorite again whose star was taken: as it was, whatever became of the joke meanwhile.
    /// Likewise answered for the joke, which may be another telling of it.
    case restore(Favorite, of: JokeID)
    /// Asks the daemon to hide a joke, or to show it again. Each one is answered by one `hideAnswered`.
    case hide(JokeID, isHidden: Bool)
    /// Asks the daemon to ask these of its sources, or all. Answered by `refreshAnswered`, `refreshRefused` or
    /// `refreshFoundNoSource`.
    case refresh(sources: [String]? = nil)
    /// Asks the daemon how its sources do. Answered by `sourcesAnswered` or `sourcesRefused`.
    case sources
    /// Waits once, then says `ticked`; instead of one of the same kind that waits.
    case tick(Ticking, after: Duration)
    /// Ends a wait: no `ticked` of its kind comes.
    case stopTicking(Ticking)
    /// Tries now to reach the daemon that is away.
    case reconnect
    /// Puts the text into the clipboard of whoever sits at the terminal. Answered by `copyAnswered`.
    case copy(String)
    /// Has the desktop open the URL, which is http or https. Answered by `openAnswered`.
    case open(String)
    /// Draws all of the screen, in case something else wrote on it.
    case redraw
    case suspend
    case quit
}
