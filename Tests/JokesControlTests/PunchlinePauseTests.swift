import Testing

@testable import JokesControl

@Suite struct PunchlinePauseTests {
    @Test("the pause before a punchline grows with the setup, between bounds")
    func pause() {
        let lengths = [0, 1, 20, 40, 80, 120, 300, 8000]
        let pauses = lengths.map { PunchlinePause.pause(after: String(repeating: "x", count: $0)) }
        #expect(pauses == pauses.sorted() && pauses.first == .seconds(1.5) && pauses.last == .seconds(8))
        #expect(pauses[3] == .seconds(3))
        #expect(PunchlinePause.pause(after: "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字") == pauses[3])
    }
}
