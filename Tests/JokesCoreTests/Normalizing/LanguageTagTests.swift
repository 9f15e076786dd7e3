import JokesCore
import Testing

@Suite("Language tag")
struct LanguageTagTests {
    @Test(
        "gets its recommended case (RFC 5646, 2.1.1)",
        arguments: [
            ("en", "en"), ("EN", "en"), ("en-gb", "en-GB"), ("PT_br", "pt-BR"), ("zh-hant-tw", "zh-Hant-TW"),
            ("und", "und"), ("yue", "yue"), ("es-419", "es-419"), ("de-DE-1996", "de-DE-1996"),
            ("sl-ROZAJ", "sl-rozaj"), ("EN-U-CO-PHONEBK", "en-u-co-phonebk"), ("en-x-ABCD", "en-x-abcd"),
        ])
    func usualCase(raw: String, tag: String) {
        #expect(languageTag(raw) == tag)
        #expect(languageTag(tag) == tag)
    }

    @Test(
        "is nil for a malformed text",
        arguments: [
            nil, "", "e", "english", "en-", "-en", "en--GB", "e1", "12", "en GB", "en-GB\n", "fr-ça", "日本",
            "en-abcdefghi", "en\u{301}", "en-GB-oxendict-abcdefgh-abcdefgh-abcdefgh",
        ])
    func none(raw: String?) {
        #expect(languageTag(raw) == nil)
    }
}
