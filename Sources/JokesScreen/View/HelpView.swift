import Terminal
import TextLayout

extension Model {
    /// The help, all of it, made of the table that keys are looked up in.
    var helpLines: [Line] {
        let names = keys.bindings.map { binding in
            let names = binding.keys.map(\.name)
            return binding.action == .section && names.count > 2
                ? "\(names[0])\u{2026}\(names[names.count - 1])" : names.joined(separator: " ")
        }
        let widest = names.map(\.columns).max() ?? 0
        let width = min(widest, max(1, size.columns / 3))
        return [Line(" Keys", Style(.bold, .heading))]
            + zip(names, keys.bindings).flatMap { name, binding in
                let parts = wrapped(binding.summary, to: max(1, size.columns - width - 4))
                return parts.enumerated().map { number, part in
                    Line("  ") + Line(number == 0 ? name : "", Style([], .accent)).fitted(to: width) + Line("  " + part)
                }
            }
    }
}
