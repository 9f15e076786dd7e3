package import JokesCore
package import JokesProtocol
package import Terminal

/// What happened.
package enum Message: Equatable, Sendable {
    case key(Key)
    case resized(Size)
    /// The daemon is being looked for.
    case connecting
    /// The daemon's picture as it is now, the first one or one that differences were applied to.
    case changed(JokeSnapshot)
    /// The daemon is not there; it is tried again at the moment given.
    case away(reason: String, retryAt: Timestamp)
    /// The answer to `Effect.star`; the reason where the daemon, or its absence, said no.
    case starAnswered(JokeID, refusal: String?)
    /// The answer to `Effect.refresh`.
    case refreshAnswered([Wire.RefreshedSource])
    case refreshRefused(String)
}

/// What is to be done outside. `update` returns them; the runner performs them in order.
package enum Effect: Hashable, Sendable {
    /// Asks the daemon to star a joke, or to take its star. Each one is answered by one `starAnswered`.
    case star(JokeID, isStarred: Bool)
    /// Asks the daemon to ask its sources. Answered by `refreshAnswered` or `refreshRefused`.
    case refresh
    /// Tries now to reach the daemon that is away.
    case reconnect
    /// Draws all of the screen, in case something else wrote on it.
    case redraw
    case suspend
    case quit
}
