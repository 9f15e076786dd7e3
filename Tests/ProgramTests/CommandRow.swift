/// A call of jokesctl in one situation, and the expected result.
///
/// Placeholders: `ID` is a joke of the daemon, and `SHORT` its short ID. `FILE` is an export of one favorite, `OTHER` an export of a joke of the
/// source `mine`, and `NOTHING` an empty export.
struct CommandCase: Sendable {
    /// The commands that prepare the daemon.
    var before: [[String]] = []
    var arguments: [String]
    var status: Int32 = 0
    /// Parts of standard output, which is empty if the list is empty.
    var says: [String] = []
    /// Parts of standard error, the same for text and JSON.
    var complains: [String] = []
    /// The exact JSON, if it is known.
    var json: String?
    /// True for a daemon without sources.
    var isBare = false
}

/// A command of jokesctl in three situations: with an answer, with an empty answer, and with an error.
struct CommandRow: Sendable {
    let name: String
    let usual: CommandCase
    /// `nil` if the command's answer cannot be empty, or if the command waits for one.
    let empty: CommandCase?
    let refused: CommandCase
    /// True if the command runs until it is interrupted.
    var isEndless = false

    private static let unknownJoke = "no joke matches 'nobody:1'"

    static let all: [CommandRow] = [
        // Before a joke is served.
        CommandRow(
            name: "stats",
            usual: CommandCase(arguments: ["stats"], says: ["shown of", "SOURCE", "fortunes      2       2  █\n"]),
            empty: CommandCase(arguments: ["stats", "--max-length", "1"], says: ["jokes         0 match"]),
            refused: CommandCase(
                arguments: ["stats", "--max-length", "0"], status: 64,
                complains: ["needs a whole number from 1", "help stats"])),
        CommandRow(
            name: "random",
            usual: CommandCase(arguments: ["random", "--source", "fortunes"], says: ["duck"]),
            empty: CommandCase(
                arguments: ["random", "--max-length", "1"], status: 75,
                complains: ["no joke to show", "Leave out an option, such as --max-length."]),
            refused: CommandCase(
                arguments: ["random", "--source", "nobody"], status: 1, complains: ["unknown source 'nobody'"])),
        CommandRow(
            name: "today",
            usual: CommandCase(arguments: ["today"], says: ["\n"]),
            empty: nil,
            refused: CommandCase(
                arguments: ["today", "now"], status: 64, complains: ["unexpected argument 'now'", "help today"])),
        CommandRow(
            name: "list",
            usual: CommandCase(arguments: ["list", "--source", "fortunes"], says: ["One duck.", "Two ducks"]),
            empty: CommandCase(
                arguments: ["list", "--max-length", "1"], says: ["No shown joke matches. 'jokesctl sources' "],
                json: "[]"),
            refused: CommandCase(
                arguments: ["list", "--limit", "0"], status: 64,
                complains: ["needs a whole number from 1", "help list"])),
        CommandRow(
            name: "show",
            usual: CommandCase(arguments: ["show", "ID"], says: ["One duck.", "id ", "SHORT", "served"]),
            empty: nil,
            refused: CommandCase(arguments: ["show", "nobody:1"], status: 1, complains: [unknownJoke])),
        CommandRow(
            name: "search",
            usual: CommandCase(arguments: ["search", "one", "duck"], says: ["SHORT", "One duck."]),
            empty: CommandCase(
                arguments: ["search", "xyzzy"], says: ["No shown joke matches. Search for "], json: "[]"),
            refused: CommandCase(arguments: ["search", ""], status: 64, complains: ["needs words to search for"])),
        CommandRow(
            name: "categories",
            usual: CommandCase(arguments: ["categories"], says: ["CATEGORY", "JOKES  UNSEEN\n"]),
            empty: CommandCase(
                arguments: ["categories", "--source", "fortunes"], says: ["No shown joke that matches"], json: "[]"),
            refused: CommandCase(
                arguments: ["categories", "--source", "nobody"], status: 1, complains: ["unknown source 'nobody'"])),
        CommandRow(
            name: "watch",
            usual: CommandCase(arguments: ["watch", "--query", "one duck"], says: ["SHORT", "One duck."]),
            empty: nil,
            refused: CommandCase(
                arguments: ["watch", "--socket", "/nowhere"], status: 69,
                complains: ["cannot connect to the daemon", "Start the daemon: "]), isEndless: true),
        CommandRow(
            name: "favorite",
            usual: CommandCase(arguments: ["favorite", "--note", "for Ann", "ID"], says: ["★ ", "SHORT", "for Ann"]),
            empty: nil,
            refused: CommandCase(arguments: ["favorite", "nobody:1"], status: 1, complains: [unknownJoke])),
        CommandRow(
            name: "unfavorite",
            usual: CommandCase(
                before: [["favorite", "ID"]], arguments: ["unfavorite", "ID"],
                says: ["SHORT is no longer a favorite."], json: #"[{"id":"ID","changed":true}]"#),
            empty: CommandCase(
                arguments: ["unfavorite", "ID"], says: ["SHORT was not a favorite; 'jokesctl favorites' "],
                json: #"[{"id":"ID","changed":false}]"#),
            refused: CommandCase(arguments: ["unfavorite", "nobody:1"], status: 1, complains: [unknownJoke])),
        CommandRow(
            name: "favorites",
            usual: CommandCase(
                before: [["favorite", "ID"]], arguments: ["favorites"], says: ["★ ", "SHORT", "One duck."]),
            empty: CommandCase(
                before: [["unfavorite", "ID"]], arguments: ["favorites"],
                says: ["No favorites", "jokesctl favorite "], json: "[]"),
            refused: CommandCase(
                arguments: ["favorites", "--socket", "/nowhere"], status: 69,
                complains: ["cannot connect to the daemon", "Start the daemon: "])),
        CommandRow(
            name: "hide",
            usual: CommandCase(
                before: [["unhide", "ID"]], arguments: ["hide", "ID"],
                says: ["SHORT is hidden. To show it again: jokesctl unhide 'SHORT'\n"],
                json: #"[{"id":"ID","changed":true}]"#),
            empty: CommandCase(
                before: [["hide", "ID"]], arguments: ["hide", "ID"],
                says: ["SHORT was already hidden. To show it again: jokesctl unhide 'SHORT'\n"],
                json: #"[{"id":"ID","changed":false}]"#),
            refused: CommandCase(arguments: ["hide", "nobody:1"], status: 1, complains: [unknownJoke])),
        CommandRow(
            name: "unhide",
            usual: CommandCase(
                before: [["hide", "ID"]], arguments: ["unhide", "ID"], says: ["SHORT is shown again."],
                json: #"[{"id":"ID","changed":true}]"#),
            empty: CommandCase(
                arguments: ["unhide", "ID"], says: ["SHORT was not hidden; "], json: #"[{"id":"ID","changed":false}]"#),
            refused: CommandCase(arguments: ["unhide", "nobody:1"], status: 1, complains: [unknownJoke])),
        CommandRow(
            name: "hidden",
            usual: CommandCase(before: [["hide", "ID"]], arguments: ["hidden"], says: ["SHORT  One duck."]),
            empty: CommandCase(
                before: [["unhide", "ID"]], arguments: ["hidden"], says: ["No joke is hidden. 'jokesctl hide "],
                json: "[]"),
            refused: CommandCase(
                arguments: ["hidden", "--limit", "0"], status: 64,
                complains: ["needs a whole number from 1", "help hidden"])),
        CommandRow(
            name: "undo",
            usual: CommandCase(
                before: [["unfavorite", "ID"], ["favorite", "--note", "for Ann", "ID"]], arguments: ["undo"],
                says: ["Taken back: 1 new favorite, from ", "SHORT", "One duck."]),
            empty: CommandCase(arguments: ["undo"], status: 1, complains: ["nothing to undo"], isBare: true),
            refused: CommandCase(
                arguments: ["undo", "now"], status: 64, complains: ["unexpected argument 'now'", "help undo"])),
        CommandRow(
            name: "status",
            usual: CommandCase(arguments: ["status"], says: ["cached", "last sync", "fortunes"]),
            empty: CommandCase(arguments: ["status"], says: ["cached", "No sources", "jokesctl doctor"], isBare: true),
            refused: CommandCase(
                arguments: ["status", "now"], status: 64, complains: ["unexpected argument 'now'", "help status"])),
        CommandRow(
            name: "sources",
            usual: CommandCase(
                arguments: ["sources"],
                says: ["SOURCE    CACHED  SHOWN  STATE\n", "fortunes       2      2  ok", "total"]),
            empty: CommandCase(
                arguments: ["sources"], says: ["starter", "No sources", "jokesctl doctor"], isBare: true),
            refused: CommandCase(
                arguments: ["sources", "--socket", "/nowhere"], status: 69,
                complains: ["cannot connect to the daemon", "Start the daemon: "])),
        CommandRow(
            name: "source",
            usual: CommandCase(
                arguments: ["source", "test", "fortunes"], says: ["sample        2 jokes read", "One duck."]),
            empty: nil,
            refused: CommandCase(
                arguments: ["source", "disable", "nobody"], status: 1,
                complains: ["no source 'nobody' in", "jokesctl sources"])),
        CommandRow(
            name: "refresh",
            usual: CommandCase(arguments: ["refresh"], says: ["fortunes: done"]),
            empty: CommandCase(
                arguments: ["refresh"], says: ["No source is enabled. 'jokesctl sources' "], json: "", isBare: true),
            refused: CommandCase(
                arguments: ["refresh", "nobody"], status: 1, complains: ["unknown source 'nobody'"])),
        CommandRow(
            name: "forget",
            usual: CommandCase(
                before: [["import", "OTHER"]], arguments: ["forget", "mine"], says: ["1 joke of 'mine' removed."],
                json: #"{"removed":1}"#),
            empty: nil,
            refused: CommandCase(
                arguments: ["forget", "fortunes"], status: 1,
                complains: [
                    "source 'fortunes' is in use",
                    "First remove it from the configuration: jokesctl source remove fortunes",
                ])),
        CommandRow(
            name: "doctor",
            usual: CommandCase(arguments: ["doctor"], says: ["ok ", "is sound", "source fortunes"]),
            empty: CommandCase(arguments: ["doctor"], says: ["no source is configured"], isBare: true),
            refused: CommandCase(
                arguments: ["doctor", "now"], status: 64, complains: ["unexpected argument 'now'", "help doctor"])),
        CommandRow(
            name: "export",
            usual: CommandCase(before: [["favorite", "ID"]], arguments: ["export"], says: ["One duck.", "ID"]),
            empty: CommandCase(
                before: [["unfavorite", "ID"]], arguments: ["export"], says: [#""favorites":["#],
                json: #"{"format":"jokesd","version":1,"favorites":[],"hidden":[]}"#),
            refused: CommandCase(
                arguments: ["export", "--output", "/nowhere/f"], status: 1, complains: ["/nowhere"])),
        CommandRow(
            name: "import",
            usual: CommandCase(arguments: ["import", "FILE"], says: ["favorites", "1 new"]),
            empty: CommandCase(
                arguments: ["import", "NOTHING"], says: ["favorites", "0 new", "'jokesctl export' "],
                json: """
                    {"newFavorites":0,"changedFavorites":0,"knownFavorites":0,"newHidden":0,"knownHidden":0,
                    "newJokes":0,"knownJokes":0,"excluded":0}
                    """),
            refused: CommandCase(
                arguments: ["import", "/nowhere"], status: 1, complains: ["/nowhere", "Nothing was imported."])),
        CommandRow(
            name: "help",
            usual: CommandCase(arguments: ["help", "random"], says: ["Usage: jokesctl random"]),
            empty: nil,
            refused: CommandCase(
                arguments: ["help", "rnadom"], status: 64,
                complains: ["unknown command 'rnadom'", "Did you mean 'random'?"])),
        CommandRow(
            name: "completions",
            usual: CommandCase(arguments: ["completions", "bash"], says: ["complete -F _jokesctl jokesctl"]),
            empty: nil,
            refused: CommandCase(
                arguments: ["completions", "zhs"], status: 64,
                complains: ["unknown shell 'zhs': use bash, zsh or fish", "Did you mean 'zsh'?"])),
        CommandRow(
            name: "version",
            usual: CommandCase(arguments: ["version"], says: ["jokesctl "]),
            empty: nil,
            refused: CommandCase(
                arguments: ["version", "1"], status: 64, complains: ["unexpected argument '1'", "help version"])),
        CommandRow(
            name: "complete",
            usual: CommandCase(arguments: ["complete", "show", "fortunes:"], says: ["ID\n"]),
            empty: CommandCase(arguments: ["complete", "show", "nobody:"]),
            refused: CommandCase(
                arguments: ["complete", "--shwo"], status: 64, complains: ["'--shwo'", "help complete"])),
    ]
}
