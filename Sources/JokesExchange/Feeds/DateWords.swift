/// Returns the number of a month, from 1 to 12, from its name or the first three letters or more, in lowercase; nil if it is
/// not a month, or can be two of them.
///
/// In English, German, French, Spanish, Italian, Portuguese and Dutch.
func monthNumber(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    let months = monthNames.indices.filter { month in monthNames[month].contains { $0.hasPrefix(word) } }
    return months.count == 1 ? months[0] + 1 : nil
}

private let monthNames = [
    "january jänner janvier enero gennaio janeiro januari",
    "february feber février fevrier febrero febbraio fevereiro februari",
    "march märz maerz mrz mars marzo março marco maart mrt",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août aout agosto augustus",
    "september septembre septiembre setiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre decembre diciembre dicembre dezembro",
].map { $0.split(separator: " ").map(String.init) }

/// Returns the offset of a named zone, in lowercase, as `Z` or `+01:00`; `?` if zones with different offsets have this name.
func zoneOffset(_ word: String) -> String? {
    zones.first { $0.dropFirst().contains(word) }?.first
}

/// The names of RFC 822, and others that feeds use. A name in RFC 822 has its meaning there, although CST is also in China.
private let zones = [
    "Z z ut utc gmt wet",
    "+01:00 bst cet mez wat west",
    "+02:00 cat cest eet mesz sast",
    "+03:00 eat eest msk trt",
    "+04:00 msd",
    "+05:00 pkt",
    "+05:45 npt",
    "+07:00 ict wib",
    "+08:00 awst hkt myt pht sgt",
    "+09:00 jst kst",
    "+09:30 acst",
    "+10:00 aest",
    "+10:30 acdt",
    "+11:00 aedt",
    "+12:00 nzst",
    "+13:00 nzdt",
    "-02:00 brst",
    "-02:30 ndt",
    "-03:00 adt art brt clst",
    "-03:30 nst",
    "-04:00 ast clt edt",
    "-05:00 cdt cot est pet",
    "-06:00 cst mdt",
    "-07:00 mst pdt",
    "-08:00 akdt pst",
    "-09:00 akst",
    "-10:00 hst",
    "? ct et ist mt pt",
].map { $0.split(separator: " ").map(String.init) }
