/// The URLs of a request and its redirects, and the rules for the next redirect.
package struct RedirectTrail {
    private static let maxRedirects = 3

    private struct Visit: Hashable {
        let location: Location
        /// The cookies of the redirects before, in libcurl's form.
        let cookies: [String]
    }

    private var visits: [Visit]
    private let allowsLocalNetwork: Bool

    /// - Throws: `HTTPError` if the first URL is forbidden.
    package init(_ request: HTTPRequest) throws(HTTPError) {
        let first = try Location(request.url)
        visits = [Visit(location: first, cookies: [])]
        allowsLocalNetwork = request.allowsLocalNetwork
        if first.scheme != "https" && !allowsLocalNetwork {
            throw HTTPError(.schemeRefused, first.redacted, plainRefused)
        }
        if let reason = refusal(of: first) { throw HTTPError(.addressRefused, first.redacted, reason) }
    }

    /// The URL of the current request.
    var current: Location { visits[visits.count - 1].location }

    /// The cookies for the current request, some of which may be for other hosts.
    var cookies: [String] { visits[visits.count - 1].cookies }

    /// True if secrets for the first host may be sent to the current one.
    var isAtFirstOrigin: Bool { visits.allSatisfy { $0.location.hasSameOrigin(as: visits[0].location) } }

    /// True if the current request may connect to a local address.
    var localAccess: LocalAccess { localAccess(to: current) }

    private func localAccess(to location: Location) -> LocalAccess {
        if !allowsLocalNetwork { return .denied }
        let own = visits[0].location
        return (location.host, location.port) == (own.host, own.port) ? .allowed : .deniedAfterRedirect
    }

    /// Follows the redirect of a response that leaves these cookies. Returns false if it is none.
    package mutating func follow(
        status: Int, location: String?, cookies: [String] = []
    ) throws(HTTPError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return false }
        let next = Visit(location: try current.resolving(location), cookies: cookies)
        if let reason = refusal(ofRedirectTo: next) {
            throw HTTPError(
                .redirectRefused, current.redacted, "redirect to \(next.location.redacted) refused: \(reason)")
        }
        visits.append(next)
        return true
    }

    private func refusal(ofRedirectTo next: Visit) -> String? {
        let scheme = next.location.scheme
        if scheme != "https" && !allowsLocalNetwork { return plainRefused }
        if scheme != "https" && current.scheme == "https" { return "it leaves https" }
        // Some servers set a cookie and redirect to the same URL.
        if visits.contains(next) { return "redirect loop" }
        if visits.count > Self.maxRedirects { return "more than \(Self.maxRedirects) redirects" }
        return refusal(of: next.location)
    }

    /// Addresses are checked again when connecting, but not if a proxy connects.
    private func refusal(of location: Location) -> String? {
        location.literalAddress?.refusal(localAccess(to: location))
    }
}

private let plainRefused = #"plain http needs "allowLocalNetwork": true"#

/// The permission of a request to connect to addresses of this machine and of local networks.
package enum LocalAccess: Sendable {
    case allowed
    /// The source does not have `allowLocalNetwork`.
    case denied
    /// The source has `allowLocalNetwork`, but a redirect led to another host or port than its own.
    case deniedAfterRedirect
}

extension NetworkAddress {
    /// Returns why a request may not connect to the address, and the fix; nil if it may.
    package func refusal(_ access: LocalAccess) -> String? {
        let scope = scope
        if scope == .global || (scope.isLocal && access == .allowed) { return nil }
        let reason =
            switch access {
            case _ where !scope.isLocal: "no source may connect to"
            case .allowed, .denied: #"needs "allowLocalNetwork": true"#
            case .deniedAfterRedirect:
                "is not at the host and port of the source; to allow it, use the new URL as \"url\" of a source"
            }
        return "\(self) is \(scope.rawValue), which \(reason)"
    }
}
