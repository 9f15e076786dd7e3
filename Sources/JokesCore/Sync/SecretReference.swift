/// Where a secret is kept that a source sends to its upstream: never in the configuration itself, so that the secret is
/// in no log, export or message.
package enum SecretReference: Hashable, Sendable {
    /// A file by its whole path: `@file:/etc/jokesd/token`.
    case file(String)
    /// What systemd passes to the service under this name (LoadCredential=): `@credential:token`.
    case credential(String)
}
