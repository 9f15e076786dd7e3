import Diffable

/// The counties of Ireland by province: the one source of truth. Every list that is shown is made from it.
enum Province: String, CaseIterable {
    case connacht = "Connacht"
    case leinster = "Leinster"
    case munster = "Munster"
    case ulster = "Ulster"

    var counties: [County] {
        let names =
            switch self {
            case .connacht: "Galway Leitrim Mayo Roscommon Sligo"
            case .leinster:
                "Carlow Dublin Kildare Kilkenny Laois Longford Louth Meath Offaly Westmeath Wexford Wicklow"
            case .munster: "Clare Cork Kerry Limerick Tipperary Waterford"
            case .ulster: "Antrim Armagh Cavan Derry Donegal Down Fermanagh Monaghan Tyrone"
            }
        return names.split(separator: " ").map { County(name: String($0), province: self) }
    }
}

struct County: Identifiable, Equatable {
    let name: String
    let province: Province

    var id: String { name }
}

/// A section is its province, whatever its header says: with another count it is updated, and is not another section.
struct Header: Identifiable, Equatable {
    let id: Province
    let count: Int

    var text: String { "\(id.rawValue) (\(count))" }
}

typealias CountySnapshot = DiffableSnapshot<Header, County>

extension CountySnapshot {
    /// The counties whose name has the text in it. Provinces without any are left out.
    static func counties(matching text: String) throws -> CountySnapshot {
        var snapshot = CountySnapshot()
        for province in Province.allCases {
            let found = province.counties.filter { text.isEmpty || $0.name.lowercased().contains(text.lowercased()) }
            guard !found.isEmpty else { continue }
            snapshot.appendSections([Header(id: province, count: found.count)])
            try snapshot.appendItems(found)
        }
        return snapshot
    }
}
