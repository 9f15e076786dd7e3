import HTTP
package import JokesCore
import Unix

extension SecretReference {
    /// The maximum size of a secret's file in bytes.
    private static let maxSize = 8192

    /// Reads the secret from its file, without white space around it. The error, `misconfigured`, does not quote it.
    package func read() throws(SourceError) -> String {
        let path = try path
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try RegularFile(opening: path).bytes(at: 0, count: Self.maxSize + 1)
        } catch {
            throw SourceError(.misconfigured, "cannot read the secret of the source: \(error.description)")
        }
        let secret = String(decoding: bytes, as: UTF8.self).trimmed
        guard !secret.isEmpty, bytes.count <= Self.maxSize, secret.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw SourceError(.misconfigured, "the secret in \(path) is not one line of printable ASCII") }
        return secret
    }

    private var path: String {
        get throws(SourceError) {
            switch self {
            case .file(let path): return path
            case .credential(let name):
                let path = environment("CREDENTIALS_DIRECTORY").map { "\($0)/\(name)" }
                if let path, exists(path) { return path }
                throw SourceError(
                    .misconfigured,
                    "credential '\(name)' is missing: add LoadCredential=\(name):/path to the unit of jokesd and "
                        + "restart jokesd, or use \"@file:/path/to/file\"")
            }
        }
    }
}

extension SentValue {
    /// Returns the text followed by its secret. Reads a file.
    func read() throws(SourceError) -> String { try text + (secret?.read() ?? "") }
}

extension SourceConfiguration {
    /// Returns the headers of a request with those of the configuration, which replace others. Reads the files of secrets.
    func addingHeaders(to headers: HeaderFields) throws(SourceError) -> HeaderFields {
        var headers = headers
        if let auth { headers["Authorization"] = "Basic " + base64(Array(try auth.read().utf8)) }
        for field in self.headers { headers[field.name] = try field.value.read() }
        return headers
    }
}

extension FetchedJoke {
    /// True if the joke has one of the categories, which are in lowercase; also if there are none.
    func isIn(_ categories: [String]) -> Bool {
        categories.isEmpty || self.categories.contains { categories.contains($0.lowercased()) }
    }
}

/// Checks that a service or a source has all configured categories, which are in lower case.
func check(_ categories: [String], known: [String], of service: String) throws(SourceError) {
    let unknown = categories.first { category in !known.contains { $0.lowercased() == category } }
    guard let unknown else { return }
    throw SourceError(
        .misconfigured,
        "\(service) has no category '\(unknown)': use one of \(known.prefix(40).joined(separator: ", "))")
}
