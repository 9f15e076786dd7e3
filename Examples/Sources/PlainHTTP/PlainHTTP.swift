import Dispatch
package import FoundationEssentials
import Glibc

/// Why there is no body.
package enum HTTPFailure: Error, CustomStringConvertible {
    case unreachable
    case status(Int)
    case unreadable

    package var description: String {
        switch self {
        case .unreachable: "the service cannot be reached"
        case .status(let code): "the service answered \(code)"
        case .unreadable: "the service did not speak HTTP"
        }
    }
}

/// The body that a URL answers with. It stands in for the HTTP client that a program has: one request on a connection of
/// its own, which needs no more than a socket, no encryption, at most 1 MB, and ten seconds of timeout for each step.
package func get(_ address: String) async throws -> Data {
    guard let url = URL(string: address), url.scheme == "http" else { throw HTTPFailure.unreachable }
    let answer = try await withCheckedThrowingContinuation { continuation in
        // It blocks, which the threads of Swift's tasks must not.
        DispatchQueue.global().async { continuation.resume(with: Result { try exchange(url) }) }
    }
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { throw HTTPFailure.unreadable }
    let words = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[0].hasPrefix("HTTP/1."), let code = Int(words[1]) else {
        throw HTTPFailure.unreadable
    }
    guard code == 200 else { throw HTTPFailure.status(code) }
    return answer[end...]
}

private func exchange(_ url: URL) throws(HTTPFailure) -> Data {
    let socket = try connect(to: url)
    defer { close(socket) }
    let target = url.query().map { "\(url.path())?\($0)" } ?? url.path()
    let request = Array("GET \(target) HTTP/1.0\r\nHost: \(url.host() ?? "")\r\n\r\n".utf8)
    guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw .unreachable }
    var answer = Data()
    var part = [UInt8](repeating: 0, count: 4096)
    while answer.count < 1 << 20 {
        let count = recv(socket, &part, part.count, 0)
        guard count >= 0 else { throw .unreachable }
        if count == 0 { return answer }
        answer += part[..<count]
    }
    throw .unreadable
}

private func connect(to url: URL) throws(HTTPFailure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    guard let host = url.host(), getaddrinfo(host, "\(url.port ?? 80)", &hints, &addresses) == 0 else {
        throw .unreachable
    }
    defer { freeaddrinfo(addresses) }
    let address = addresses!.pointee  // A look-up that succeeds has found at least one.
    let socket = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
    guard Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 else {
        close(socket)
        throw .unreachable
    }
    return socket
}
