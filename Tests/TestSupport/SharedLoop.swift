package import Unix

/// A loop for the whole test run, shared by tests that do not need their own.
package enum SharedLoop {
    package static let loop: EventLoop = {
        do {
            let loop = try EventLoop()
            try loop.start(name: "tests")
            return loop
        } catch {
            // Without descriptors or threads, no test can run. A lazy constant cannot throw.
            fatalError("\(error)")
        }
    }()
}
