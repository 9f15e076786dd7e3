package import JokesCore

/// What the daemon is told to do, checked: no value in it is one that the daemon cannot follow.
///
/// The values of a new one are the defaults; `config.example.json` shows the same and explains each.
package struct Configuration: Hashable, Sendable {
    /// In the order of the file; no two have one name.
    package var sources: [SourceConfiguration] = []
    /// What every joke must pass before anybody sees it.
    package var filter = JokeFilter()
    package var feed = Feed()
    package var cache = Cache()
    package var network = Network()

    package init() {}

    /// What the section of jokes holds.
    package struct Feed: Hashable, Sendable {
        /// The newest so many jokes are shown.
        package var size = 50
        /// At most so many loading items stand above them while sources are asked.
        package var placeholders = 10

        package init() {}
    }

    /// How much is kept of what was fetched; favorites are kept whatever it says.
    package struct Cache: Hashable, Sendable {
        package var maxJokes = 100_000
        /// For how long a joke is kept that its source shows no more.
        package var maxAge: Duration = .seconds(365 * 86_400)

        package init() {}
    }

    /// How sources are asked.
    package struct Network: Hashable, Sendable {
        /// For one request with all its redirects, from name to last byte.
        package var timeout: Duration = .seconds(30)
        /// The most bytes one answer may have, decompressed.
        package var maxBody = 8_000_000
        /// A mail or web address for the User-Agent; none where empty. Printable ASCII.
        package var contact = ""
        package var proxy = Proxy.fromEnvironment

        package init() {}

        /// How servers are reached that are not on this machine.
        package enum Proxy: Hashable, Sendable {
            /// As `https_proxy` and its kin say.
            case fromEnvironment
            /// Without a proxy, whatever the environment says.
            case direct
            /// Through the proxy of this URL, in a scheme of libcurl's; it holds no user and no password.
            case url(String)
            /// Through the proxy whose URL is kept there: it may hold a user and a password.
            case kept(SecretReference)
        }
    }
}
