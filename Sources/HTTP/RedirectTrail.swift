/// The current URL of a request that follows redirects, and the rules for the next redirect.
package struct RedirectTrail {
    private static let maxRedirects = 3

    private let first: Location
    private let allowsLocalNetwork: Bool
    private let allowedAddresses: [AddressBlock]
    private var redirectCount = 0
    /// The URL of the current request.
    private(set) var current: Location
    /// True if secrets for the first host may be sent to the current one: no redirect has left the origin.
    private(set) var isAtFirstOrigin = true

    /// - Throws: `HTTPError` if the first URL is forbidden.
    package init(_ request: HTTPRequest) throws(HTTPError) {
        first = try Location(request.url)
        current = first
        allowsLocalNetwork = request.allowsLocalNetwork
        allowedAddresses = request.limits.allowedAddresses
        if first.scheme != "https" && !allowsLocalNetwork {
            throw HTTPError(.schemeRefused, first.redacted, plainRefused)
        }
        if let (code, reason) = refusal(of: first) { throw HTTPError(code, first.redacted, reason) }
    }

    /// True if the current request may connect to a local address.
    var localAccess: LocalAccess { localAccess(to: current) }

    private func localAccess(to location: Location) -> LocalAccess {
        if !allowsLocalNetwork { return .denied }
        return (location.host, location.port) == (first.host, first.port) ? .allowed : .deniedAfterRedirect
    }

    /// Follows the redirect of a response. Returns false if it is none.
    package mutating func follow(status: Int, location: String?) throws(HTTPError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return false }
        let next = try current.resolving(location)
        if let reason = refusal(ofRedirectTo: next) {
            throw HTTPError(.redirectRefused, current.redacted, "redirect to \(next.redacted) refused: \(reason)")
        }
        redirectCount += 1
        isAtFirstOrigin = isAtFirstOrigin && next.hasSameOrigin(as: first)
        current = next
        return true
    }

    private func refusal(ofRedirectTo next: Location) -> String? {
        if next.scheme != "https" && !allowsLocalNetwork { return plainRefused }
        if next.scheme != "https" && current.scheme == "https" { return "it leaves https" }
        if redirectCount == Self.maxRedirects { return "more than \(Self.maxRedirects) redirects" }
        return refusal(of: next)?.reason
    }

    /// Addresses are checked again when connecting, but not if a proxy connects.
    private func refusal(of location: Location) -> (code: HTTPError.Code, reason: String)? {
        location.literalAddress?.refusal(localAccess(to: location), except: allowedAddresses)
    }
}

private let plainRefused = #"plain http needs "allowLocalNetwork": true"#

/// The permission of a request to connect to addresses of this machine and of local networks.
package enum LocalAccess: Sendable {
    case allowed
    /// The request does not allow it.
    case denied
    /// The request allows it, but a redirect led to another host or port than its own.
    case deniedAfterRedirect
}

extension NetworkAddress {
    /// Returns why a request may not connect to the address, and the fix; nil if it may.
    package func refusal(
        _ access: LocalAccess, except allowed: [AddressBlock] = []
    ) -> (code: HTTPError.Code, reason: String)? {
        let scope = scope
        if scope == .global || (scope.isLocal && access == .allowed) || isWithin(allowed) { return nil }
        let reason =
            switch access {
            case _ where !scope.isLocal: #"needs "allowAddresses": ["\#(block)"] in "network""#
            case .allowed, .denied: #"needs "allowLocalNetwork": true"#
            case .deniedAfterRedirect:
                "is not at the host and port of the source; to allow it, use the new URL as \"url\" of a source"
            }
        return (scope.isLocal ? .addressRefused : .addressReserved, "\(self) is \(scope.rawValue), which \(reason)")
    }
}
