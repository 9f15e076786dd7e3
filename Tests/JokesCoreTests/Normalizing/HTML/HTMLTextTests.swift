import JokesCore
import Testing

@Suite("Plain text of HTML")
struct HTMLTextTests {
    static let references: [(html: String, text: String)] = [
        ("&lt;b&gt; &amp; &quot;&apos;&QUOT;", "<b> & \"'\""), ("&copy &amp &#65 &#x41", "© & A A"),
        // Only once.
        ("&amp;lt;", "&lt;"), ("&amp;amp;#39;", "&amp;#39;"), ("&#38;#39;", "&#39;"), ("&am&amp;p;", "&am&p;"),
        // No references.
        ("AT&T & R&D; &", "AT&T & R&D; &"), ("?a=1&copy=2&lt=3", "?a=1&copy=2&lt=3"),
    ]

    @Test("has the character of each reference, resolved once, and everything else unchanged", arguments: references)
    func reference(html: String, text: String) {
        #expect(plainText(ofHTML: html) == text)
    }

    static let tags: [(html: String, text: String)] = [
        ("Knock <b>knock</b><i/>.", "Knock knock."), ("<a href=\"http://x/?a>b&amp;c\" title='>'>Who</a>?", "Who?"),
        ("<A HREF = 'x'\n>Who</A\n>", "Who"), ("<a title=\"<b>\">x</a>", "x"), ("<b it's>x</b>", "x"),
        ("a<!-- <b> -- > -->b<!---->c<!-->d<!--->e", "abcde"), ("a<![CDATA[<b>]>]]>b", "ab"),
        ("<!DOCTYPE html><?xml version='1.0'?>a", "a"), ("a<script>if (a < b) { \"</b>\" }</SCRIPT >b", "ab"),
        ("a<style>p { }</style>b", "ab"), ("a<script>never closed", "a"), ("<o:p>a</o:p>", "a"),
        // No markup.
        ("a < b > c <3 <- << <> </> </3", "a < b > c <3 <- << <> </> </3"), ("a <b", "a <b"), ("x<y", "x<y"),
        ("I <love <b>you</b>", "I <love you"), ("<a href=\"x>text</a>", "<a href=\"x>text"),
        ("<ann@jokes.example> <https://jokes.example/>", "<ann@jokes.example> <https://jokes.example/>"),
        ("<!-- never closed", "<!-- never closed"), ("<![CDATA[ never closed", "<![CDATA[ never closed"),
        ("<! <?", "<! <?"), ("&lt;b>", "<b>"),
    ]

    @Test("has no complete tags, comments and scripts, and everything else as text", arguments: tags)
    func markup(html: String, text: String) {
        #expect(plainText(ofHTML: html) == text)
    }

    static let blocks: [(html: String, text: String)] = [
        ("Knock.<br>Who?<BR/>Me.<br />", "Knock.\nWho?\nMe."), ("Knock.<br>\n  Who?", "Knock.\nWho?"),
        ("a<br><br>b", "a\n\nb"), ("<p>One.</p><p>Two.</p>", "One.\n\nTwo."),
        ("<p>One.\n<p>Two,\n  still two.\n", "One.\n\nTwo, still two."),
        ("<div>a</div><div>b</div>", "a\nb"), ("Say:<ul>\n <li>a</li>\n <li>b</li>\n</ul>done", "Say:\n\na\nb\n\ndone"),
        ("<h1>T</h1>text", "T\n\ntext"), ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<pre>  x\n    y</pre>a\n  b", "  x\n    y\n\na b"), ("<blockquote>q</blockquote>", "q"),
        ("a &#10;b <p>", "a\nb"), ("<p>a <b>b</b> c</p>", "a b c"), ("<p> a  \t b </p>", "a b"),
        // Without a tag that ends lines, the line feeds of the text count.
        ("a &amp;\n  <b>b</b>", "a &\n  b"), ("a\n\nb<i>!</i>", "a\n\nb!"),
    ]

    @Test("has the line ends of blocks and breaks, or else those of the text", arguments: blocks)
    func lines(html: String, text: String) {
        #expect(cleanText(plainText(ofHTML: html)) == text)
    }
}
