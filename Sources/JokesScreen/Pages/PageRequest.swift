/// The requests of a page, one at a time, and the error of the last one.
struct PageRequest: Hashable, Sendable {
    /// The error of the last request, if it failed.
    private(set) var refusal: String?
    /// True from the request to its answer.
    private(set) var isOpen = false
    /// True if something has changed since the open request.
    private var isOutdated = false

    /// Returns true if the caller sends the request now. If a request is open, its answer will be outdated.
    mutating func begin() -> Bool {
        isOutdated = isOpen
        isOpen = true
        return !isOutdated
    }

    /// Ends the open request. Returns true if its answer is outdated, so that the caller requests again.
    mutating func end(refusal: String?) -> Bool {
        defer { isOutdated = false }
        (self.refusal, isOpen) = (refusal, false)
        return isOutdated
    }
}
