package import JokesCore
import Unix

extension SecretReference {
    private static let longest = 8192

    /// Reads the secret from its file, without the last line feed.
    ///
    /// - Throws: `SourceError` with code `misconfigured`, without a quote of the secret.
    package func read() throws(SourceError) -> String {
        let path = try path
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try RegularFile(opening: path).bytes(at: 0, count: Self.longest + 1)
        } catch {
            throw SourceError(.misconfigured, "cannot read the secret of the source: \(error.description)")
        }
        let secret = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace }
        let end = secret.lastIndex { !$0.isWhitespace }
        guard let end, bytes.count <= Self.longest, secret[...end].utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw SourceError(
                .misconfigured, "the secret in \(path) is not one line of printable ASCII")
        }
        return String(secret[...end])
    }

    private var path: String {
        get throws(SourceError) {
            switch self {
            case .file(let path): return path
            case .credential(let name):
                let path = environment("CREDENTIALS_DIRECTORY").map { "\($0)/\(name)" }
                guard let path, exists(path) else {
                    throw SourceError(
                        .misconfigured,
                        "credential '\(name)' is missing: add LoadCredential=\(name):/path to the unit of jokesd and "
                            + "restart jokesd, or use \"@file:/path/to/file\"")
                }
                return path
            }
        }
    }
}
