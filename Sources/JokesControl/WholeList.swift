import JokesClient
import JokesProtocol
import Varlink

/// Reads favorites page by page; from the first page again where an import has put others between them meanwhile.
///
/// The body reads all pages and keeps what is in them to itself: it may be called several times.
func readingInOneOrder<Result>(_ pages: () throws -> Result) throws -> Result {
    let mostTries = 8
    for _ in 0..<mostTries {
        do {
            return try pages()
        } catch ClientError.misunderstood(let refusal, _) where refusal == .invalidParameter("cursor") {
            continue
        }
    }
    throw ControlFailure(
        message: "imports keep changing the order of the favorites",
        hint: "Try again when no import is running.", status: ExitStatus.tryLater)
}
