/// Where a secret is kept that a source sends to its upstream: never in the configuration itself, so that the secret is
/// in no log, export or message.
package enum SecretReference: Hashable, Sendable {
    /// A file by its whole path: `@file:/etc/jokesd/token`.
    case file(String)
    /// What systemd passes to the service under this name (LoadCredential=): `@credential:token`.
    case credential(String)
}

/// A value that a source sends with a request: plain text, a secret, or text with a secret behind it as in
/// `Bearer @file:/etc/jokesd/token`.
package struct SentValue: Hashable, Sendable {
    package var text: String
    package var secret: SecretReference?

    package init(_ text: String, secret: SecretReference? = nil) {
        self.text = text
        self.secret = secret
    }
}

/// A header, or a field of a query, that a source sends with each request.
package struct SentField: Hashable, Sendable {
    package var name: String
    package var value: SentValue

    package init(_ name: String, _ value: SentValue) {
        self.name = name
        self.value = value
    }
}
