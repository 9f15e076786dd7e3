/// The location of a secret that a source sends. The configuration does not have the secret, so it is never in a log,
/// export or message.
package enum SecretReference: Hashable, Sendable {
    /// A file with an absolute path: `@file:/etc/jokesd/token`.
    case file(String)
    /// A credential of systemd (LoadCredential=): `@credential:token`.
    case credential(String)
}

/// A value that a source sends: a text, a secret, or a text followed by a secret, such as `Bearer
/// @file:/etc/jokesd/token`.
package struct SentValue: Hashable, Sendable {
    package var text: String
    package var secret: SecretReference?

    package init(_ text: String, secret: SecretReference? = nil) {
        (self.text, self.secret) = (text, secret)
    }
}

/// A header or a query field that a source sends.
package struct SentField: Hashable, Sendable {
    package var name: String
    package var value: SentValue

    package init(_ name: String, _ value: SentValue) {
        (self.name, self.value) = (name, value)
    }
}
