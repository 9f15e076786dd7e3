import JokesCore

/// Returns the name in glibc of the encoding that a label names; nil if it is unknown, or UTF-8, UTF-16 or UTF-32.
///
/// Case, spaces, quotes and punctuation of the label do not matter.
func legacyEncoding(labeled label: String) -> String? {
    let plain = String(decoding: label.utf8.lazy.filter(\.isASCIILetterOrDigit), as: UTF8.self).lowercased()
    let line = legacyEncodings.first { $0.split(separator: " ").dropFirst().contains { $0 == plain } }
    return line.map { String($0.prefix { $0 != " " }) }
}

/// The encodings of the Encoding Standard, each with its labels in lowercase without punctuation. First in a line is the
/// name of the encoding in glibc, or of its superset there. glibc has many more converters, and unusual ones have had vulnerabilities.
/// The standard replaces iso-2022-kr and others by an error. UTF-8, UTF-16 and UTF-32 are recognized without a label.
private let legacyEncodings: [String] = [
    "IBM866 866 cp866 csibm866 ibm866",
    "ISO-8859-2 csisolatin2 iso88592 isoir101 iso885921987 l2 latin2",
    "ISO-8859-3 csisolatin3 iso88593 isoir109 iso885931988 l3 latin3",
    "ISO-8859-4 csisolatin4 iso88594 isoir110 iso885941988 l4 latin4",
    "ISO-8859-5 csisolatincyrillic cyrillic iso88595 isoir144 iso885951988",
    "ISO-8859-6 arabic asmo708 csiso88596e csiso88596i csisolatinarabic ecma114 iso88596 iso88596e iso88596i "
        + "isoir127 iso885961987",
    "ISO-8859-7 csisolatingreek ecma118 elot928 greek greek8 iso88597 isoir126 iso885971987 suneugreek",
    "ISO-8859-8 csiso88598e csisolatinhebrew hebrew iso88598 iso88598e isoir138 iso885981988 visual csiso88598i "
        + "iso88598i logical",
    "ISO-8859-10 csisolatin6 iso885910 isoir157 l6 latin6",
    "ISO-8859-13 iso885913",
    "ISO-8859-14 iso885914",
    "ISO-8859-15 csisolatin9 iso885915 l9 latin9",
    "ISO-8859-16 iso885916",
    "KOI8-R cskoi8r koi koi8 koi8r",
    "KOI8-U koi8ru koi8u",
    "MACINTOSH csmacintosh mac macintosh xmacroman",
    "IBM1162 dos874 iso885911 tis620 windows874 cp874",
    "CP1250 cp1250 windows1250 xcp1250",
    "CP1251 cp1251 windows1251 xcp1251",
    "windows-1252 ansix341968 ascii cp1252 cp819 csisolatin1 ibm819 iso88591 isoir100 iso885911987 l1 latin1 "
        + "usascii windows1252 xcp1252",
    "CP1253 cp1253 windows1253 xcp1253",
    "CP1254 cp1254 csisolatin5 iso88599 isoir148 iso885991989 l5 latin5 windows1254 xcp1254",
    "CP1255 cp1255 windows1255 xcp1255",
    "CP1256 cp1256 windows1256 xcp1256",
    "CP1257 cp1257 windows1257 xcp1257",
    "CP1258 cp1258 windows1258 xcp1258",
    "MAC-UK xmaccyrillic xmacukrainian",
    "GB18030 chinese csgb2312 csiso58gb231280 gb2312 gb231280 gbk isoir58 xgbk gb18030 cp936 ms936",
    "BIG5-HKSCS big5 big5hkscs cnbig5 csbig5 xxbig5 cp950",
    "EUC-JP-MS cseucpkdfmtjapanese eucjp xeucjp",
    "ISO-2022-JP csiso2022jp iso2022jp",
    "CP932 csshiftjis ms932 mskanji shiftjis sjis windows31j xsjis cp932",
    "CP949 cseuckr csksc56011987 euckr isoir149 korean ksc56011987 ksc56011989 ksc5601 windows949 cp949 ms949 uhc",
]
