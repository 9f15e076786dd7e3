package import JokesCore

/// What the viewer asks of the daemon. Called on the viewer's loop; what comes of it comes back as messages.
package struct DaemonLink {
    /// Answered by one `Message.starAnswered`, also where there is no daemon to ask.
    package var star: (_ joke: JokeID, _ isStarred: Bool) -> Void
    /// Answered by `Message.refreshAnswered` or `Message.refreshRefused`.
    package var refresh: () -> Void
    /// Tries at once to reach a daemon that is away.
    package var reconnect: () -> Void
    /// Ends it: no message comes after.
    package var close: () -> Void

    package init(
        star: @escaping (_ joke: JokeID, _ isStarred: Bool) -> Void, refresh: @escaping () -> Void,
        reconnect: @escaping () -> Void, close: @escaping () -> Void
    ) {
        self.star = star
        self.refresh = refresh
        self.reconnect = reconnect
        self.close = close
    }
}
