import JokesCore

/// Returns the name in glibc of the encoding that a label names; nil if it is unknown, or UTF-8, UTF-16 or UTF-32.
///
/// Case, spaces, quotes, punctuation and the year of the label do not matter.
func legacyEncoding(labeled label: String) -> String? {
    let plain = plainLabel(label)
    return legacyEncodings.first { names in names.contains { plainLabel($0) == plain } }?.first
}

/// Many labels differ only in `x-`, and in `windows` or `cp`.
private func plainLabel(_ label: String) -> String {
    let letters = label.prefix { $0 != ":" }.utf8.filter(\.isASCIILetterOrDigit)
    let name = String(decoding: letters, as: UTF8.self).lowercased().replacing("windows", with: "cp")
    return String(name.drop { $0 == "x" })
}

/// The encodings of the Encoding Standard, each with its labels. First is the name of the encoding in glibc, or of its
/// superset there, which is also a label. glibc has many more converters, and unusual ones have had vulnerabilities.
/// The standard replaces iso-2022-kr and others by an error. UTF-8, UTF-16 and UTF-32 are recognized without a label.
private let legacyEncodings = [
    "CP1250", "CP1251", "CP1253", "CP1255", "CP1256", "CP1257", "CP1258", "ISO-8859-13", "ISO-8859-14", "ISO-8859-16",
    "windows-1252 ansix341968 ascii cp819 csisolatin1 ibm819 iso88591 isoir100 l1 latin1 usascii",
    "CP1254 csisolatin5 iso88599 isoir148 l5 latin5", "ISO-8859-2 csisolatin2 isoir101 l2 latin2",
    "ISO-8859-3 csisolatin3 isoir109 l3 latin3", "ISO-8859-4 csisolatin4 isoir110 l4 latin4",
    "ISO-8859-5 csisolatincyrillic cyrillic isoir144",
    "ISO-8859-6 arabic asmo708 csiso88596e csiso88596i csisolatinarabic ecma114 iso88596e iso88596i isoir127",
    "ISO-8859-7 csisolatingreek ecma118 elot928 greek greek8 isoir126 suneugreek",
    "ISO-8859-8 csiso88598e csiso88598i csisolatinhebrew hebrew iso88598e iso88598i isoir138 logical visual",
    "ISO-8859-10 csisolatin6 isoir157 l6 latin6", "ISO-8859-15 csisolatin9 l9 latin9",
    "IBM866 866 cp866 csibm866", "IBM1162 cp874 dos874 iso885911 tis620", "KOI8-R cskoi8r koi koi8", "KOI8-U koi8ru",
    "MACINTOSH csmacintosh mac macroman", "MAC-UK maccyrillic macukrainian",
    "GB18030 chinese cp936 csgb2312 csiso58gb231280 gb2312 gb231280 gbk isoir58 ms936",
    "BIG5-HKSCS big5 cnbig5 cp950 csbig5", "EUC-JP-MS cseucpkdfmtjapanese eucjp", "ISO-2022-JP csiso2022jp",
    "CP932 cp31j csshiftjis ms932 mskanji shiftjis sjis",
    "CP949 cseuckr csksc56011987 euckr isoir149 korean ksc5601 ksc56011987 ksc56011989 ms949 uhc",
].map { $0.split(separator: " ").map(String.init) }
