/// Returns the answer of a program without commands to a completion script: a line for each word that can replace the last one of
/// a command line, or `:files`. A summary follows after a tab. Nil if the words are not those of a script.
///
/// A script runs `PROGRAM complete -- WORD...`, with the words after the name of the program.
package func optionCompletion(_ words: [String], _ options: [CommandOption]) -> String? {
    guard words.starts(with: ["complete", "--"]) else { return nil }
    let word = words.last ?? ""
    switch options.first(where: { $0.spellings.contains(words[words.count - 2]) })?.value {
    case .file: return ":files\n"
    case .oneOf(let choices): return choices.filter { $0.hasPrefix(word) }.map { "\($0)\n" }.joined()
    case .some: return ""
    case nil: break
    }
    guard word.hasPrefix("-") else { return "" }
    return options.flatMap { option in option.spellings.map { "\($0)\t\(option.summary)\n" } }
        .filter { $0.hasPrefix(word) }.joined()
}
