import CSQLite
import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Unix

/// An operation on an initial state, with its results if no call fails.
struct FaultScenario: Sendable {
    let operation: Operation
    let initialState: InitialState
    /// The text that the operation returns.
    private let expectedResult: String
    private let contentsBefore: [String]?
    private let contentsAfter: [String]?
    /// The number of calls of each kind.
    let calls: [StorageCall: Int]

    init(_ operation: Operation, on initialState: InitialState) throws {
        (self.operation, self.initialState) = (operation, initialState)
        let context = try Self.makeContext(operation, initialState)
        contentsBefore = try databaseContents(at: context.fixture.databasePath)
        (expectedResult, calls) = try countingStorageCalls { try operation.run(context) }
        contentsAfter = try databaseContents(at: context.fixture.databasePath)
    }

    private static func makeContext(_ operation: Operation, _ initialState: InitialState) throws -> OperationContext {
        let context = try OperationContext(initialState)
        if operation.effect != .opens { try context.open() }
        try operation.prepare(context)
        return context
    }

    /// Checks that the operation succeeds or throws, that the change is complete or undone, and that the operation
    /// succeeds without the fault.
    func check(under fault: StorageFault) throws {
        let context = try Self.makeContext(operation, initialState)
        let (result, _) = fault.during { try operation.run(context) }
        switch result {
        case .success(let text): try verify(text == expectedResult, "the result is \(text)")
        case .failure(let error): try check(error, of: fault)
        }
        try checkAtomicity(context, result)
        context.close()
        try verify(openFiles(in: context.fixture.path) == [], "files are still open")
        try checkDatabase(context.fixture.databasePath)
    }

    private func check(_ error: any Error, of fault: StorageFault) throws {
        guard let error = error as? StoreError else { throw BrokenProperty("the error is not a StoreError: \(error)") }
        let (codes, words): ([StoreError.Code], String) =
            switch fault.kind.code {
            case SQLITE_FULL: ([.full], "is full")
            case SQLITE_CANTOPEN: ([.cannotOpen], "cannot open")
            case SQLITE_NOMEM: ([.unexpected], "out of memory")
            default: ([.inputOutput, .cannotOpen], "cannot ")
            }
        try verify(codes.contains(error.code) && error.reason.contains(words), "the error is \(error)")
    }

    private func checkAtomicity(_ context: OperationContext, _ result: Result<String, any Error>) throws {
        if operation.effect == .opens {
            if case .failure = result { try context.open() }
            let now = try databaseContents(at: context.fixture.databasePath)
            return try verify(
                now == contentsAfter, "the opened database differs: \(difference(now, contentsAfter))")
        }
        let state = try databaseContents(at: context.fixture.databasePath)
        let isUndone = state == contentsBefore
        try verify(
            isUndone || state == contentsAfter, "the change is partial: \(difference(state, contentsBefore))")
        if case .success = result { try verify(state == contentsAfter, "the change is missing") }
        if operation.effect == .cumulative && !isUndone { return }
        let text = try operation.run(context)
        if isUndone { try verify(text == expectedResult, "the result without the fault is \(text)") }
        let end = try databaseContents(at: context.fixture.databasePath)
        try verify(end == contentsAfter, "without the fault, the database differs: \(difference(end, contentsAfter))")
    }

    private func difference(_ one: [String]?, _ other: [String]?) -> String {
        let (one, other) = (Set(one ?? []), Set(other ?? []))
        return "\(one.subtracting(other).sorted()) instead of \(other.subtracting(one).sorted())"
    }
}

/// Returns the paths of the files in a folder that this process has open.
private func openFiles(in folder: String) throws -> [String] {
    try namesInFolder("/proc/self/fd").compactMap { descriptor in
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasPrefix(folder) ? path : nil
    }
}
