import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The replies to `Export` and `Import`.
extension Daemon {
    // MARK: Export

    /// The approximate maximum size of a page, in bytes. A message has at most 1 MiB.
    private static let maxExportPage = 256 << 10

    func export(_ parameters: ExportMethod.Parameters) throws -> ExportMethod.Reply {
        let cursor = try parameters.cursor.map { text in
            guard let cursor = ExportCursor(text) else { throw ErrorReply.invalidParameter("cursor") }
            return cursor
        }
        let withJokes = parameters.all == true
        switch cursor ?? .favorites(after: nil) {
        case .favorites(let place):
            let page = try fitting(Keepsake.favorite) { limit in
                try reader.favorites(after: place, limit: limit, includingExcluded: parameters.filtered != true)
            }
            return ExportMethod.Reply(
                favorites: page.rows.map(Wire.FavoriteJoke.init),
                next: (page.next.map { .favorites(after: $0) } ?? ExportCursor.hidden(after: nil)).description)
        case .hidden(let fingerprint):
            let limit = 1000
            let marks = try reader.hidden(after: fingerprint, limit: limit)
            let next: ExportCursor? =
                marks.count == limit
                ? .hidden(after: marks.last?.fingerprint) : withJokes ? .jokes(after: nil) : nil
            return ExportMethod.Reply(hidden: marks.map(Wire.HiddenMark.init), next: next?.description)
        case .jokes(let place):
            let page = try fitting(Keepsake.joke) { try reader.list(after: place, limit: $0) }
            return ExportMethod.Reply(
                jokes: page.rows.map(Wire.Joke.init),
                next: page.next.map { ExportCursor.jokes(after: $0).description })
        }
    }

    /// Returns the longest page that is not too large.
    private func fitting<Row>(
        _ keepsake: (Row) -> Keepsake, _ page: (_ limit: Int) throws -> Page<Row>
    ) throws -> Page<Row> {
        try PageFitting.page(limit: 200, bytes: Self.maxExportPage, page) { found in
            found.rows.map { keepsake($0).estimatedBytes }
        }
    }

    // MARK: Import

    func takeImport(_ call: VarlinkCall<ImportMethod.Parameters, ImportMethod.Reply>) throws {
        guard let keepsakes = call.parameters.keepsakes else { throw ErrorReply.invalidParameter("hidden") }
        let piece = try imports.take(call.parameters.id, records: keepsakes.count, bytes: call.messageBytes)
        let id = piece.id
        let isLast = call.parameters.last == true
        Task {
            do {
                let report = try await store(keepsakes, piece, isLast: isLast)
                imports.end(id, isLast: isLast) { [weak self] in self?.forgetImport(id) }
                call.reply(ImportMethod.Reply(id: isLast ? nil : id, report: report))
            } catch {
                forgetImport(id)
                call.fail(JokesService.explain(error))
            }
        }
    }

    /// Stores a piece apart, and imports all pieces with the last one.
    private func store(
        _ keepsakes: [Keepsake], _ piece: PendingImports.Piece, isLast: Bool
    ) async throws -> Wire.ImportReport? {
        let refused = try await writer.store.layAside(keepsakes, ofImport: piece.number)
        if let refused {
            throw ErrorReply(JokesError.importRefused(reason: "record \(refused.position): \(refused.reason)"))
        }
        guard isLast else { return nil }
        let report = try await writer.write { try $0.finishImport(piece.number, of: piece.records, at: .now) }
        guard let report else { throw ErrorReply(JokesError.noSuchImport(id: piece.id)) }
        // The import is on disk, even if it cannot be shown.
        log.attempt("publish imported jokes") {
            try views.favoritesChanged()
            try views.jokesChanged()
        }
        handle(.tidyRequested)
        returnFreeMemory()
        return Wire.ImportReport(report)
    }

    /// Forgets an import, after an error or after a minute without a piece.
    func forgetImport(_ id: String) {
        guard let number = imports.remove(id) else { return }
        Task { try? await writer.store.dropImport(number) }
    }
}

extension Wire.ImportReport {
    fileprivate init(_ report: ImportReport) {
        self.init(
            newFavorites: report.newFavorites, changedFavorites: report.changedFavorites,
            knownFavorites: report.knownFavorites, newHidden: report.newHidden, knownHidden: report.knownHidden,
            newJokes: report.newJokes, knownJokes: report.knownJokes, leftOut: report.leftOut)
    }
}

/// The position of an export.
private enum ExportCursor: CustomStringConvertible {
    case favorites(after: PageCursor?)
    case hidden(after: Fingerprint?)
    case jokes(after: PageCursor?)

    var description: String {
        switch self {
        case .favorites(let place): "favorites \(place?.description ?? "")"
        case .hidden(let fingerprint): "hidden \(fingerprint?.hex ?? "")"
        case .jokes(let place): "jokes \(place?.description ?? "")"
        }
    }

    /// Reads a `description`; nil if the text is none.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let place = parts[1].isEmpty ? nil : PageCursor(parts[1])
        switch parts[0] {
        case "favorites": self = .favorites(after: place)
        case "jokes": self = .jokes(after: place)
        case "hidden": self = .hidden(after: Fingerprint(hex: parts[1]))
        default: return nil
        }
        guard description == text else { return nil }
    }
}
