package enum SourcesMethod: JokesMethod {
    package static let name = "Sources"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [Wire.SourceHealth]

        package init(sources: [Wire.SourceHealth]) {
            self.sources = sources
        }
    }
}

package enum RefreshMethod: JokesMethod {
    package static let name = "Refresh"

    package struct Parameters: Codable, Hashable, Sendable {
        package var sources: [String]?

        package init(sources: [String]? = nil) {
            self.sources = sources
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var sources: [Wire.RefreshedSource]

        package init(sources: [Wire.RefreshedSource]) {
            self.sources = sources
        }
    }
}

package enum ForgetMethod: JokesMethod {
    package static let name = "Forget"

    package struct Parameters: Codable, Hashable, Sendable {
        package var source: String

        package init(source: String) {
            self.source = source
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int

        package init(removed: Int) {
            self.removed = removed
        }
    }
}
