import Terminal
import TestSupport
import Testing

@Suite struct KeyTests {
    @Test(
        "an escape is a key after 50 ms, or after ESCDELAY",
        arguments: [(nil, 50), ("1000", 1000), ("0", 0), ("-1", 50), ("", 50), ("2s", 50), ("99999999999", 50)]
            as [(String?, Int32)])
    func escape(variable: String?, delay: Int32) {
        #expect(escapeDelay(variable) == delay)
    }

    @Test("codes become characters, and control with a letter")
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
