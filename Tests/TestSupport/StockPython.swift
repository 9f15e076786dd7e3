import Glibc

/// A Python with the packages varlink and atoma: a client and a feed reader from other projects.
///
/// It is the value of `JOKESD_TEST_VARLINK_PYTHON`, or the environment that `make test` prepared.
package enum StockPython {
    /// The path; `nil` if there is none.
    package static let path: String? = {
        let named = getenv("JOKESD_TEST_VARLINK_PYTHON").map { String(cString: $0) }
        let candidates = [named, ".build/varlink-venv/bin/python"].compactMap { $0 }
        return candidates.first { access($0, X_OK) == 0 }
    }()

    /// The path, if the feed reader is installed too.
    package static let feedReader: String? = path.flatMap { path in
        (try? ChildProcess.run(path, ["-c", "import atoma"]))?.ending == .exited(0) ? path : nil
    }

    /// The reason to skip a test that needs these packages.
    package static let absence = "No Python with the packages varlink and atoma: make test prepares one."
}
