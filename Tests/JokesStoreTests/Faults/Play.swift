import CSQLite
import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Unix

/// An operation on a beginning, with its results if nothing fails.
struct Play: Sendable {
    let operation: Operation
    let beginning: Beginning
    /// The returned text.
    private let answer: String
    private let before: [String]?
    private let after: [String]?
    /// The number of times that each call is made.
    let calls: [StorageCall: Int]

    init(_ operation: Operation, on beginning: Beginning) throws {
        (self.operation, self.beginning) = (operation, beginning)
        let scene = try Self.scene(operation, beginning)
        before = try contents(of: scene.fixture.databasePath)
        (answer, calls) = try countingStorageCalls { try operation.run(scene) }
        after = try contents(of: scene.fixture.databasePath)
    }

    private static func scene(_ operation: Operation, _ beginning: Beginning) throws -> Scene {
        let scene = try Scene(beginning)
        if operation.effect != .opens { try scene.open() }
        try operation.prepare(scene)
        return scene
    }

    /// The property: the call succeeds, or it reports the failure, and the change is complete or undone. After the
    /// fault is gone, it succeeds.
    func hold(under fault: StorageFault) throws {
        let scene = try Self.scene(operation, beginning)
        let (result, _) = fault.during { try operation.run(scene) }
        switch result {
        case .success(let answer): try TestSupport.hold(answer == self.answer, "it answers \(answer)")
        case .failure(let error): try holdThatItSays(error, fault)
        }
        try holdAllOrNothing(scene, result)
        scene.close()
        try TestSupport.hold(openFiles(below: scene.fixture.path) == [], "files stay open")
        try checkDatabase(scene.fixture.databasePath)
    }

    private func holdThatItSays(_ error: any Error, _ fault: StorageFault) throws {
        guard let error = error as? StoreError else { throw BrokenProperty("it throws \(error)") }
        let path = beginning.name
        let (codes, words): ([StoreError.Code], String) =
            switch fault.kind.code {
            case SQLITE_FULL: ([.full], "is full")
            case SQLITE_CANTOPEN: ([.cannotOpen], "cannot open")
            case SQLITE_NOMEM: ([.unexpected], "out of memory")
            default: ([.inputOutput, .cannotOpen], "cannot ")
            }
        try TestSupport.hold(codes.contains(error.code) && error.reason.contains(words), "\(path): it says \(error)")
    }

    private func holdAllOrNothing(_ scene: Scene, _ result: Result<String, any Error>) throws {
        if operation.effect == .opens {
            if case .failure = result { try scene.open() }
            let now = try contents(of: scene.fixture.databasePath)
            return try TestSupport.hold(now == after, "it opens to another state: \(difference(now, after))")
        }
        let state = try contents(of: scene.fixture.databasePath)
        let isUndone = state == before
        try TestSupport.hold(isUndone || state == after, "partly done: \(difference(state, before))")
        if case .success = result { try TestSupport.hold(state == after, "it was not done") }
        if operation.effect == .counted && !isUndone { return }
        let answer = try operation.run(scene)
        if isUndone { try TestSupport.hold(answer == self.answer, "once all is well it answers \(answer)") }
        let end = try contents(of: scene.fixture.databasePath)
        try TestSupport.hold(end == after, "once all is well it comes to another state: \(difference(end, after))")
    }

    private func difference(_ one: [String]?, _ other: [String]?) -> String {
        let (one, other) = (Set(one ?? []), Set(other ?? []))
        return "\(one.subtracting(other).sorted()) in place of \(other.subtracting(one).sorted())"
    }
}

/// The files below a folder that this process has open.
private func openFiles(below folder: String) throws -> [String] {
    try namesInFolder("/proc/self/fd").compactMap { descriptor in
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasPrefix(folder) ? path : nil
    }
}
