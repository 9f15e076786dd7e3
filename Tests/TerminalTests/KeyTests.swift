import Terminal
import TestSupport
import Testing

@Suite struct KeyTests {
    @Test("what is typed is told as characters, and control with a letter as that")
    func typed() {
        #expect(Key(code: 0x6A, isNumber: false) == .character("j"))
        #expect(Key(code: 0xE9, isNumber: false) == .character("é"))
        #expect(Key(code: 0x04, isNumber: false) == .control("d"))
        #expect(Key(code: 0x0D, isNumber: false) == .enter)
        #expect(Key(code: 0x1B, isNumber: false) == .escape)
        #expect(Key(code: 0x7F, isNumber: false) == .backspace)
        #expect(Key(code: 0x00, isNumber: false) == nil)
        #expect(Key(code: 0x85, isNumber: false) == nil)
        #expect(Key(code: 0xD800, isNumber: false) == nil)
    }
}
