import CNcurses
import Glibc
import Unix

/// Sets how the C library reads and writes characters, for the whole process, as the environment says.
///
/// Where it says nothing at all (a container, a bare login), UTF-8: terminals have not been otherwise for long. The
/// other categories stay as they are, so that numbers keep their form.
///
/// - Returns: whether characters are UTF-8.
@discardableResult
func adoptTerminalLocale() -> Bool {
    let isSilent = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (environment($0) ?? "").isEmpty }
    if setlocale(LC_CTYPE, isSilent ? "C.UTF-8" : "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
    return nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
}
