import FoundationEssentials
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

/// A state of the viewer whose screens are recorded.
protocol RecordedState: CaseIterable, RawRepresentable<String>, Sendable, CustomTestStringConvertible {
    /// Leads a new viewer to the state.
    func perform(on play: inout Play) throws
}

let recordedStates: [any RecordedState] = ScreenState.allCases + PageState.allCases + SearchState.allCases

@Suite struct ScreenTests {
    @Test("the screens are as recorded, each line has exactly the screen's columns", arguments: recordedStates)
    func golden(state: any RecordedState) throws {
        let screens = try [(80, 24), (40, 12), (20, 5), (120, 30)].map { columns, rows in
            var play = Play(columns: columns, rows: rows)
            try state.perform(on: &play)
            let frame = view(play.model)
            #expect(frame.lines.count == rows && frame.lines.allSatisfy { $0.columns == columns })
            #expect(frame.lines.flatMap(\.plainText.unicodeScalars).allSatisfy { $0.isHarmless })
            return "== \(columns)x\(rows)\n\(play.screen)\n"
        }
        try expectScreens(state.rawValue, screens.joined())
    }
}

extension RecordedState {
    var testDescription: String { rawValue }
}

extension Unicode.Scalar {
    /// True if the character does not move the cursor.
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control: false
        // A join control is part of a letter or of an emoji.
        case .format: properties.isJoinControl
        default: true
        }
    }
}

/// Compares screens with those recorded in Screens/NAME.txt, where each begins with a line `== SIZE`.
///
/// `JOKESD_RECORD_SCREENS=1` records them again: check the difference before you commit it.
private func expectScreens(_ name: String, _ got: String) throws {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Screens/\(name).txt"
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
