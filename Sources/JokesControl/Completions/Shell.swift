/// A shell that has a completion script, for all programs. The script passes the words up to the cursor to `jokesctl complete`,
/// or to `jokesd complete` and so on, and offers the words that it prints; see `Completion`. `make install` installs the same
/// files.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var completionScript: String {
        switch self {
        case .bash: String(decoding: PackageResources.jokesctl_bash, as: UTF8.self)
        case .zsh: String(decoding: PackageResources.jokesctl_zsh, as: UTF8.self)
        case .fish: String(decoding: PackageResources.jokesctl_fish, as: UTF8.self)
        }
    }
}
