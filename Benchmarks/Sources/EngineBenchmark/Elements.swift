import FoundationEssentials

/// An item of the workloads: an identifier and other content.
protocol BenchmarkItem: Identifiable, Equatable, Sendable where ID: BenchmarkIdentifier {
    init(number: Int, content: UInt32)
}

/// An item with plain content.
struct Row<ID: BenchmarkIdentifier>: BenchmarkItem {
    let id: ID
    var content: UInt32

    init(number: Int, content: UInt32) {
        id = ID(number: number)
        self.content = content
    }
}

/// An item as in real programs: an enum of several kinds with texts.
enum Entry: BenchmarkItem {
    case loading(Int, attempt: UInt32)
    case joke(name: String, text: String)
    case favorite(name: String, text: String)

    enum ID: BenchmarkIdentifier {
        case loading(Int)
        case joke(String)
        case favorite(String)

        static var kind: String { "enum" }

        init(number: Int) {
            // Longer than the 15 bytes of a small string.
            let name = "source/" + String(SplitMix64.mix(UInt64(number)) | 1 << 63, radix: 16)
            self =
                switch number % 50 {
                case 0: .loading(number)
                case 1...5: .favorite(name)
                default: .joke(name)
                }
        }
    }

    var id: ID {
        switch self {
        case .loading(let number, _): .loading(number)
        case .joke(let name, _): .joke(name)
        case .favorite(let name, _): .favorite(name)
        }
    }

    init(number: Int, content: UInt32) {
        let text = "What is \(content)? A number."
        self =
            switch ID(number: number) {
            case .loading(let number): .loading(number, attempt: content)
            case .joke(let name): .joke(name: name, text: text)
            case .favorite(let name): .favorite(name: name, text: text)
            }
    }
}

/// A section of the workloads.
struct Header: Identifiable, Equatable, Sendable {
    let id: Int
    var title: UInt32 = 0
}
