import CFaultVFS

/// What SQLite asks of the system, as far as that can be refused.
package enum StorageCall: UInt32, CaseIterable, Sendable {
    // In the order of `enum fault_call`.
    case open, delete, access, read, write, truncate, sync, size, lock, mapShared, lockShared, allocate
}

/// One call that SQLite is about to make.
package struct StorageRequest {
    package let call: StorageCall
    private let raw: fault_request

    fileprivate init?(_ raw: fault_request) {
        guard let call = StorageCall(rawValue: raw.call.rawValue) else { return nil }
        self.call = call
        self.raw = raw
    }

    /// The file's; empty where it has no name.
    package var path: String {
        raw.path.map { String(cString: $0) } ?? ""
    }

    /// Bytes to be read, written or allocated; the new size of a file that is cut off.
    package var count: Int {
        Int(raw.count)
    }

    /// Where in the file.
    package var offset: Int {
        Int(raw.offset)
    }

    /// What is to be written.
    package var bytes: [UInt8] {
        raw.bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}

/// Runs the body while every call that SQLite makes on this thread is shown to `answer` first: 0 lets it be made, any
/// other number is what SQLite gets in its place.
///
/// Seen are the files of connections that were opened after `seeStorageCalls`. `answer` must not use SQLite.
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

/// Puts the test's file system between SQLite and the system's, for all connections that are opened from now on.
package func seeStorageCalls() {
    precondition(isInstalled, "SQLite refuses the file system of the tests")
}

private let isInstalled = fault_vfs_install() == 0
