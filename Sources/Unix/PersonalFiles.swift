/// Where a person's own configuration file of this name belongs: `$XDG_CONFIG_HOME/jokesd/`, else `~/.config/jokesd/`.
///
/// The XDG Base Directory specification has relative paths ignored. Nil where the environment names no folder.
package func personalConfigurationFile(_ name: String, _ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return "\(folder)/jokesd/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/jokesd/\(name)"
}
