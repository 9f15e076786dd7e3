import Glibc

/// A Python with the packages varlink and atoma: a client and a feed reader from other projects.
///
/// The path is the value of `JOKESD_TEST_VARLINK_PYTHON`, or the virtual environment that `make test` creates.
package enum VarlinkPython {
    /// The path of the interpreter; `nil` if it does not exist.
    package static let path: String? = {
        let named = getenv("JOKESD_TEST_VARLINK_PYTHON").map { String(cString: $0) }
        let candidates = [named, ".build/varlink-venv/bin/python"].compactMap { $0 }
        return candidates.first { access($0, X_OK) == 0 }
    }()

    /// The path of the interpreter, if it can import atoma; otherwise `nil`.
    package static let feedReaderPath: String? = path.flatMap { path in
        (try? ChildProcess.run(path, ["-c", "import atoma"]))?.ending == .exited(0) ? path : nil
    }

    /// The reason to skip a test that needs these packages.
    package static let skipReason = "No Python with the packages varlink and atoma: make test installs one."
}
