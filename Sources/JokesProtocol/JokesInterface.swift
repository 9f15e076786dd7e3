/// The interface `org.jokesd.Jokes`, as `GetInterfaceDescription` serves it.
package enum JokesInterface {
    package static let name = "org.jokesd.Jokes"

    /// The qualified name of a method.
    package static func method(_ method: String) -> String {
        "\(name).\(method)"
    }

    /// Every method, type and error, each with its meaning: the text of `org.jokesd.Jokes.varlink`, which is compiled in.
    package static let description = String(decoding: PackageResources.org_jokesd_Jokes_varlink, as: UTF8.self)
}
