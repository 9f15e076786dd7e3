/// A shell that can be told how to complete the commands of jokesctl.
enum Shell: String, CaseIterable, Hashable, Sendable {
    case bash
    case zsh
    case fish
}
