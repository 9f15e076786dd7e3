import CFaultVFS

/// A file system call that a test can refuse. SQLite and other code make such calls.
package enum FileCall: UInt32, CaseIterable, Sendable {
    // In the order of `enum fault_file_call`.
    case open, read, rename, remove, sync, write, truncate

    /// The answer that makes a write store only half of its bytes.
    package static let short: Int32 = -1
}

/// A call that is about to be made.
package struct FileRequest {
    package let call: FileCall
    private let raw: fault_file_request

    fileprivate init?(_ raw: fault_file_request) {
        guard let call = FileCall(rawValue: raw.call.rawValue) else { return nil }
        self.call = call
        self.raw = raw
    }

    /// The path; for a rename, the old path.
    package var path: String {
        raw.path.map { String(cString: $0) } ?? ""
    }

    /// The new path of a rename; empty for other calls.
    package var newPath: String {
        raw.new_path.map { String(cString: $0) } ?? ""
    }

    /// The new size of a truncated file.
    package var size: Int {
        Int(raw.count)
    }

    /// The offset in the file.
    package var offset: Int {
        Int(raw.offset)
    }

    /// The bytes to write.
    package var bytes: [UInt8] {
        raw.bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(raw.count))) } ?? []
    }
}

/// Runs the body and passes `answer` each file system call that this thread is about to make. `answer` returns the
/// errno with which the call fails, or 0. Of reads, it gets only those with an offset.
package func answeringFileCalls<Result>(
    _ answer: (FileRequest) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try withoutActuallyEscaping(answer) { answer in
        let hook = Hook(answer)
        return try withExtendedLifetime(hook) {
            fault_set_file_hook(
                { context, request in
                    let hook = Unmanaged<Hook<FileRequest>>.fromOpaque(context!).takeUnretainedValue()
                    return FileRequest(request!.pointee).map(hook.answer) ?? 0
                }, Unmanaged.passUnretained(hook).toOpaque())
            defer { fault_set_file_hook(nil, nil) }
            return try body()
        }
    }
}

/// Runs the body as `answeringFileCalls` does, with an answer that depends only on the call and its path.
package func refusingFileCalls<Result>(
    _ answer: (_ call: FileCall, _ path: String) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try answeringFileCalls({ answer($0.call, $0.path) }, during: body)
}
