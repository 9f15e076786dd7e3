import Glibc

/// Returns the path of a file of real jokes; `nil` if it does not exist.
///
/// The files are in `JOKESD_SHARED_DATA`, or in shared/data beside the checkout. They are not published with the project.
package func realData(_ name: String) -> String? {
    let named = getenv("JOKESD_SHARED_DATA").map { String(cString: $0) }
    let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let path = (named ?? checkout + "/../shared/data") + "/" + name
    return access(path, R_OK) == 0 ? path : nil
}

/// The reason to skip a test that needs `realData`.
package let realDataSkipReason = "needs the real data in shared/data beside the checkout, or in JOKESD_SHARED_DATA"
