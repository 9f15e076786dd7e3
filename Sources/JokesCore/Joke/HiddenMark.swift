/// That somebody does not want to see a joke any more, whoever tells it.
package struct HiddenMark: Hashable, Sendable {
    /// Of the joke; its text is not kept with the mark.
    package var fingerprint: Fingerprint
    package var hiddenAt: Timestamp

    package init(fingerprint: Fingerprint, hiddenAt: Timestamp) {
        self.fingerprint = fingerprint
        self.hiddenAt = hiddenAt
    }
}
