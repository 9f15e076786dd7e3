/// The interface `org.jokesd.Jokes`, as `GetInterfaceDescription` serves it.
package enum JokesInterface {
    package static let name = "org.jokesd.Jokes"

    /// The text of `org.jokesd.Jokes.varlink`, which is compiled in.
    package static let description = String(decoding: PackageResources.org_jokesd_Jokes_varlink, as: UTF8.self)
}

/// The types of the interface text that only messages have, as Swift values that encode to it: JSON objects with absent members
/// left out. The types of the domain, such as `Joke`, encode themselves.
package enum Wire {}

/// A method of the interface: its name, parameters and reply.
package protocol JokesMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable

    /// The name within the interface, `Status`.
    static var name: String { get }
}

extension JokesMethod {
    /// The qualified name: `org.jokesd.Jokes.Status`.
    package static var fullName: String { "\(JokesInterface.name).\(name)" }
}
