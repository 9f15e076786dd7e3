import Glibc
import TestSupport
import Testing
import Unix

/// `jokesctl export` with the formats for people, html and text.
@Suite struct PageExportTests {
    /// Favorites with fixed times, for exact output.
    private static let favorites = """
        {"format":"jokesd","version":1,"favorites":[
        {"id":"dad:5h","setup":"Why did the <b>duck</b> cross?","punchline":"It was the chicken's day off.",
         "url":"https://jokes.test/5h","author":"Ann","language":"en","safety":"safe",
         "favoritedAt":"2026-02-28T09:30:00Z","note":"for Bo"},
        {"id":"mine:1","setup":"\\\"Goose\\\" & co.","safety":"safe","favoritedAt":"2026-01-05T23:59:59Z"}
        ],"hidden":[]}
        """

    private func daemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        let file = try daemon.folder.write(Self.favorites, to: "favorites.json")
        #expect(try daemon.control("import", file).output.contains("2 new"))
        return daemon
    }

    @Test("the text of an export is exact, and the same in a file, on standard output and a second time")
    func text() throws {
        let daemon = try daemon()
        let due = """
            Why did the <b>duck</b> cross?
            It was the chicken's day off.
                Note: for Bo
                -- dad, Ann, 28 Feb 2026, https://jokes.test/5h

            "Goose" & co.
                -- mine, 5 Jan 2026

            """
        for _ in 0..<2 {
            let result = try daemon.control("export", "--format", "text", "--notes")
            #expect(result.ending == .exited(0) && result.output == due && result.errors.isEmpty, "\(result)")
        }
        let file = daemon.folder.path("favorites.txt")
        #expect(try daemon.control("export", "--format=text", "--notes", "-o", file).ending == .exited(0))
        #expect(try String(decoding: contentsOfFile(file, limit: 1 << 20), as: UTF8.self) == due)
        let names = try namesInFolder(daemon.folder.path)
        #expect(!names.contains("favorites.txt.dat"), "only a fortune file has an index")
        let all = try daemon.control("export", "--all", "--format", "text", "--notes").output
        #expect(all.hasPrefix("Favorites\n=========\n\n\(due)\nCached jokes\n============\n\n"))
        let cached = try daemon.json("list", as: [PrintedJoke].self)
        #expect(cached.count > 80 && cached.allSatisfy { all.contains($0.setup) })
    }

    @Test("the page has the favorites, or all jokes, with their markup escaped, and loads nothing")
    func page() throws {
        let daemon = try daemon()
        let page = try daemon.control("export", "--format", "html").output
        #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
        let parts = [
            #"<p class="setup" dir="auto" lang="en">Why did the &lt;b&gt;duck&lt;/b&gt; cross?</p>"#,
            #"<p class="punchline" dir="auto" lang="en">It was the chicken's day off.</p>"#,
            #"<a href="https://jokes.test/5h">dad</a> · <bdi>Ann</bdi> · "#,
            #"<time datetime="2026-02-28">28 Feb 2026</time>"#, "&quot;Goose&quot; &amp; co.", "2 jokes, ",
        ]
        for part in parts { #expect(page.contains(part), "\(part)") }
        #expect(!page.contains("src=") && !page.contains("<link") && !page.contains("url("))
        #expect(try daemon.control("export", "--format", "html").output == page)
        // A page may be sent to others, so it has no notes unless they are wanted.
        let note = #"<p class="note" dir="auto">for Bo</p>"#
        #expect(!page.contains("for Bo"))
        #expect(try daemon.control("export", "--format", "html", "--notes").output.contains(note))
        let all = try daemon.control("export", "--all", "--format", "html").output
        let count = try daemon.json("list", as: [PrintedJoke].self).count + 2
        #expect(all.contains("<h2>Cached jokes</h2>") && all.contains("\(count) jokes, "))
        #expect(all.split(separator: "\n").count { $0 == "<article>" } == count)
    }
}
