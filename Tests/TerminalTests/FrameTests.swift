import Terminal
import Testing
import TextLayout

@Suite struct FrameTests {
    @Test("a frame's text is its lines without the blanks at their ends")
    func plainText() {
        let frame = Frame(lines: [Line("one").padded(to: 9), Line(), Line([Span("two ", .bold), Span("three")])])
        #expect(frame.plainText == "one\n\ntwo three")
    }
}
