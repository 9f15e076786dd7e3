import JokesClient
import JokesCore
import JokesProtocol
package import Unix

extension DaemonLink {
    /// The link to the daemon at the first of the paths where one is. Made on the loop, where `take` is called.
    package static func following(
        _ paths: [String], on loop: EventLoop, take: @escaping @Sendable (Message) -> Void
    ) -> DaemonLink {
        let follower = DaemonFollower(paths: paths, loop: loop) { take(Message($0)) }
        follower.assumeIsolated { $0.start() }
        return DaemonLink(
            watch: { view in follower.assumeIsolated { $0.follow(view) } },
            star: { joke, isStarred in follower.assumeIsolated { $0.star(joke, isStarred: isStarred, take) } },
            restore: { favorite, joke in follower.assumeIsolated { $0.restore(favorite, of: joke, take) } },
            hide: { joke, isHidden in follower.assumeIsolated { $0.hide(joke, isHidden: isHidden, take) } },
            refresh: { sources in follower.assumeIsolated { $0.refresh(sources, take) } },
            sources: { follower.assumeIsolated { $0.sources(take) } },
            reconnect: { follower.assumeIsolated { $0.reconnect() } },
            close: { follower.assumeIsolated { $0.close() } })
    }
}

extension DaemonFollower {
    fileprivate func star(_ joke: JokeID, isStarred: Bool, _ take: @escaping @Sendable (Message) -> Void) {
        let ids = [joke.rawValue]
        if isStarred {
            call(FavoriteMethod.self, .init(ids: ids)) { take(.starAnswered(joke, refusal: refusal($0))) }
        } else {
            call(UnfavoriteMethod.self, .init(ids: ids)) { take(.starAnswered(joke, refusal: refusal($0))) }
        }
    }

    /// By an import: starring makes a favorite of the joke as it is now, where that is still there.
    fileprivate func restore(_ favorite: Favorite, of joke: JokeID, _ take: @escaping @Sendable (Message) -> Void) {
        let parameters = ImportMethod.Parameters(id: nil, [.favorite(favorite)], isLast: true)
        call(ImportMethod.self, parameters) { take(.starAnswered(joke, refusal: refusal($0))) }
    }

    fileprivate func hide(_ joke: JokeID, isHidden: Bool, _ take: @escaping @Sendable (Message) -> Void) {
        let parameters = ChangeParameters(ids: [joke.rawValue])
        if isHidden {
            call(HideMethod.self, parameters) { take(.hideAnswered(joke, refusal: refusal($0))) }
        } else {
            call(UnhideMethod.self, parameters) { take(.hideAnswered(joke, refusal: refusal($0))) }
        }
    }

    fileprivate func refresh(_ sources: [String]?, _ take: @escaping @Sendable (Message) -> Void) {
        call(RefreshMethod.self, RefreshMethod.Parameters(sources: sources)) { result in
            switch result {
            case .success(let reply): take(.refreshAnswered(reply.sources))
            case .failure(.refused(.noSuchSource)): take(.refreshFoundNoSource)
            case .failure(let error): take(.refreshRefused(error.words))
            }
        }
    }
}

extension DaemonFollower {
    fileprivate func sources(_ take: @escaping @Sendable (Message) -> Void) {
        call(SourcesMethod.self, NoParameters()) { result in
            switch result {
            case .success(let reply): take(.sourcesAnswered(reply.sources))
            case .failure(let error): take(.sourcesRefused(error.words))
            }
        }
    }
}

extension Message {
    fileprivate init(_ event: DaemonFollower.Event) {
        switch event {
        case .connecting: self = .connecting
        case .changed(let snapshot): self = .changed(snapshot)
        case .away(let error, let pause):
            self = .away(
                reason: error.sentence, hint: error.hint, retryAt: LocalClock.read().now.advanced(by: pause))
        }
    }
}

private func refusal<Reply>(_ result: Result<Reply, ClientError>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return error.words
}

extension ClientError {
    /// What went wrong, and in a line of its own what to do about it.
    fileprivate var words: String {
        [sentence, hint].compactMap(\.self).joined(separator: "\n")
    }
}
