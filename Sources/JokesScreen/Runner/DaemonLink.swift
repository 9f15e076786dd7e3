package import JokesCore
package import JokesProtocol

/// What the viewer asks of the daemon. Called on the viewer's loop; what comes of it comes back as messages.
package struct DaemonLink {
    /// Follows another view; `Message.changed` tells it from then on.
    package var watch: (Wire.View) -> Void
    /// Answered by one `Message.starAnswered`, also where there is no daemon to ask.
    package var star: (_ joke: JokeID, _ isStarred: Bool) -> Void
    /// Likewise.
    package var restore: (_ favorite: Favorite, _ joke: JokeID) -> Void
    /// Answered by one `Message.hideAnswered`, likewise.
    package var hide: (_ joke: JokeID, _ isHidden: Bool) -> Void
    /// All sources where none is named. Answered by `Message.refreshAnswered`, `Message.refreshRefused` or
    /// `Message.refreshFoundNoSource`.
    package var refresh: (_ sources: [String]?) -> Void
    /// Answered by `Message.sourcesAnswered` or `Message.sourcesRefused`.
    package var sources: () -> Void
    /// Tries at once to reach a daemon that is away.
    package var reconnect: () -> Void
    /// Ends it: no message comes after.
    package var close: () -> Void

    package init(
        watch: @escaping (Wire.View) -> Void,
        star: @escaping (_ joke: JokeID, _ isStarred: Bool) -> Void,
        restore: @escaping (_ favorite: Favorite, _ joke: JokeID) -> Void,
        hide: @escaping (_ joke: JokeID, _ isHidden: Bool) -> Void,
        refresh: @escaping (_ sources: [String]?) -> Void,
        sources: @escaping () -> Void,
        reconnect: @escaping () -> Void, close: @escaping () -> Void
    ) {
        self.watch = watch
        self.star = star
        self.restore = restore
        self.hide = hide
        self.refresh = refresh
        self.sources = sources
        self.reconnect = reconnect
        self.close = close
    }
}
