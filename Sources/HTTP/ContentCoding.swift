/// The coding that a response states for its body (RFC 9110, 8.4).
enum ContentCoding {
    /// The body is as it is, unless it starts as a gzip file does: some servers send one without saying so.
    case identity
    case gzip, deflate

    /// The codings of HTTP that are refused. They can expand a few bytes to gigabytes, and were not requested.
    private static let refused: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
    ]

    /// Reads Content-Encoding; nil if a coding is refused, or if there are several. Values that are no coding of HTTP, such
    /// as `utf-8`, are ignored.
    init?(_ headers: HeaderFields) {
        var codings: [ContentCoding] = []
        for name in headers.list("Content-Encoding").map({ $0.lowercased() }) {
            switch name {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case _ where Self.refused.contains(name): return nil
            default: continue
            }
        }
        guard codings.count <= 1 else { return nil }
        self = codings.first ?? .identity
    }

    /// Returns the format of a body from its first two bytes, or fewer if it has no more; nil if it is not packed.
    func format(ofBodyStarting start: [UInt8]) -> Unpacker.Format? {
        switch self {
        case .identity: start == [0x1f, 0x8b] ? .gzip : nil
        case .gzip: .gzip
        case .deflate: Self.isZlibHeader(start) ? .zlib : .rawDeflate
        }
    }

    /// RFC 1950, 2.2: the method in the low bits, and a check.
    private static func isZlibHeader(_ start: [UInt8]) -> Bool {
        start.count == 2 && start[0] & 0x0f == 8 && (Int(start[0]) << 8 + Int(start[1])).isMultiple(of: 31)
    }
}
