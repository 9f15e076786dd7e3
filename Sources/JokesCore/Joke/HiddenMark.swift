/// A mark of a hidden joke, for all sources.
package struct HiddenMark: Hashable, Sendable {
    /// The fingerprint of the joke. The mark does not have its text.
    package var fingerprint: Fingerprint
    package var hiddenAt: Timestamp

    package init(fingerprint: Fingerprint, hiddenAt: Timestamp) {
        self.fingerprint = fingerprint
        self.hiddenAt = hiddenAt
    }
}
