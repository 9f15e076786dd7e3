import JokesCore

/// How much the cache keeps. Favorites and hidden jokes do not count, and are never let go of.
package struct CacheLimits: Hashable, Sendable {
    /// Of all sources together, each telling of a joke counted; as many more as there are marks.
    package var jokes: Int
    /// For how long a joke is kept that its source has not shown any more, though others of it came.
    package var age: Duration

    /// Texts that went of which is known still that they were told, and that a full cache does not take back: some 100
    /// bytes each.
    package var remembered: Int

    package init(jokes: Int = 100_000, age: Duration = .seconds(365 * 86_400), remembered: Int = 100_000) {
        self.jokes = jokes
        self.age = age
        self.remembered = remembered
    }
}
