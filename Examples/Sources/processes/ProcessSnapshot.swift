import Diffable
import Glibc

/// A running process. Its identity is the process ID, so more CPU time is an update.
struct RunningProcess: Identifiable, Equatable, CustomStringConvertible {
    let id: pid_t
    let name: String
    let user: uid_t
    let cpuTime: Duration

    var description: String { "\(aligned("\(id)", 9))\(aligned("\(cpuTime)", 18))  \(name)" }

    /// Reads the files of a process; nil if `name` is not a process ID, or the process has ended.
    init?(_ name: String, in folder: String) {
        guard let id = pid_t(name), "\(id)" == name, let stat = read("\(folder)/\(name)/stat"),
            // A name may contain spaces and parentheses, but nothing after the name does.
            let open = stat.firstIndex(of: UInt8(ascii: "(")), let close = stat.lastIndex(of: UInt8(ascii: ")")),
            let status = read("\(folder)/\(name)/status")?.split(separator: UInt8(ascii: "\n")),
            let user = status.first(where: { $0.starts(with: "Uid:".utf8) }).flatMap({ numbers($0).first })
        else { return nil }
        // proc_pid_stat(5): the first number after the name is field 4. Fields 14 and 15 are clock ticks.
        let fields = numbers(stat[close...])
        guard open < close, fields.count > 11 else { return nil }
        (self.id, self.user) = (id, uid_t(truncatingIfNeeded: user))
        self.name = String(decoding: stat[open + 1..<close], as: UTF8.self)
        cpuTime = .seconds(1) / sysconf(Int32(_SC_CLK_TCK)) * (fields[10] + fields[11])
    }
}

/// A user with running processes: the header of a section.
struct User: Identifiable, Equatable, CustomStringConvertible {
    let id: uid_t
    let processCount: Int
    let cpuTime: Duration

    var description: String {
        "\(getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "\(id)"): \(processCount), \(cpuTime)"
    }
}

typealias ProcessSnapshot = DiffableSnapshot<User, RunningProcess>

extension ProcessSnapshot {
    /// Reads the processes in a folder such as `/proc`. Users and processes are in the order of their CPU time.
    init(of folder: String) {
        let processes = fileNames(in: folder).compactMap { RunningProcess($0, in: folder) }
            .sorted { ($1.cpuTime, $0.id) < ($0.cpuTime, $1.id) }
        // A window of ncurses has at most 32,767 lines. Between the steps, there are lines for old and new processes.
        let users = Dictionary(grouping: processes.prefix(15_000), by: \.user).map { id, processes in
            let cpuTime = processes.map(\.cpuTime).reduce(.zero, +)
            return (User(id: id, processCount: processes.count, cpuTime: cpuTime), processes)
        }
        self.init(users.sorted { ($1.0.cpuTime, $0.0.id) < ($0.0.cpuTime, $1.0.id) })
    }
}

private func fileNames(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    return sequence(state: ()) { _ in readdir(folder) }.map { entry in
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Reads the start of a file; nil if there is no such file.
private func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return Array(unsafeUninitializedCapacity: 4096) { $1 = fread($0.baseAddress, 1, $0.count, file) }
}

private func numbers(_ text: ArraySlice<UInt8>) -> [Int] {
    text.split { $0 <= UInt8(ascii: " ") }.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
}

private func aligned(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
