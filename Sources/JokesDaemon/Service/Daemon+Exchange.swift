import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The methods `Export` and `Import`.
extension Daemon {
    // MARK: Export

    /// Returns the next page of an export. Favorites come first, then hidden marks, shown jokes, and excluded jokes.
    ///
    /// The cursor is the kind of the next record, a space, and the position after the previous record of this kind.
    func export(_ parameters: ExportMethod.Parameters) throws -> ExportMethod.Reply {
        let kinds =
            ["favorites", "hidden"] + (parameters.all == true ? ["jokes"] : [])
            + (parameters.excluded == true ? ["excluded"] : [])
        let parts = (parameters.cursor ?? "favorites ").split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = kinds.firstIndex(of: String(parts[0])) else {
            throw ErrorReply.invalidParameter("cursor")
        }
        let (kind, position) = (kinds[index], parts[1].isEmpty ? nil : String(parts[1]))
        var reply = ExportMethod.Reply()
        let next: String?
        switch kind {
        case "favorites":
            let page = try exportedPage(after: position, size: { ExchangeRecord.favorite($0).estimatedBytes }) {
                try reader.favorites(after: $0, limit: $1, includingExcluded: parameters.filtered != true)
            }
            (reply.favorites, next) = (page.rows, page.next?.description)
        case "hidden":
            let limit = 1000
            let marks = try reader.hiddenMarks(after: try cursor(position, Fingerprint.init(hex:)), limit: limit)
            (reply.hidden, next) = (marks, marks.count == limit ? marks.last?.fingerprint.hex : nil)
        default:
            let page = try exportedPage(after: position, size: { ExchangeRecord.joke($0).estimatedBytes }) {
                try kind == "jokes" ? reader.list(after: $0, limit: $1) : reader.excludedJokes(after: $0, limit: $1)
            }
            (reply.jokes, next) = (page.rows, page.next?.description)
        }
        reply.next = next.map { "\(kind) \($0)" } ?? kinds.dropFirst(index + 1).first.map { "\($0) " }
        return reply
    }

    private func exportedPage<Row>(
        after position: String?, size: (Row) -> Int, _ read: (PageCursor?, _ limit: Int) throws -> Page<Row>
    ) throws -> Page<Row> {
        let start = try cursor(position, PageCursor.init)
        return try fittingPage(limit: 200, bytes: 256 << 10, size: size) { try read(start, $0) }
    }

    // MARK: Import

    /// Stages the records of a piece, then replies. After the last piece, replies when the import is on disk.
    func importPiece(_ call: Call<ImportMethod>) throws {
        let records = call.parameters.records
        let piece: PendingImports.Piece
        do {
            piece = try imports.add(call.parameters.id, bytes: call.messageBytes)
        } catch {
            call.parameters.id.map(discardImport)
            throw error
        }
        let id = piece.id
        let (isLast, isDryRun) = (call.parameters.last == true, call.parameters.dryRun == true)
        Task {
            do {
                let report = try await storePiece(records, piece, isLast: isLast, isDryRun: isDryRun)
                imports.endPiece(id, isLast: isLast) { [weak self] in self?.discardImport(id) }
                call.reply(ImportMethod.Reply(id: isLast ? nil : id, report: report))
            } catch {
                discardImport(id)
                call.fail(JokesService.errorReply(for: error))
            }
        }
    }

    /// Stages a piece. After the last piece, imports all pieces and returns the report.
    ///
    /// Requests a tidying of the cache after each import, because the import may exceed the limits.
    private func storePiece(
        _ records: [ExchangeRecord], _ piece: PendingImports.Piece, isLast: Bool, isDryRun: Bool
    ) async throws -> ImportReport? {
        let refused = try await writer.store.stage(records, ofImport: piece.number)
        if let refused {
            throw JokesError.importRefused(reason: "record \(refused.position): \(refused.reason)")
        }
        guard isLast else { return nil }
        let report = try await writer.write { try $0.finishImport(piece.number, isDryRun: isDryRun, at: .now) }
        // An error here must not fail the call: the import is already on disk.
        log.attempt("publish imported jokes") {
            try views.reloadFavorites()
            try views.updateJokes()
        }
        request(.tidy)
        returnFreeMemory()
        return report
    }

    /// Removes the staged records of an import, after an error or after a minute without a piece.
    func discardImport(_ id: String) {
        guard let number = imports.remove(id) else { return }
        Task { await writer.store.discardImport(number) }
    }
}
