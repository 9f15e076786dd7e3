/// A queue, first in, first out. Adding and removing take constant time on average.
struct Fifo<Element> {
    /// Nil in the place of a removed element, which is freed at once.
    private var elements: [Element?] = []
    /// The index of the first element.
    private var start = 0

    var count: Int { elements.count - start }

    var first: Element? { count > 0 ? elements[start] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        defer {
            start += 1
            if start > elements.count / 2 {
                elements.removeFirst(start)
                start = 0
            }
        }
        return elements[start].take()
    }
}
