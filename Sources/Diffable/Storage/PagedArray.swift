/// A dense number that stands for one identifier inside one snapshot and its copies.
typealias Slot = UInt32

/// The slot that is none; tables end before it.
let noSlot = Slot.max

/// An array cut into pages that copies share, so that writing one element of a copy costs one page, not the whole.
struct PagedArray<Element: Sendable>: Sendable {
    // 256 elements: a page is copied in well under a microsecond, and 100,000 elements have 400 pages to share.
    private static var pageBits: Slot { 8 }
    private static var offsetMask: Slot { 1 << pageBits - 1 }

    private var pages: ContiguousArray<ContiguousArray<Element>> = []
    private(set) var count: Slot = 0

    init() {}

    init(repeating element: Element, count: Slot) {
        let page = ContiguousArray(repeating: element, count: 1 << Int(Self.pageBits))
        let full = Int(count >> Self.pageBits)
        pages = ContiguousArray(repeating: page, count: full)
        let rest = Int(count & Self.offsetMask)
        if rest > 0 { pages.append(ContiguousArray(page[0..<rest])) }
        self.count = count
    }

    subscript(index: Slot) -> Element {
        get { pages[Int(index >> Self.pageBits)][Int(index & Self.offsetMask)] }
        set { pages[Int(index >> Self.pageBits)][Int(index & Self.offsetMask)] = newValue }
    }

    mutating func append(_ element: Element) {
        if count & Self.offsetMask == 0 { pages.append([]) }
        pages[pages.count - 1].append(element)
        count += 1
    }
}
