package import JokesCore
package import JokesProtocol
package import Terminal

/// An event.
package enum Message: Equatable, Sendable {
    case key(Key)
    case mouse(MouseEvent)
    case pasted(String)
    case resized(Size)
    case connecting
    /// A new snapshot. After `Request.watch`, it is of that view.
    case changed(JokeSnapshot)
    /// The daemon is unreachable. The next attempt is at `retryAt`.
    case away(reason: String, hint: String? = nil, retryAt: Timestamp)
    /// The answer to `Request.star`, `.restore` or `.hide`. A refusal may have a hint on its last line.
    case markAnswered(Mark, refusal: String?)
    /// The answer to `Request.refresh`.
    case refreshAnswered([Wire.RefreshedSource])
    case refreshRefused(String)
    /// The answer to `Request.refresh` for an unknown source.
    case refreshFoundNoSource
    /// The answer to `Effect.copy`.
    case copyAnswered(refusal: ClipboardRefusal?)
    /// The answer to `Effect.open`, with the time that it took.
    case openAnswered(url: String, refusal: String?, after: Duration)
    /// The answer to `Request.sources`.
    case sourcesAnswered([Wire.SourceHealth])
    case sourcesRefused(String)
    /// The timer of `Effect.tick` has ended.
    case ticked(Ticking)
}

extension Message {
    package init(_ input: Input) {
        switch input {
        case .key(let key): self = .key(key)
        case .mouse(let mouse): self = .mouse(mouse)
        case .pasted(let text): self = .pasted(text)
        }
    }
}

/// An effect that `update` returns. The runner performs the effects in order.
package enum Effect: Hashable, Sendable {
    /// Sends a request to the daemon.
    case ask(Request)
    /// Starts a timer, which replaces one of the same kind.
    case tick(Ticking, after: Duration)
    /// Stops a timer.
    case stopTicking(Ticking)
    /// Copies a text to the clipboard. Answered by `copyAnswered`.
    case copy(String)
    /// Opens an http or https URL. Answered by `openAnswered`.
    case open(String)
    /// Redraws the whole screen.
    case redraw
    case suspend
    case quit
}

/// A request of the viewer to the daemon.
package enum Request: Hashable, Sendable {
    /// Follows another view.
    case watch(Wire.View)
    /// Adds a joke to the favorites, or removes it. Answered by one `markAnswered`, also without a daemon.
    case star(JokeID, isStarred: Bool)
    /// Adds a removed favorite again, with its text and note. Answered by one `markAnswered` for the joke, which may be
    /// a duplicate.
    case restore(Favorite, of: JokeID)
    /// Hides a joke, or shows it again. Answered by one `markAnswered`, also without a daemon.
    case hide(JokeID, isHidden: Bool)
    /// Refreshes these sources, or all. Answered by `refreshAnswered`, `refreshRefused` or `refreshFoundNoSource`.
    case refresh(sources: [String]? = nil)
    /// Asks for the status of the sources. Answered by `sourcesAnswered` or `sourcesRefused`.
    case sources
    /// Tries to connect at once.
    case reconnect
}
