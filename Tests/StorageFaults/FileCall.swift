import CFaultVFS

/// What a program asks of the system about files, SQLite or anybody else in it.
package enum FileCall: UInt32, CaseIterable, Sendable {
    // In the order of `enum fault_file_call`.
    case open, read, rename, remove, sync
}

/// Runs the body while the system may refuse what is done to files on this thread: `answer` is given the call and the
/// path, of a file that is renamed the old one, and says with which errno, or 0.
///
/// Reads are those that name a place in the file.
package func refusingFileCalls<Result>(
    _ answer: (_ call: FileCall, _ path: String) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try withoutActuallyEscaping(answer) { answer in
        let hook = Hook<(FileCall, String)> { answer($0.0, $0.1) }
        return try withExtendedLifetime(hook) {
            fault_set_file_hook(
                { context, call, path in
                    let hook = Unmanaged<Hook<(FileCall, String)>>.fromOpaque(context!).takeUnretainedValue()
                    return FileCall(rawValue: call.rawValue).map { hook.answer(($0, String(cString: path!))) } ?? 0
                }, Unmanaged.passUnretained(hook).toOpaque())
            defer { fault_set_file_hook(nil, nil) }
            return try body()
        }
    }
}

/// Runs the body while the system refuses to read files on this thread: `answer` is given the path, and says with which
/// errno, or 0.
package func refusingReads<Result>(
    _ answer: (_ path: String) -> Int32, during body: () throws -> Result
) rethrows -> Result {
    try refusingFileCalls({ call, path in call == .read ? answer(path) : 0 }, during: body)
}
