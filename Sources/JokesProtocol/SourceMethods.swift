package import JokesCore

package enum SourcesMethod: JokesMethod {
    package static let name = "Sources"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [SourceHealth]

        package init(sources: [SourceHealth]) { self.sources = sources }
    }
}

package enum RefreshMethod: JokesMethod {
    package static let name = "Refresh"

    package struct Parameters: Codable, Hashable, Sendable {
        package var sources: [String]?
        package var force: Bool?

        package init(sources: [String]? = nil, force: Bool? = nil) { (self.sources, self.force) = (sources, force) }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [RefreshedSource]

        package init(sources: [RefreshedSource]) { self.sources = sources }
    }
}

package enum ForgetMethod: JokesMethod {
    package static let name = "Forget"

    package struct Parameters: Codable, Hashable, Sendable {
        package var source: String

        package init(source: String) { self.source = source }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int

        package init(removed: Int) { self.removed = removed }
    }
}
