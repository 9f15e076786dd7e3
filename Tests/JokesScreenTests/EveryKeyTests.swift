import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TestSupport
import Testing
import TextLayout

@testable import JokesScreen

/// Every key of the table in every recorded state of the viewer, and in some more. The fast tier presses other keys in each.
@Suite struct EveryKeyTests {
    private static let bound = KeyTable.standard.bindings.flatMap(\.keys).flatMap(\.self)
    private static let unbound: [Key] = [.character("H"), .function(6), .insert]
    private static let keys = bound + unbound + editingKeys

    /// The keys to press in a mode. Each key is pressed in a mode.
    private func keys(in mode: Mode) -> [Key] {
        var random = SplitMix64(seed: testSeed)
        let (shuffled, count) = (Self.keys.shuffled(using: &random), scaled(Self.keys.count))
        return (0..<count).map { shuffled[(mode.number * count + $0) % shuffled.count] }
    }

    @Test("no key is swallowed: the screen changes, or there is an effect", arguments: Mode.all)
    func answers(mode: Mode) throws {
        for connection in [Connection.live, .unreachable] {
            let start = try mode.play(connection)
            let before = view(start.model)
            for key in keys(in: mode) {
                var play = start
                play.press(key)
                let isAnswered = !play.takeEffects().isEmpty || view(play.model) != before
                #expect(isAnswered, "\(key.name) in \(mode) (\(connection)):\n\(play.screen)")
            }
        }
    }

    @Test("a key without an action is named, with the key for the help", arguments: Mode.all)
    func unbound(mode: Mode) throws {
        var play = try mode.play(.live)
        for key in Self.unbound where !play.isTyping {
            play.press(key)
            #expect(play.screen.hasSuffix(" \(key.name) has no action; ? lists the keys"))
        }
    }

    @Test("escape removes a notice, and then says that there is nothing to close")
    func notices() throws {
        var play = try Play(showing: snapshot())
        let before = play.screen
        play.type("u")
        play.answer(.undone(UndoMethod.Reply()))
        #expect(play.screen.hasSuffix(" Nothing to undo; u takes back favorites, notes, hidden jokes and imports"))
        play.press(.escape)
        #expect(play.screen == before)
        play.press(.escape)
        #expect(play.screen.hasSuffix(" Nothing to close; q quits"))
    }

    @Test("after every key, ^C quits in at most five steps, and q does if it is not text", arguments: Mode.all)
    func quits(mode: Mode) throws {
        for (key, after) in try played(mode) where key != .control("c") && key != .character("q") {
            // In a prompt, q is text.
            for leaving in after.isTyping ? [Key.control("c")] : [.control("c"), .character("q")] {
                var play = after
                for _ in 0..<5 where !play.effects.contains(.quit) { play.press(leaving) }
                #expect(play.effects.contains(.quit), "\(key.name), \(leaving.name) in \(mode):\n\(play.screen)")
            }
        }
    }

    /// The mode after each key.
    private func played(_ mode: Mode) throws -> [(key: Key, play: Play)] {
        let start = try mode.play(.live)
        return keys(in: mode).map { key in
            var play = start
            play.press(key)
            return (key, play)
        }
    }

    @Test("after any keys from any mode, escape and q still lead back")
    func anyKeys() throws {
        let generate = { (random: inout SplitMix64, size: Int) in
            let mode = Mode.all[random.int(in: 0..<Mode.all.count)]
            let connection = Connection.allCases[random.int(in: 0..<Connection.allCases.count)]
            let keys = (0..<size).map { _ in Self.keys[random.int(in: 0..<Self.keys.count)] }
            return (mode, connection, keys)
        }
        try checkProperty("any keys", cases: 400, maxSize: 12, generate: generate) { mode, connection, keys in
            var play = try mode.play(connection)
            for key in keys { play.press(key) }
            // At most one for each page of the stack, and one for a filter.
            for _ in 0..<10 where !play.isOnList { play.press(.escape) }
            _ = play.takeEffects()
            play.type("q")
            try verify(play.takeEffects() == [.quit], "\(mode), \(connection), \(keys):\n\(play.screen)")
        }
    }
}

/// A state of the viewer in which keys have their own meaning.
struct Mode: Sendable, CustomStringConvertible {
    let number: Int
    let description: String
    private let prepare: @Sendable (inout Play) throws -> Void

    static let all: [Mode] = {
        // Before more jokes are loaded, keys wait. If a note is too long, the prompt says only that.
        let silent = [SearchState.older.rawValue, SearchState.searched.rawValue, PageState.noteLong.rawValue]
        let states = recordedStates.filter { !silent.contains($0.rawValue) }
        let modes =
            states.map { state in (state.rawValue, { @Sendable play in try state.perform(on: &play) }) } + others
        return modes.enumerated().map { Mode(number: $0, description: $1.0, prepare: $1.1) }
    }()

    private static let others: [(String, @Sendable (inout Play) throws -> Void)] = [
        ("header", { try $0.begin(typing: "g") }),
        ("details of a header", { try $0.begin(typing: "gp") }),
        ("details beside the list", { try $0.begin(typing: "", columns: 120) }),
        ("disabled source", { try $0.begin(typing: "s", .answered(.sources, .sources(someSources)), "jjjjj") }),
        ("help over sources", { try $0.begin(typing: "s?") }),
        ("loading random joke", { try $0.begin(typing: "z") }),
        ("random joke", { try $0.begin(typing: "z", randomAnswer, "") }),
        ("revealed random joke", { try $0.begin(typing: "z", randomAnswer, " ") }),
        ("refused random joke", { try $0.begin(typing: "z", .answered(.random(JokeSelection()), .refused("no")), "") }),
    ]

    fileprivate func play(_ connection: Connection) throws -> Play {
        var play = Play()
        try prepare(&play)
        switch connection {
        case .live: break
        case .connecting: play.happen(.connecting)
        case .unreachable: play.happen(.unreachable(reason: "Gone.", retryAt: noon.advanced(by: .seconds(8))))
        }
        // A notice of an earlier key would hide that a key is swallowed.
        play.press(.control("l"))
        _ = play.takeEffects()
        return play
    }
}

private let randomAnswer = Message.answered(
    .random(JokeSelection()),
    .joke(
        Joke(
            id: JokeID(rawValue: "t:1"), content: JokeContent(text: .twoPart(setup: "Why?", punchline: "Because.")),
            isFavorite: false, firstSeen: noon)))

enum Connection: CaseIterable {
    case live, connecting, unreachable
}

extension Play {
    fileprivate mutating func begin(
        typing keys: String, _ answer: Message? = nil, _ further: String = "", columns: Int = 80
    ) throws {
        happen(.resized(Size(columns: columns, rows: 24)), .changed(try snapshot()))
        type(keys)
        if let answer { happen(answer) }
        type(further)
    }

    /// True if there is nothing to leave.
    /// True also without the beginning of a pair of keys, after which another key means nothing, and without keys that wait.
    fileprivate var isOnList: Bool {
        model.page == nil && model.search == nil && !isTyping && model.pendingKeys.first == nil
            && model.waiting?.steps.isEmpty != false
    }

    fileprivate var isTyping: Bool { view(model).showsCursor }
}
