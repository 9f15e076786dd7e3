import JokesProtocol
import TestSupport
import Testing
import Varlink

/// A call of a client from another project, and the expected result.
struct StockCall: Sendable, CustomStringConvertible {
    enum Outcome: Sendable {
        /// A reply with this member; `nil` for a reply without members.
        case reply(member: String?)
        /// The name of an error, without the interface if that is org.jokesd.Jokes.
        case error(String)

        /// The full name of the error; `nil` for a reply.
        var errorName: String? {
            guard case .error(let name) = self else { return nil }
            return name.contains(".") ? name : "\(JokesInterface.name).\(name)"
        }
    }

    let method: String
    /// JSON; `$ID` is a placeholder for the ID of a joke, and `$URL` for a list of jokes.
    let parameters: String
    let outcome: Outcome

    init(_ method: String, _ parameters: String, _ outcome: Outcome) {
        self.method = method.contains(".") ? method : "\(JokesInterface.name).\(method)"
        self.parameters = parameters
        self.outcome = outcome
    }

    var description: String {
        "\(method) \(parameters)"
    }
}

extension StockCall {
    /// A call of every method, each with an answer that is not empty.
    static let all: [StockCall] = [
        StockCall("org.varlink.service.GetInfo", "{}", .reply(member: "interfaces")),
        StockCall(
            "org.varlink.service.GetInterfaceDescription", #"{"interface": "org.jokesd.Jokes"}"#,
            .reply(member: "description")),
        StockCall("Status", "{}", .reply(member: "epoch")),
        StockCall("Diagnose", "{}", .reply(member: "diagnostics")),
        StockCall("AcknowledgeRecoveries", #"{"until": 1}"#, .reply(member: nil)),
        StockCall("Sources", "{}", .reply(member: "sources")),
        StockCall("List", #"{"limit": 2}"#, .reply(member: "jokes")),
        StockCall("Search", #"{"query": "the"}"#, .reply(member: "found")),
        StockCall("Get", #"{"id": "$ID"}"#, .reply(member: "joke")),
        StockCall("Random", #"{"language": {"only": ["en"]}}"#, .reply(member: "joke")),
        StockCall("Today", "{}", .reply(member: "date")),
        StockCall("Statistics", #"{"unseen": true}"#, .reply(member: "categories")),
        StockCall("Abbreviate", #"{"ids": ["$ID"]}"#, .reply(member: "ids")),
        StockCall("Hidden", #"{"limit": 2}"#, .reply(member: "total")),
        StockCall("Favorite", #"{"ids": ["$ID"], "note": "grüß Ann"}"#, .reply(member: "favorites")),
        StockCall("Favorites", "{}", .reply(member: "favorites")),
        StockCall("Unfavorite", #"{"ids": ["$ID"]}"#, .reply(member: "changed")),
        StockCall("Hide", #"{"ids": ["$ID"]}"#, .reply(member: "changed")),
        StockCall("Unhide", #"{"ids": ["$ID"]}"#, .reply(member: "changed")),
        StockCall("MarkSeen", #"{"ids": ["$ID"]}"#, .reply(member: "changed")),
        StockCall("MarkUnseen", #"{"ids": ["$ID"]}"#, .reply(member: "changed")),
        StockCall("MarkAllSeen", "{}", .reply(member: "changed")),
        StockCall("Undo", "{}", .reply(member: "hidden")),
        StockCall("Suggest", #"{"what": "id", "prefix": ""}"#, .reply(member: "words")),
        StockCall("Export", #"{"all": true}"#, .reply(member: "favorites")),
        StockCall("Import", #"{"favorites": [], "last": true}"#, .reply(member: "report")),
        StockCall("Refresh", "{}", .reply(member: "sources")),
        StockCall(
            "Import",
            """
            {"jokes": [{"id": "mine:1", "setup": "My duck.", "language": "en", "categories": [], "flags": [],
             "safety": "safe", "favorite": false, "firstSeen": 1}], "last": true}
            """, .reply(member: "report")),
        StockCall("Forget", #"{"source": "mine"}"#, .reply(member: "removed")),
        StockCall("Probe", #"{"url": "$URL", "allowLocalNetwork": true}"#, .reply(member: "entry")),
        StockCall("TestSource", #"{"name": "fortunes"}"#, .reply(member: "sample")),
        StockCall("Configuration", "{}", .reply(member: "path")),
        StockCall("Reload", "{}", .reply(member: nil)),
        StockCall("Watch", #"{"view": {"size": 3}}"#, .reply(member: "snapshot")),
    ]

    /// A call for every error of org.jokesd.Jokes that needs no broken disk and no failed start, and for some errors of
    /// org.varlink.service.
    ///
    /// The order matters: the fifth open import gets Busy.
    static let wrong: [StockCall] = [
        StockCall("Get", #"{"id": "nobody:1"}"#, .error("NoSuchJoke")),
        StockCall("Hide", #"{"ids": ["s"]}"#, .error("AmbiguousId")),
        StockCall("Refresh", #"{"sources": ["nobody"]}"#, .error("UnknownName")),
        StockCall("Forget", #"{"source": "starter"}"#, .error("SourceInUse")),
        StockCall("Random", #"{"maxLength": 1}"#, .error("NoJokes")),
        StockCall("Probe", #"{"url": "https://127.0.0.1/"}"#, .error("SourceFailed")),
        StockCall("Import", #"{"id": "1", "last": true}"#, .error("NoSuchImport")),
        StockCall(
            "Import",
            """
            {"jokes": [{"id": "mine:1", "setup": " ", "language": "en", "categories": [], "flags": [],
             "safety": "safe", "favorite": false, "firstSeen": 1}]}
            """, .error("ImportRefused")),
        StockCall("Import", #"{"favorites": []}"#, .reply(member: "id")),
        StockCall("Import", #"{"hidden": []}"#, .reply(member: "id")),
        StockCall("Import", #"{"jokes": []}"#, .reply(member: "id")),
        StockCall("Import", "{}", .reply(member: "id")),
        StockCall("Import", "{}", .error("Busy")),
        StockCall("List", #"{"limit": 1000}"#, .error("org.varlink.service.InvalidParameter")),
        StockCall(
            "org.varlink.service.GetInterfaceDescription", #"{"interface": "org.nobody"}"#,
            .error("org.varlink.service.InterfaceNotFound")),
    ]

    /// Returns the methods and errors that the daemon describes, with their interfaces.
    static func described(by daemon: DaemonUnderTest) throws -> (methods: Set<String>, errors: Set<String>) {
        var (methods, errors): (Set<String>, Set<String>) = ([], [])
        let client = try VarlinkClient(connectingTo: daemon.socket)
        let info: AnyJSON = try client.call("org.varlink.service.GetInfo")
        for name in info["interfaces"]?.elements.compactMap(\.text) ?? [] {
            let answer: AnyJSON = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": name])
            let description = try InterfaceDescription(try #require(answer["description"]?.text))
            methods.formUnion(description.methodNames.map { "\(name).\($0)" })
            errors.formUnion(description.errorNames.map { "\(name).\($0)" })
        }
        return (methods, errors)
    }
}
