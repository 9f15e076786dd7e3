import CSQLite

/// A tokenizer of full-text indexes (FTS5). A database whose schema names it needs it in each connection.
package final class Tokenizer: Sendable {
    /// Gets a token in UTF-8, and its range in the text, in bytes. If the flag is true, the token is a synonym of the last
    /// one. Synonyms in queries are ignored, because the index has them.
    package typealias Body = (UnsafeBufferPointer<UInt8>, Range<Int>, _ isSynonym: Bool) throws -> Void

    fileprivate let name: String
    /// Calls a closure for each token of a text, and throws the errors of the closure.
    fileprivate let tokenize: @Sendable (_ text: UnsafeBufferPointer<UInt8>, _ body: @escaping Body) throws -> Void

    package init(
        _ name: String, _ tokenize: @escaping @Sendable (UnsafeBufferPointer<UInt8>, @escaping Body) throws -> Void
    ) {
        (self.name, self.tokenize) = (name, tokenize)
    }
}

extension DatabaseHandle {
    /// Registers the tokenizer of the connection.
    func register(_ tokenizer: Tokenizer) throws(SQLiteError) {
        var interface: UnsafeMutablePointer<fts5_api>?
        try check(csqlite_fts5(pointer, &interface), "SELECT fts5(?)")
        var functions = fts5_tokenizer(
            xCreate: { context, _, _, created in
                created?.pointee = OpaquePointer(context)
                return SQLITE_OK
            }, xDelete: { _ in },
            xTokenize: { tokenizer, context, flags, text, count, receive in
                let owner = Unmanaged<Tokenizer>.fromOpaque(UnsafeRawPointer(tokenizer!)).takeUnretainedValue()
                let bytes = UnsafeRawBufferPointer(start: text, count: Int(count)).assumingMemoryBound(to: UInt8.self)
                do {
                    try owner.tokenize(bytes) { token, range, isSynonym in
                        if isSynonym && flags & FTS5_TOKENIZE_QUERY != 0 { return }
                        let code = token.withMemoryRebound(to: CChar.self) { token in
                            receive!(
                                context, isSynonym ? FTS5_TOKEN_COLOCATED : 0, token.baseAddress, Int32(token.count),
                                Int32(range.lowerBound), Int32(range.upperBound))
                        }
                        if code != SQLITE_OK { throw SQLiteError(resultCode: code, connection: nil, subject: "FTS5") }
                    }
                    return SQLITE_OK
                } catch {
                    return (error as? SQLiteError)?.resultCode ?? SQLITE_ERROR
                }
            })
        // Never released: a tokenizer is a constant of the program.
        let context = Unmanaged.passRetained(tokenizer).toOpaque()
        let code = interface.map { $0.pointee.xCreateTokenizer($0, tokenizer.name, context, &functions, nil) }
        try check(code ?? SQLITE_ERROR, "FTS5")
    }
}
