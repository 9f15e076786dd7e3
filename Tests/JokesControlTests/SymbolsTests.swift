import Testing

@testable import JokesControl

@Suite struct SymbolsTests {
    @Test(
        "symbols are ASCII only if the environment names a locale with another encoding than UTF-8",
        arguments: [
            ([:], true), (["LANG": ""], true), (["LC_ALL": "C"], false), (["LC_ALL": "POSIX"], false),
            (["LANG": "C.UTF-8"], true), (["LANG": "en_US.utf8"], true), (["LC_CTYPE": "de_DE.UTF-8@euro"], true),
            (["LANG": "de_DE.ISO-8859-1"], false), (["LANG": "de_DE"], false),
            (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "C.UTF-8", "LC_CTYPE": "C", "LANG": "C"], true),
            (["LC_ALL": "", "LC_CTYPE": "C", "LANG": "C.UTF-8"], false), (["LC_MESSAGES": "C"], true),
        ] as [([String: String], Bool)])
    func locale(environment: [String: String], isUnicode: Bool) {
        #expect(Symbols.ofLocale { environment[$0] } == (isUnicode ? .unicode : .ascii))
    }

    @Test("the symbols for other encodings are ASCII")
    func ascii() {
        for symbol in "★☆→…█" {
            #expect(Symbols.unicode[symbol] == String(symbol))
            #expect(Symbols.ascii[symbol] != "?" && Symbols.ascii[symbol].utf8.allSatisfy { $0 < 0x80 })
        }
    }
}
