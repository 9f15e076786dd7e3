import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The replies to `Export` and `Import`.
extension Daemon {
    // MARK: Export

    func export(_ parameters: ExportMethod.Parameters) throws -> ExportMethod.Reply {
        let maxBytes = 256 << 10
        switch try cursor(parameters.cursor, ExportCursor.init) ?? .favorites(after: nil) {
        case .favorites(let place):
            let page = try fittingPage(
                limit: 200, bytes: maxBytes, size: { ExchangeRecord.favorite($0).estimatedBytes }
            ) {
                try reader.favorites(after: place, limit: $0, includingExcluded: parameters.filtered != true)
            }
            return ExportMethod.Reply(
                favorites: page.rows.map(Wire.FavoriteJoke.init),
                next: (page.next.map { .favorites(after: $0) } ?? ExportCursor.hidden(after: nil)).description)
        case .hidden(let fingerprint):
            let limit = 1000
            let marks = try reader.hidden(after: fingerprint, limit: limit)
            let next: ExportCursor? =
                marks.count == limit
                ? .hidden(after: marks.last?.fingerprint) : parameters.all == true ? .jokes(after: nil) : nil
            return ExportMethod.Reply(hidden: marks.map(Wire.HiddenMark.init), next: next?.description)
        case .jokes(let place):
            let page = try fittingPage(limit: 200, bytes: maxBytes, size: { ExchangeRecord.joke($0).estimatedBytes }) {
                try reader.list(after: place, limit: $0)
            }
            return ExportMethod.Reply(
                jokes: page.rows.map(Wire.Joke.init),
                next: page.next.map { ExportCursor.jokes(after: $0).description })
        }
    }

    // MARK: Import

    func importPiece(_ call: VarlinkCall<ImportMethod.Parameters, ImportMethod.Reply>) throws {
        guard let records = call.parameters.records else { throw ErrorReply.invalidParameter("hidden") }
        let piece = try imports.add(call.parameters.id, records: records.count, bytes: call.messageBytes)
        let id = piece.id
        let isLast = call.parameters.last == true
        Task {
            do {
                let report = try await store(records, piece, isLast: isLast)
                imports.endPiece(id, isLast: isLast) { [weak self] in self?.forgetImport(id) }
                call.reply(ImportMethod.Reply(id: isLast ? nil : id, report: report))
            } catch {
                forgetImport(id)
                call.fail(JokesService.explain(error))
            }
        }
    }

    /// Stages a piece, and imports all pieces with the last one.
    private func store(
        _ records: [ExchangeRecord], _ piece: PendingImports.Piece, isLast: Bool
    ) async throws -> Wire.ImportReport? {
        let refused = try await writer.store.stage(records, ofImport: piece.number)
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
        Task { try? await writer.store.discardImport(number) }
    }
}

extension Wire.ImportReport {
    fileprivate init(_ report: ImportReport) {
        self.init(
            newFavorites: report.newFavorites, changedFavorites: report.changedFavorites,
            knownFavorites: report.knownFavorites, newHidden: report.newHidden, knownHidden: report.knownHidden,
            newJokes: report.newJokes, knownJokes: report.knownJokes, excluded: report.excluded)
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
