package import Unix

/// A loop that runs for as long as the tests do, one thread for all that need not have their own.
package enum SharedLoop {
    package static let loop: EventLoop = {
        do {
            let loop = try EventLoop()
            try loop.start(name: "tests")
            return loop
        } catch {
            // Without descriptors or threads no test can run; a lazy constant has no other way to say so.
            fatalError("\(error)")
        }
    }()
}
