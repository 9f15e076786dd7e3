import Glibc

/// The one owner of a file descriptor: closed when its owner goes.
package struct Descriptor: ~Copyable {
    package let rawValue: Int32

    /// Takes ownership of an open descriptor; nobody else may close it.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // Linux frees the number whatever close says; a retry could close somebody else's.
        _ = Glibc.close(rawValue)
    }

    /// Hands the descriptor over: the caller closes it.
    package consuming func release() -> Int32 {
        let raw = rawValue
        discard self
        return raw
    }
}
