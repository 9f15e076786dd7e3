import JSON5
import TextLayout

extension Model {
    /// Adopts new settings. If their file has errors, keeps the old ones and shows the first error.
    mutating func adopt(_ result: Result<Settings, ConfigurationError>) -> [Effect] {
        switch result {
        case .success(let settings):
            keys = settings.keys
            if let wrapsRows = settings.wrapsRows, wrapsRows != self.wrapsRows { toggleWrapping() }
            notice = Notice(text: "Settings reloaded")
            return [.applySettings(settings)]
        case .failure(let error):
            notice = Notice(text: error.firstSentence, role: .warning)
            return []
        }
    }
}

extension ConfigurationError {
    /// The first error, with the name of the file but not its folder, for a line of the screen.
    fileprivate var firstSentence: String {
        guard case .invalid(let file, let problems) = self, let first = problems.first else { return description }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return ConfigurationError.mistakes([first], in: name).description
    }
}
