import Glibc

/// A file of the real data that may lie beside the checkout, or where `JOKESD_SHARED_DATA` says; it is not ours to
/// publish. Nil where it is not there.
package func realData(_ name: String) -> String? {
    let named = getenv("JOKESD_SHARED_DATA").map { String(cString: $0) }
    let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let path = (named ?? checkout + "/../shared/data") + "/" + name
    return access(path, R_OK) == 0 ? path : nil
}

/// Why a test that wants `realData` is skipped.
package let realDataIsMissing = "needs the real data in shared/data beside the checkout, or in JOKESD_SHARED_DATA"
