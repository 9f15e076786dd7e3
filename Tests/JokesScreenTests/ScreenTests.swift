import FoundationEssentials
import Testing

/// Compares screens with those recorded in Screens/NAME.txt, where each begins with a line `== SIZE`.
///
/// `JOKESD_RECORD_SCREENS=1` records them again: check the difference before you commit it.
func expectScreens(_ name: String, _ screens: [(size: String, text: String)]) throws {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Screens/\(name).txt"
    let got = screens.map { "== \($0.size)\n\($0.text)\n" }.joined()
    if ProcessInfo.processInfo.environment["JOKESD_RECORD_SCREENS"] == "1" {
        try Data(got.utf8).write(to: URL(filePath: path))
        return
    }
    let expected = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    if got != expected {
        Issue.record(
            """
            The screens "\(name)" are not as recorded.
            expected:
            \(expected)
            got:
            \(got)
            difference:
            \(difference(expected, got))
            """)
    }
}

/// The lines that differ, each with its number: `-` expected, `+` got.
private func difference(_ expected: String, _ got: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = got.split(separator: "\n", omittingEmptySubsequences: false)
    return (0..<max(old.count, new.count)).flatMap { number -> [String] in
        let (a, b) = (number < old.count ? old[number] : nil, number < new.count ? new[number] : nil)
        if a == b { return [] }
        return [a.map { "\(number + 1) -\($0)" }, b.map { "\(number + 1) +\($0)" }].compactMap(\.self)
    }.joined(separator: "\n")
}
