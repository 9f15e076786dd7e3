import CFaultVFS

/// A call of SQLite to its VFS that a test can refuse.
package enum StorageCall: UInt32, CaseIterable, Sendable {
    // In the order of `enum fault_call`.
    case open, delete, access, read, write, truncate, sync, size, lock, mapShared, lockShared, allocate
}

/// A call that SQLite is about to make.
package struct StorageRequest {
    package let call: StorageCall
    private let raw: fault_request

    fileprivate init?(_ raw: fault_request) {
        guard let call = StorageCall(rawValue: raw.call.rawValue) else { return nil }
        self.call = call
        self.raw = raw
    }

    /// The path of the file; empty if the file has no name.
    package var path: String {
        raw.path.map { String(cString: $0) } ?? ""
    }

    /// The number of bytes to read, write or allocate; the new size of a truncated file.
    package var count: Int {
        Int(raw.count)
    }

    /// The offset in the file.
    package var offset: Int {
        Int(raw.offset)
    }

    /// The bytes to write.
    package var bytes: [UInt8] {
        raw.bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}

/// Runs the body and passes `answer` each call that SQLite makes on this thread. If `answer` returns 0, the call is
/// made; any other number is the call's result code.
///
/// This applies to connections that were opened after `installFaultVFS`. `answer` must not use SQLite.
package func answeringStorageCalls<Result>(
    _ answer: (StorageRequest) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try withoutActuallyEscaping(answer) { answer in
        let hook = Hook(answer)
        return try withExtendedLifetime(hook) {
            fault_set_hook(
                { context, request in
                    let hook = Unmanaged<Hook<StorageRequest>>.fromOpaque(context!).takeUnretainedValue()
                    return StorageRequest(request!.pointee).map(hook.answer) ?? 0
                }, Unmanaged.passUnretained(hook).toOpaque())
            defer { fault_set_hook(nil, nil) }
            return try body()
        }
    }
}

final class Hook<Request> {
    let answer: (Request) -> Int32

    init(_ answer: @escaping (Request) -> Int32) {
        self.answer = answer
    }
}

/// Installs the tests' VFS in SQLite, for all connections opened from now on.
package func installFaultVFS() {
    precondition(isInstalled, "SQLite refuses the file system of the tests")
}

private let isInstalled = fault_vfs_install() == 0
