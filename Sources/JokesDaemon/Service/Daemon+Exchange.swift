import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The methods `Export` and `Import`.
extension Daemon {
    // MARK: Export

    /// Returns the next page of an export. Favorites come first, then hidden marks, shown jokes, and excluded jokes.
    func export(_ parameters: ExportMethod.Parameters) throws -> ExportMethod.Reply {
        let maxBytes = 256 << 10
        switch try cursor(parameters.cursor, ExportCursor.init) ?? .favorites(after: nil) {
        case .favorites(let position):
            let page = try fittingPage(
                limit: 200, bytes: maxBytes, size: { ExchangeRecord.favorite($0).estimatedBytes }
            ) {
                try reader.favorites(after: position, limit: $0, includingExcluded: parameters.filtered != true)
            }
            return ExportMethod.Reply(
                favorites: page.rows,
                next: (page.next.map { .favorites(after: $0) } ?? ExportCursor.hidden(after: nil)).description)
        case .hidden(let fingerprint):
            let limit = 1000
            let hiddenMarks = try reader.hiddenMarks(after: fingerprint, limit: limit)
            let jokes: ExportCursor? =
                parameters.all == true
                ? .jokes(after: nil) : parameters.excluded == true ? .excluded(after: nil) : nil
            let next = hiddenMarks.count == limit ? .hidden(after: hiddenMarks.last?.fingerprint) : jokes
            return ExportMethod.Reply(hidden: hiddenMarks, next: next?.description)
        case .jokes(let position):
            let page = try exportedJokes { try reader.list(after: position, limit: $0) }
            let excluded = parameters.excluded == true ? ExportCursor.excluded(after: nil) : nil
            return reply(page, next: page.next.map { .jokes(after: $0) } ?? excluded)
        case .excluded(let position):
            let page = try exportedJokes { try reader.excludedJokes(after: position, limit: $0) }
            return reply(page, next: page.next.map { .excluded(after: $0) })
        }
        func exportedJokes(_ read: (_ limit: Int) throws -> Page<Joke>) throws -> Page<Joke> {
            try fittingPage(limit: 200, bytes: maxBytes, size: { ExchangeRecord.joke($0).estimatedBytes }, read)
        }
        func reply(_ page: Page<Joke>, next: ExportCursor?) -> ExportMethod.Reply {
            ExportMethod.Reply(jokes: page.rows, next: next?.description)
        }
    }

    // MARK: Import

    /// Stages the records of a piece, then replies. After the last piece, replies when the import is on disk.
    func importPiece(_ call: VarlinkCall<ImportMethod.Parameters, ImportMethod.Reply>) throws {
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
            throw ErrorReply(JokesError.importRefused(reason: "record \(refused.position): \(refused.reason)"))
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

/// The cursor of an export: the kind of the next record and the position after the previous record.
private enum ExportCursor: CustomStringConvertible {
    case favorites(after: PageCursor?)
    case hidden(after: Fingerprint?)
    case jokes(after: PageCursor?)
    case excluded(after: PageCursor?)

    var description: String {
        switch self {
        case .favorites(let position): "favorites \(position?.description ?? "")"
        case .hidden(let fingerprint): "hidden \(fingerprint?.hex ?? "")"
        case .jokes(let position): "jokes \(position?.description ?? "")"
        case .excluded(let position): "excluded \(position?.description ?? "")"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let position = parts[1].isEmpty ? nil : PageCursor(parts[1])
        switch parts[0] {
        case "favorites": self = .favorites(after: position)
        case "jokes": self = .jokes(after: position)
        case "excluded": self = .excluded(after: position)
        case "hidden": self = .hidden(after: Fingerprint(hex: parts[1]))
        default: return nil
        }
        guard description == text else { return nil }
    }
}
