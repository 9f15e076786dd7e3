import CSQLite

/// Splits text into words as a full-text index does whose tokenizer is `unicode61 remove_diacritics 2`.
///
/// Confined to its connection's owner.
package final class WordSplitter {
    private let functions: fts5_tokenizer
    private let tokenizer: OpaquePointer
    /// Whose memory the tokenizer is made of.
    private let database: DatabaseHandle

    /// - Throws: `SQLiteError` where this SQLite has no full-text search.
    package init(_ connection: Connection) throws(SQLiteError) {
        database = connection.handle
        guard let interface = csqlite_fts5(database.pointer) else {
            // What it asked has failed, unless there is no such thing.
            try database.check(sqlite3_extended_errcode(database.pointer), "full-text search")
            throw SQLiteError(.other, message: "full-text search is not available", subject: connection.path)
        }
        var context: UnsafeMutableRawPointer?
        var functions = fts5_tokenizer()
        try database.check(interface.pointee.xFindTokenizer(interface, "unicode61", &context, &functions), "unicode61")
        self.functions = functions
        tokenizer = try Self.make(functions, context, database)
    }

    private static func make(
        _ functions: fts5_tokenizer, _ context: UnsafeMutableRawPointer?, _ database: DatabaseHandle
    ) throws(SQLiteError) -> OpaquePointer {
        var made: OpaquePointer?
        let code = "remove_diacritics".withCString { name in
            "2".withCString { value in
                var arguments: [UnsafePointer<CChar>?] = [name, value]
                return functions.xCreate(context, &arguments, 2, &made)
            }
        }
        try database.check(code, "unicode61")
        guard let made else {
            throw SQLiteError(.outOfMemory, message: "out of memory for a tokenizer", subject: "unicode61")
        }
        return made
    }

    deinit {
        functions.xDelete(tokenizer)
    }

    /// Gives each word of a text in UTF-8: the bytes that the index knows it by, without case and accents, which last
    /// as long as the closure runs, and where in the text it stands, in bytes.
    package func split(
        _ text: UnsafeBufferPointer<UInt8>,
        _ body: (_ word: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) -> Void
    ) throws(SQLiteError) {
        guard let start = text.baseAddress, text.count <= Int32.max else { return }
        let code = withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: Receiver(body: body)) { receiver in
                start.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
                    functions.xTokenize(
                        tokenizer, UnsafeMutableRawPointer(mutating: receiver), FTS5_TOKENIZE_DOCUMENT, start,
                        Int32(text.count), Self.receive)
                }
            }
        }
        try database.check(code, "unicode61")
    }

    private struct Receiver {
        let body: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Void
    }

    private static let receive:
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32 = {
            context, _, word, count, begin, end in
            guard let context, let word else { return SQLITE_OK }
            word.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { word in
                context.assumingMemoryBound(to: Receiver.self).pointee
                    .body(UnsafeBufferPointer(start: word, count: Int(count)), Int(begin)..<Int(end))
            }
            return SQLITE_OK
        }
}
