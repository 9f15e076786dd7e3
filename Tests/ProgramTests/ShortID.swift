extension String {
    /// The short form of a joke's full ID, if 6 digits are enough: `dad~204cc1` for `dad:~204cc1…`.
    var shortened: String {
        let parts = split(separator: ":~")
        return parts.count == 2 ? "\(parts[0])~\(parts[1].prefix(6))" : self
    }
}
