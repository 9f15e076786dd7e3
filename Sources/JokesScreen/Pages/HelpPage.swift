import Terminal
import TextLayout

extension Model {
    /// The help, made from the key table.
    var helpLines: [Line] {
        let names = keys.bindings.map { binding in
            let names = binding.keys.map(\.name)
            return binding.action == .section && names.count > 2
                ? "\(names[0])\u{2026}\(names[names.count - 1])" : names.joined(separator: " ")
        }
        let columns = pageSize.columns
        let widest = names.map(\.columns).max() ?? 0
        let width = min(widest, max(1, columns / 3))
        return zip(names, keys.bindings).flatMap { name, binding in
            let parts = wrapped(binding.summary, to: max(1, columns - width - 4))
            return parts.enumerated().map { number, part in
                Line("  ") + Line(number == 0 ? name : "", .accent).fitted(to: width) + Line("  ") + part
            }
        }
    }
}
