import TestSupport
import Unix

/// A service with a catalog, in pages, in ranges, by cursors or as one answer.
final class JSONCatalogServer: Sendable {
    /// The answer after the end.
    enum BehindEnd: CaseIterable { case nothing, lastPage, firstPage }

    struct State {
        /// The jokes by language; empty for none. Nil elements are gaps in a range.
        var catalogs: [String: [String?]] = [:]
        var behindEnd = BehindEnd.nothing
        /// The maximum number of jokes of an answer.
        var most = Int.max
        var hasTotals = false
        /// `URL` is an absolute next URL, `path` is a path, and other values are a cursor.
        var nextStyle = "cursor"
        var etag: String?
        var requests = 0
    }

    let server: LoopbackServer
    private let state = Locked(State())

    init() throws(SystemError) {
        server = try LoopbackServer()
        server.routeEverythingElse { [weak self] request in
            self?.answer(to: request) ?? LoopbackAnswer(status: 500)
        }
    }

    func change(_ edit: (inout State) -> Void) {
        state.withLock { edit(&$0) }
    }

    /// Returns the number of requests since the last call.
    func takeRequestCount() -> Int {
        state.withLock { state in
            defer { state.requests = 0 }
            return state.requests
        }
    }

    private func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        state.withLock { state in
            state.requests += 1
            if let etag = state.etag, request.header("If-None-Match") == etag {
                return LoopbackAnswer(status: 304, headers: [("ETag", etag)])
            }
            let headers = state.etag.map { [(name: "ETag", value: $0)] } ?? []
            return .json(body(request, state), headers: headers)
        }
    }

    private func body(_ request: LoopbackRequest, _ state: State) -> String {
        let query = request.query
        let all = state.catalogs[query["lang"] ?? ""] ?? []
        let number = { (name: String) in query[name].flatMap { Int($0) } }
        let size = min(number("size") ?? all.count, state.most)
        let pages = max((all.count + size - 1) / max(size, 1), 1)
        var start = number("from") ?? (number("page") ?? 1) * size - size
        start = max(number("cursor") ?? start, 0)
        if number("page").map({ $0 > pages }) == true || number("from").map({ $0 >= all.count }) == true {
            switch state.behindEnd {
            case .nothing: start = all.count
            case .firstPage: start = 0
            case .lastPage: start = (pages - 1) * size
            }
        }
        let end = min(start + size, all.count)
        let items = start < end ? all[start..<end].compactMap(\.self).map { "{\"t\":\"\($0)\"}" } : []
        let totals = state.hasTotals ? ",\"pages\":\(pages),\"total\":\(all.count)" : ""
        let next = end < all.count ? next(at: end, request, state) : "null"
        return "{\"items\":[\(items.joined(separator: ","))],\"next\":\(next)\(totals)}"
    }

    private func next(at index: Int, _ request: LoopbackRequest, _ state: State) -> String {
        let fields = request.target.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let query = (fields.filter { !$0.hasPrefix("cursor=") } + ["cursor=\(index)"]).joined(separator: "&")
        return switch state.nextStyle {
        case "URL": "\"\(server.url)\(request.path)?\(query)\""
        case "path": "\"\(request.path)?\(query)\""
        default: "\(index)"
        }
    }
}
