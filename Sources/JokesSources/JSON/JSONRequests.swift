import HTTP
import JokesCore

/// Makes the requests of a JSON source, with the values of placeholders and secrets.
struct JSONRequests {
    private let mapping: JSONMapping
    private let languages: [String]
    /// The URL after its host, with placeholders.
    private let template: String
    /// Scheme and host, one for each language if it is in the host.
    let origins: [String]

    init(url: String, languages: [String], _ mapping: JSONMapping) {
        (self.mapping, self.languages) = (mapping, languages)
        let whole = url.prefix { $0 != "#" }
        let host = whole.firstRange(of: "://").map { $0.upperBound } ?? whole.startIndex
        let path = whole[host...].firstIndex { $0 == "/" || $0 == "?" } ?? whole.endIndex
        template = String(whole[path...])
        let origin = String(whole[..<path])
        origins = languages.isEmpty ? [origin] : languages.map { origin.replacing("{lang}", with: $0) }
    }

    /// Returns the path and query of a request. Reads the files of secrets.
    func path(at location: JSONCursor.Location) throws(SourceError) -> String {
        var path: String
        if let next = location.next, !usesCursor {
            path = next
        } else {
            // The first page has no cursor, so its query field is left out.
            let template = location.next == nil ? withoutFields(template) { $0.contains("{cursor}") } : template
            path = fill(template, location, encode: percentEncoded)
        }
        for field in mapping.query where location.next != nil || !field.value.text.contains("{cursor}") {
            let filled = SentValue(fill(field.value.text, location) { $0 }, secret: field.value.secret)
            path += path.contains("?") ? "&" : "?"
            path += percentEncoded(field.name) + "=" + percentEncoded(try filled.read())
        }
        return path
    }

    private var usesCursor: Bool {
        template.contains("{cursor}") || mapping.query.contains { $0.value.text.contains("{cursor}") }
    }

    private func fill(_ text: String, _ location: JSONCursor.Location, encode: (String) -> String) -> String {
        guard text.contains("{") else { return text }
        return JSONMapping.Placeholder.allCases.reduce(text) { text, placeholder in
            text.replacing("{\(placeholder.rawValue)}", with: encode(value(of: placeholder, location)))
        }
    }

    private func value(of placeholder: JSONMapping.Placeholder, _ location: JSONCursor.Location) -> String {
        switch placeholder {
        case .limit: String(mapping.size)
        case .page, .from: String(location.number)
        case .to: String(location.number + mapping.size - 1)
        case .cursor: location.next ?? ""
        case .language: languages.isEmpty ? "" : languages[location.language]
        }
    }

    /// Returns the path without the query fields for which `isExcluded` is true.
    private func withoutFields(_ path: String, _ isExcluded: (Substring) -> Bool) -> String {
        guard let mark = path.firstIndex(of: "?") else { return path }
        let fields = path[path.index(after: mark)...].split(separator: "&").filter { !isExcluded($0) }
        return path[..<mark] + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }
}

// MARK: The next URL

extension JSONRequests {
    /// Returns the cursor or URL to store: of a URL the part after its origin, without the configured query fields,
    /// since one may be a secret.
    ///
    /// - Throws: `SourceError` if the URL is of another server, which must not get the headers.
    func nextToStore(_ next: String, at location: JSONCursor.Location) throws(SourceError) -> String {
        if usesCursor { return next }
        let origin = origins[location.language]
        guard next.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let path = path(ofNext: next, origin: origin) else {
            throw SourceError(.unreadable, "\(origin) returned a next URL of another origin")
        }
        let ours = Set(mapping.query.map { percentEncoded($0.name) })
        return withoutFields(path) { field in ours.contains(String(field.prefix { $0 != "=" })) }
    }

    private func path(ofNext next: String, origin: String) -> String? {
        guard let url = webAddress(next, base: origin + template.prefix { $0 != "?" }) else { return nil }
        // The schemes may differ, because some services do not know that a proxy adds TLS.
        let rest = url.drop { $0 != "/" }.dropFirst(2)
        let path = rest.drop { $0 != "/" && $0 != "?" }
        let isOurs = haveSameOrigin(
            "https://\(rest[..<path.startIndex])", "https:\(origin.drop { $0 != "/" })")
        return isOurs ? String(path.prefix { $0 != "#" }) : nil
    }
}

/// Returns the text as a value in a URL: everything except ASCII letters, digits and `-._~` is escaped.
private func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
            ? String(Unicode.Scalar(byte))
            : "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }.joined()
}
