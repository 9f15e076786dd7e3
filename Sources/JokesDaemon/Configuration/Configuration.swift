package import JokesCore

/// The checked configuration of the daemon.
///
/// The initial values are the defaults. `config.example.json` shows and explains them.
package struct Configuration: Hashable, Sendable {
    /// In the order of the file. Names are unique.
    package var sources: [SourceConfiguration] = []
    /// The filter for all jokes.
    package var filter = JokeFilter()
    package var feed = Feed()
    package var cache = Cache()
    package var network = Network()

    package init() {}

    /// The section of jokes.
    package struct Feed: Hashable, Sendable {
        /// The number of newest jokes that are shown.
        package var size = 50
        /// The maximum number of loading items above them during a sync.
        package var placeholders = 10

        package init() {}
    }

    /// The limits of the cache, which do not apply to favorites.
    package struct Cache: Hashable, Sendable {
        package var maxJokes = 100_000
        /// How long a joke is kept after its source has removed it.
        package var maxAge: Duration = .seconds(365 * 86_400)

        package init() {}
    }

    /// The settings for requests to sources.
    package struct Network: Hashable, Sendable {
        /// The maximum time of a request with its redirects, from name resolution to the last byte.
        package var timeout: Duration = .seconds(30)
        /// The maximum size of an answer after decompression, in bytes.
        package var maxBody = 8_000_000
        /// A mail or web address for the User-Agent, in printable ASCII; empty for none.
        package var contact = ""
        package var proxy = Proxy.fromEnvironment

        package init() {}

        /// The proxy for servers that are not on this machine.
        package enum Proxy: Hashable, Sendable {
            /// The proxy of `https_proxy` and similar variables.
            case fromEnvironment
            /// No proxy, even if a variable has one.
            case direct
            /// The proxy with this URL, which has a scheme that libcurl knows, and no user or password.
            case url(String)
            /// The proxy with the URL in this place, which may have a user and a password.
            case kept(SecretReference)
        }
    }
}
