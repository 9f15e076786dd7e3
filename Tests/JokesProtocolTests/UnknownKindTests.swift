import Diffable
import FoundationEssentials
import JokesCore
import JokesProtocol
import TestSupport
import Testing

/// Items and sections from a newer daemon.
@Suite struct UnknownKindTests {
    private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("an item of an unknown kind keeps its ID and kind, and is encoded with both")
    func items() throws {
        let unknown: [(String, Item.ID)] = [
            (#"{"kind":"video","id":"video/1","video":{"seconds":[1,2,{"a":null}]},"loading":7}"#, .unknown("video/1")),
            (#"{"kind":"comic","id":"joke/t:1"}"#, .joke(JokeID(rawValue: "t:1"))),
            (#"{"kind":"","id":""}"#, .unknown("")),
        ]
        for (json, id) in unknown {
            let item = try decoded(json, as: Item.self)
            guard case .unknown = item else {
                Issue.record("\(json) is \(item)")
                continue
            }
            #expect(item.id == id)
            let again = try JSONEncoder().encode(item)
            #expect(try JSONDecoder().decode(Item.self, from: again) == item)
        }
    }

    @Test("an item of a known kind with an unexpected ID is unknown")
    func names() throws {
        let item = try decoded(#"{"kind":"loading","id":"waiting/3","loading":{"number":3}}"#, as: Item.self)
        #expect(item == .unknown(UnknownKind(kind: "loading", id: "waiting/3")))
    }

    @Test("a section of an unknown kind keeps its ID")
    func sections() throws {
        let section = try decoded(#"{"kind":"comics","id":"comics","comics":{"count":2}}"#, as: Section.self)
        #expect(section == .unknown(UnknownKind(kind: "comics", id: "comics")))
        #expect(section.id == .unknown("comics"))
    }

    @Test("a malformed item or section of a known kind is refused")
    func malformed() {
        for json in [
            #"{"kind":"joke","id":"joke/a"}"#, #"{"kind":"loading","id":"loading/1","loading":{}}"#, #"{"id":"a"}"#,
        ] {
            #expect(throws: (any Error).self) { try decoded(json, as: Item.self) }
        }
        #expect(throws: (any Error).self) { try decoded(#"{"kind":"jokes","id":"jokes"}"#, as: Section.self) }
    }

    @Test("an ID has the same text after decoding and encoding")
    func identifiers() {
        for text in [
            "loading/3", "loading/03", "loading/-1", "loading/", "joke/a:b/c", "favorite/", "", "x", "/", "\u{301}",
        ] {
            #expect(Item.ID(text).description == text)
            #expect(Section.ID(rawValue: text).rawValue == text)
        }
        #expect(Section.ID(rawValue: "jokes") == .jokes && Section.ID(rawValue: "searchResults") == .searchResults)
    }
}
