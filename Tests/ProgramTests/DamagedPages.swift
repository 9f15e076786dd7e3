import Glibc
import Unix

extension DaemonUnderTest {
    /// Writes garbage over each page of the database in which more than so many jokes say the words, while it is open.
    func damagePages(with words: String, moreThan least: Int = 0) throws {
        let path = "\(state)/jokes.sqlite"
        let file = Descriptor(owning: try retrying("open", path) { open(path, O_RDWR | O_CLOEXEC) })
        let bytes = try contentsOfFile(path, limit: 1 << 26)
        let words = Array(words.utf8)
        for start in stride(from: 4096, to: bytes.count, by: 4096) {
            let page = bytes[start..<start + 4096]
            let count = page.indices.count { page[$0] == words[0] && page[$0...].starts(with: words) }
            guard count > least else { continue }
            let garbage = [UInt8](repeating: 0xAA, count: 4096)
            try retrying("write", path) { pwrite(file.rawValue, garbage, 4096, off_t(start)) }
        }
    }
}
