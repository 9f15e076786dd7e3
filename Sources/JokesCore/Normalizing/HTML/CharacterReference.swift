/// A character that is written as `&amp;`, `&#38;` or `&#x26;`.
package struct CharacterReference: Equatable, Sendable {
    package let scalar: Unicode.Scalar
    /// The index after the semicolon.
    package let end: Int

    /// Reads the reference that begins with the `&` at `start`; nil if there is none.
    ///
    /// Numbers are those of HTML: 128 to 159 are characters of windows-1252, and an invalid one is U+FFFD. `AT&T`, `&copy`
    /// without a semicolon and unknown names are text. O(length of the reference)
    package init?(in bytes: [UInt8], at start: Int) {
        let first = start + 1
        guard first < bytes.count else { return nil }
        if bytes[first] == UInt8(ascii: "#") {
            self.init(numberIn: bytes, from: first + 1)
        } else {
            self.init(nameIn: bytes, from: first)
        }
    }

    private init?(nameIn bytes: [UInt8], from start: Int) {
        let window = bytes[start..<min(bytes.count, start + longestCharacterReferenceName + 1)]
        guard let end = window.firstIndex(where: { !$0.isASCIILetterOrDigit }), bytes[end] == UInt8(ascii: ";"),
            let scalar = htmlScalar(named: String(decoding: bytes[start..<end], as: UTF8.self))
        else { return nil }
        self.scalar = scalar
        self.end = end + 1
    }

    private init?(numberIn bytes: [UInt8], from start: Int) {
        var index = start
        var radix: UInt32 = 10
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "x") {
            radix = 16
            index += 1
        }
        let firstDigit = index
        var number: UInt32 = 0
        while index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, digit < radix {
            // A larger number is invalid, too.
            number = min(number * radix + UInt32(digit), 0x11_0000)
            index += 1
        }
        guard index > firstDigit, index < bytes.count, bytes[index] == UInt8(ascii: ";") else { return nil }
        let code = (0x80...0x9F).contains(number) ? UInt32(windows1252[Int(number) - 0x80]) : number
        scalar = code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
        end = index + 1
    }
}

/// The characters of the bytes 128 to 159 in windows-1252, by the Encoding Standard of the WHATWG. Five are C1 controls.
private let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
    0x178,
]

/// Returns the scalar of a name in HTML, without `&` and `;`, in the right case; nil if it is unknown.
///
/// The names are those of HTML 4, and those of HTML 5 for punctuation, European Latin letters and a few symbols. A scalar is
/// not longer in UTF-8 than its reference.
func htmlScalar(named name: some StringProtocol) -> Unicode.Scalar? {
    scalarsByName[String(name)]
}

let longestCharacterReferenceName = scalarsByName.keys.lazy.map(\.utf8.count).max() ?? 0

private let scalarsByName: [String: Unicode.Scalar] = {
    var scalars: [String: Unicode.Scalar] = [:]
    var code: UInt32 = 0
    for word in names.split(separator: " ") {
        if word.first == "#" {
            code = UInt32(word.dropFirst(), radix: 16) ?? 0
        } else {
            for name in word.split(separator: "|") where name != "-" { scalars[String(name)] = Unicode.Scalar(code) }
            code += 1
        }
    }
    return scalars
}()

/// The names of consecutive scalars, from a code after `#`. `|` is between names of the same scalar, and `-` is no name.
private let names = """
    #9 Tab NewLine #21 excl quot|QUOT num dollar percnt amp|AMP apos lpar rpar ast|midast plus comma - period sol \
    #3A colon semi lt|LT equals gt|GT quest commat #5B lbrack|lsqb bsol rbrack|rsqb Hat lowbar grave #7B lbrace|lcub \
    verbar|vert rbrace|rcub #A0 nbsp iexcl cent pound curren yen brvbar sect uml|die copy|COPY ordf laquo not shy \
    reg|REG macr deg plusmn|PlusMinus|pm sup2 sup3 acute micro para middot|CenterDot|centerdot cedil sup1 ordm raquo \
    frac14 frac12|half frac34 iquest Agrave Aacute Acirc Atilde Auml Aring|angst AElig Ccedil Egrave Eacute Ecirc \
    Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml \
    Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute \
    icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide|div oslash ugrave uacute ucirc uuml yacute thorn \
    yuml Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron \
    Dstrok dstrok Emacr emacr - - Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil - \
    Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr - - Iogon iogon Idot imath|inodot IJlig ijlig Jcirc jcirc \
    Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil \
    ncedil Ncaron ncaron napos ENG eng Omacr omacr - - Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron \
    rcaron Sacute sacute Scirc scirc Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde \
    utilde Umacr umacr Ubreve ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute \
    zacute Zdot zdot Zcaron zcaron #192 fnof #2C6 circ #2DC tilde #391 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta \
    Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi Psi Omega #3B1 alpha beta gamma delta \
    epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega #3D1 \
    thetasym upsih #3D6 piv #2002 ensp emsp emsp13 emsp14 - numsp - thinsp|ThinSpace VeryThinSpace|hairsp - zwnj zwj \
    lrm rlm dash|hyphen - - ndash mdash horbar Verbar|Vert - lsquo|OpenCurlyQuote rsquo|CloseCurlyQuote|rsquor \
    sbquo|lsquor - ldquo|OpenCurlyDoubleQuote rdquo|CloseCurlyDoubleQuote|rdquor bdquo|ldquor - dagger \
    Dagger|ddagger bull|bullet - - nldr hellip|mldr #2030 permil pertenk prime Prime tprime backprime|bprime #2039 \
    lsaquo rsaquo #203E oline|OverBar - - caret - hybull frasl #20AC euro #2111 image #2116 numero - weierp #211C \
    real #2122 trade #2135 alefsym #2153 frac13 frac23 #215B frac18 frac38 frac58 frac78 #2190 \
    larr|LeftArrow|ShortLeftArrow|leftarrow|slarr uarr rarr darr harr #21B5 crarr #21D0 lArr uArr rArr dArr hArr \
    #2200 forall - part exist - empty - nabla isin notin - ni #220F prod - sum minus #2217 lowast - - radic - - prop \
    infin - ang #2227 and or cap cup int #2234 there4 #223C sim #2245 cong - - asymp #2260 ne equiv - - le ge #2282 \
    sub sup nsub - sube supe #2295 oplus - otimes #22A5 perp #22C5 sdot #2308 lceil rceil lfloor rfloor #25CA loz \
    #2605 bigstar|starf star #260E phone #2640 female - male #2660 spades - - clubs - hearts diams #266A sung - - \
    flat natur|natural sharp #2713 check|checkmark #2717 cross #27E8 lang rang
    """
