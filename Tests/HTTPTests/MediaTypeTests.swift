import HTTP
import Testing

@Suite struct MediaTypeTests {
    @Test(
        "a type and its charset are read with any case, blanks, quotes and parameters",
        arguments: [
            ("Application/JSON", "application/json", nil),
            ("text/html; Charset=\"UTF-8\"", "text/html", "utf-8"),
            ("application/feed+json;charset=utf-8", "application/feed+json", "utf-8"),
            ("text/json ; a=b; charset=x", "text/json", "x"),
            ("  TEXT/XML;CHARSET=ISO-8859-1  ", "text/xml", "iso-8859-1"),
            ("text/xml; charset='utf-8'", "text/xml", "utf-8"), ("text/xml; charset=\"utf-8", "text/xml", "utf-8"),
            ("text/xml; charset = us-ascii", "text/xml", "us-ascii"),
            ("text/xml;\tcharset\t=\t\" utf-8 \"", "text/xml", "utf-8"),
            ("text/xml; title=\"a; charset=b\"; charset=c", "text/xml", "c"),
            ("text/xml; xcharset=a", "text/xml", nil), ("text/xml; charset", "text/xml", nil),
            ("text/xml;;; charset=utf-8;", "text/xml", "utf-8"),
        ] as [(String, String, String?)])
    func parameters(_ header: String, _ essence: String, _ charset: String?) {
        let type = MediaType(header)
        #expect(type.essence == essence && type.charset == charset)
    }

    @Test(
        "of several types and charsets, the first counts",
        arguments: [
            ("application/rss+xml, charset=utf-8", "application/rss+xml", "utf-8"),
            ("text/xml, application/rss+xml", "text/xml", nil),
            ("text/xml, application/rss+xml; charset=utf-8", "text/xml", "utf-8"),
            ("text/xml; charset=utf-8; charset=latin1", "text/xml", "utf-8"),
            ("text/xml; charset=utf-8, text/html; charset=latin1", "text/xml", "utf-8"),
        ] as [(String, String, String?)])
    func several(_ header: String, _ essence: String, _ charset: String?) {
        let type = MediaType(header)
        #expect(type.essence == essence && type.charset == charset)
    }

    @Test(
        "an empty charset is none", arguments: ["charset=", "charset=\"\"", "charset=''", "charset= ", "charset=;a=b"])
    func emptyCharset(_ parameter: String) {
        #expect(MediaType("text/xml; \(parameter)").charset == nil)
    }

    @Test(
        "a malformed type is empty, and its charset is read",
        arguments: ["", "xml", "a/b/c", "/", "a/", "text/pl ain", "a=b/c", "\"text/xml\"x", "é/é"])
    func malformed(_ type: String) {
        #expect(MediaType(type).essence.isEmpty && MediaType(type).charset == nil)
        #expect(MediaType("\(type); charset=utf-8").essence.isEmpty)
        #expect(MediaType("\(type); charset=utf-8").charset == "utf-8")
    }

    @Test(
        "JSON has one of two types, or a suffix",
        arguments: [
            ("application/json", true), ("text/json", true), ("application/feed+json; charset=utf-8", true),
            ("text/html", false), ("json", false), ("application/json5", false),
        ])
    func json(_ header: String, _ isJSON: Bool) {
        #expect(MediaType(header).isJSON == isJSON)
    }
}
