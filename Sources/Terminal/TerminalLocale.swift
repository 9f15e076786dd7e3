import CNcurses
import Glibc
import Unix

/// Sets the character encoding of the C library from the environment, or to UTF-8 if the environment has none.
///
/// - Returns: true if the encoding is UTF-8.
func adoptTerminalLocale() -> Bool {
    let isSilent = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (environment($0) ?? "").isEmpty }
    if setlocale(LC_CTYPE, isSilent ? "C.UTF-8" : "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
    return nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
}
