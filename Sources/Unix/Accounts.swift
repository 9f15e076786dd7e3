import Glibc

/// The user and the groups of this process.
package struct ProcessIdentity: Hashable, Sendable {
    package var uid: UInt32
    package var gids: Set<UInt32>

    package init(uid: UInt32, gids: Set<UInt32>) {
        self.uid = uid
        self.gids = gids
    }

    package static var current: ProcessIdentity {
        var gids = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(gids.count), &gids)
        return ProcessIdentity(uid: geteuid(), gids: Set(gids.prefix(Int(max(0, count)))).union([getegid()]))
    }
}

/// A line of passwd(5) or group(5). The files are read directly, because the functions of the C library cannot be
/// linked statically. Users and groups from other places, such as LDAP, are not found.
package struct AccountLine: Hashable, Sendable {
    package var name: String
    package var id: UInt32
    /// The members of a group.
    package var members: [String]

    init?(_ line: Substring) {
        let fields = line.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count >= 4, !fields[0].isEmpty, let id = UInt32(fields[2]) else { return nil }
        name = String(fields[0])
        self.id = id
        members = fields[3].split(separator: ",").map(String.init)
    }

    /// Parses the lines of a file.
    package static func all(in text: String) -> [AccountLine] {
        text.split(separator: "\n").compactMap { AccountLine($0) }
    }

    /// Returns the lines of `/etc/passwd` or `/etc/group`; none if the file cannot be read.
    package static func all(of file: String) -> [AccountLine] {
        (try? contentsOfFile(file, limit: 4 << 20)).map { all(in: String(decoding: $0, as: UTF8.self)) } ?? []
    }
}
