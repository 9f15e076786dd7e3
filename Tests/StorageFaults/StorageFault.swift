import CSQLite

/// A fault in the calls of one kind.
package struct StorageFault: Sendable, CustomStringConvertible {
    package let kind: Kind
    /// The number of the call that fails, from 1.
    package let number: Int
    /// True if all later calls fail too.
    package let lasts: Bool

    package init(_ kind: Kind, number: Int, lasts: Bool) {
        self.kind = kind
        self.number = number
        self.lasts = lasts
    }

    /// A kind of call, with a result code that the system can return for it.
    package struct Kind: Hashable, Sendable {
        package let call: StorageCall
        package let code: Int32

        /// All kinds. A short read is not one: it means that the file was truncated, not that the call failed.
        package static let all: [Kind] = [
            Kind(call: .open, code: SQLITE_CANTOPEN),
            Kind(call: .delete, code: ioError(10)),
            Kind(call: .access, code: ioError(13)),
            Kind(call: .read, code: ioError(1)),
            Kind(call: .write, code: ioError(3)),
            Kind(call: .write, code: SQLITE_FULL),
            Kind(call: .truncate, code: ioError(6)),
            Kind(call: .sync, code: ioError(4)),
            Kind(call: .size, code: ioError(7)),
            Kind(call: .lock, code: ioError(15)),
            Kind(call: .mapShared, code: ioError(21)),
            Kind(call: .mapShared, code: ioError(19)),
            Kind(call: .lockShared, code: ioError(20)),
            Kind(call: .allocate, code: SQLITE_NOMEM),
        ]

        /// The extended codes of `SQLITE_IOERR`, which are macros that Swift does not import.
        private static func ioError(_ detail: Int32) -> Int32 {
            SQLITE_IOERR | detail << 8
        }
    }

    package var description: String {
        "\(kind.call) \(number)\(lasts ? " and all later ones" : "") with code \(kind.code)"
    }

    /// Runs the body under the fault.
    ///
    /// - Returns: The body's result or error, and whether the faulty call was made.
    package func during<Value>(
        _ body: () throws -> Value
    ) -> (result: Result<Value, any Error>, hasComeUp: Bool) {
        var seen = 0
        let result = Result {
            try answeringStorageCalls { request in
                guard request.call == kind.call else { return SQLITE_OK }
                seen += 1
                return seen == number || lasts && seen > number ? kind.code : SQLITE_OK
            } during: {
                try body()
            }
        }
        return (result, seen >= number)
    }
}

/// Counts the calls of each kind that the body makes.
package func countingStorageCalls<Value>(
    during body: () throws -> Value
) rethrows -> (value: Value, counts: [StorageCall: Int]) {
    var counts: [StorageCall: Int] = [:]
    let value = try answeringStorageCalls { request in
        counts[request.call, default: 0] += 1
        return SQLITE_OK
    } during: {
        try body()
    }
    return (value, counts)
}
