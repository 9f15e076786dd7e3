/// Returns the scalar of a name in HTML, without `&` and `;`, in the right case; nil if it is unknown.
///
/// All of HTML 4, and of HTML 5's thousands those for punctuation, for the Latin letters of Europe's languages and for a
/// few symbols. None is longer in UTF-8 than its reference.
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

/// From each `#` on the names of consecutive scalars; `|` stands between names of the same one, `-` for none.
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
