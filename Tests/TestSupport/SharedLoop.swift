package import Unix

/// An event loop for the whole test run, shared by tests that do not need their own loop.
package enum SharedLoop {
    package static let loop: EventLoop = {
        do {
            let loop = try EventLoop()
            try loop.start(name: "tests")
            return loop
        } catch {
            // A lazy constant cannot throw.
            fatalError("\(error)")
        }
    }()
}
