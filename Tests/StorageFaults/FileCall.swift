import CFaultVFS

/// A call on files that a test can refuse, whether SQLite or other code makes it.
package enum FileCall: UInt32, CaseIterable, Sendable {
    // In the order of `enum fault_file_call`.
    case open, read, rename, remove, sync, write, truncate

    /// The answer that lets a write store half of its bytes.
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

    /// Of a file that is renamed, the old path.
    package var path: String {
        raw.path.map { String(cString: $0) } ?? ""
    }

    /// The new path of a file that is renamed; empty for other calls.
    package var newPath: String {
        raw.new_path.map { String(cString: $0) } ?? ""
    }

    /// The new size of a file that is truncated.
    package var size: Int {
        Int(raw.count)
    }

    /// The offset in the file.
    package var offset: Int {
        Int(raw.offset)
    }

    /// The bytes to be written.
    package var bytes: [UInt8] {
        raw.bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(raw.count))) } ?? []
    }
}

/// Runs the body while `answer` is given every call on files that this thread is about to make. It returns the errno with
/// which the call fails, or 0. Of reads, it sees only those that name an offset.
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

/// The same, for answers that depend on the call and its path alone.
package func refusingFileCalls<Result>(
    _ answer: (_ call: FileCall, _ path: String) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try answeringFileCalls({ answer($0.call, $0.path) }, during: body)
}
