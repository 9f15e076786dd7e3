package import JokesCore

package enum ProbeMethod: JokesMethod {
    package static let name = "Probe"

    package struct Parameters: Codable, Hashable, Sendable {
        package var url, path, type, name: String?
        package var headers: [Header]?
        package var auth: String?
        package var allowLocalNetwork: Bool?
        package var safety: String?

        package init(
            url: String? = nil, path: String? = nil, type: String? = nil, name: String? = nil,
            headers: [Header]? = nil, auth: String? = nil, allowLocalNetwork: Bool? = nil, safety: Safety? = nil
        ) {
            (self.url, self.path, self.type, self.name) = (url, path, type, name)
            (self.headers, self.auth) = (headers, auth)
            (self.allowLocalNetwork, self.safety) = (allowLocalNetwork, safety?.rawValue)
        }

        /// True if the daemon would read files, or reach servers that only its user may reach.
        package var needsTrust: Bool { path != nil || headers != nil || auth != nil || allowLocalNetwork == true }
    }

    /// A header of requests, whose value may have a reference to a secret.
    package struct Header: Codable, Hashable, Sendable {
        package var name, value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var name, type, entry: String
        package var sample: SourceSample

        package init(name: String, type: String, entry: String, sample: SourceSample) {
            (self.name, self.type, self.entry, self.sample) = (name, type, entry, sample)
        }
    }
}

package enum TestSourceMethod: JokesMethod {
    package static let name = "TestSource"

    package struct Parameters: Codable, Hashable, Sendable {
        package var name: String

        package init(name: String) { self.name = name }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var sample: SourceSample

        package init(sample: SourceSample) { self.sample = sample }
    }
}

package enum ConfigurationMethod: JokesMethod {
    package static let name = "Configuration"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Hashable, Sendable {
        package var path: String
        package var exists: Bool
        package var defaultSources: String

        package init(path: String, exists: Bool, defaultSources: String) {
            (self.path, self.exists, self.defaultSources) = (path, exists, defaultSources)
        }
    }
}

package enum ReloadMethod: JokesMethod {
    package static let name = "Reload"
    package typealias Parameters = NoParameters
    package typealias Reply = NoParameters
}
