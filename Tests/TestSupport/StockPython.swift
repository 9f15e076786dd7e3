import Glibc

/// A Python that has the packages varlink and atoma: a client and a feed reader that are not ours.
///
/// `JOKESD_TEST_VARLINK_PYTHON` names one, or `make test` has prepared one.
package enum StockPython {
    /// Where it is; nil where there is none.
    package static let path: String? = {
        let named = getenv("JOKESD_TEST_VARLINK_PYTHON").map { String(cString: $0) }
        let candidates = [named, ".build/varlink-venv/bin/python"].compactMap { $0 }
        return candidates.first { access($0, X_OK) == 0 }
    }()

    /// Where it is, if it has the feed reader too.
    package static let feedReader: String? = path.flatMap { path in
        (try? ChildProcess.run(path, ["-c", "import atoma"]))?.ending == .exited(0) ? path : nil
    }

    /// Why a test that needs it is skipped.
    package static let absence = "No Python with the packages varlink and atoma: make test prepares one."
}
