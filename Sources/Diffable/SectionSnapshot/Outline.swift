/// The structure of a `DiffableSectionSnapshot`: the children of each node in order, and the expanded nodes.
///
/// A node has links to its neighbors. So inserting a node changes only its neighbors, and a walk needs no stack. Nodes
/// are indices of one array. Released nodes are in a free list and are reused. An outline has no items:
/// `DiffableSectionSnapshot` stores the item of each node.
@usableFromInline
struct Outline: Sendable {
    @usableFromInline typealias Node = UInt32

    /// The neighbors of a node.
    @usableFromInline
    struct Links: Sendable {
        @usableFromInline var parent = Outline.none
        /// The previous sibling.
        @usableFromInline var previous = Outline.none
        /// The next sibling.
        @usableFromInline var next = Outline.none
        /// The first child.
        @usableFromInline var first = Outline.none
        /// The last child.
        @usableFromInline var last = Outline.none

        @inlinable init() {}
    }

    /// The parent of the roots of the forest.
    @inlinable static var root: Node { 0 }
    /// No node. The root is not a child or neighbor of any node, so its number is free for this.
    @inlinable static var none: Node { 0 }

    @usableFromInline private(set) var links: ContiguousArray<Links> = [Links()]
    // Not in the links, so that expanding an item of a copy copies only these bits. The root is always expanded.
    @usableFromInline private(set) var expanded = BitSet(limit: 0)
    // The first node of the free list. `next` links each free node to the next one.
    private var firstFree = Outline.none

    @usableFromInline init() { expanded.insert(Int(Outline.root)) }

    @inlinable func isExpanded(_ node: Node) -> Bool { expanded.contains(Int(node)) }

    @usableFromInline
    mutating func setExpanded(_ node: Node, _ isExpanded: Bool) {
        guard self.isExpanded(node) != isExpanded else { return }
        if isExpanded { expanded.insert(Int(node)) } else { expanded.remove(Int(node)) }
    }

    @usableFromInline mutating func reserve(_ additional: Int) { links.reserveCapacity(links.count + additional) }

    /// Returns a collapsed node without links, from the free list if possible.
    @usableFromInline
    mutating func allocateNode() -> Node {
        guard firstFree == Self.none else {
            let node = firstFree
            firstFree = links[Int(node)].next
            links[Int(node)] = Links()
            return node
        }
        precondition(links.count < Int(Node.max), "a section snapshot holds at most 2^32 - 2 items")
        links.append(Links())
        return Node(links.count - 1)
    }

    /// Adds a node of an unlinked branch to the free list.
    @usableFromInline
    mutating func release(_ node: Node) {
        setExpanded(node, false)
        links[Int(node)] = Links()
        links[Int(node)].next = firstFree
        firstFree = node
    }

    /// Inserts an unlinked node among the children of `parent`: before the child `next`, or at the end if `next` is
    /// `none`.
    @usableFromInline
    mutating func link(_ node: Node, under parent: Node, before next: Node = Outline.none) {
        let previous = next == Self.none ? links[Int(parent)].last : links[Int(next)].previous
        links[Int(node)].parent = parent
        links[Int(node)].previous = previous
        links[Int(node)].next = next
        join(previous, next, under: parent, first: node, last: node)
    }

    /// Removes a node with its descendants from the children of its parent.
    @usableFromInline
    mutating func unlink(_ node: Node) {
        let old = links[Int(node)]
        join(old.previous, old.next, under: old.parent, first: old.next, last: old.previous)
    }

    /// Links `previous` to `first`, and `next` to `last`. If `previous` or `next` is `none`, sets the first or last
    /// child of the parent instead.
    private mutating func join(_ previous: Node, _ next: Node, under parent: Node, first: Node, last: Node) {
        if previous == Self.none { links[Int(parent)].first = first } else { links[Int(previous)].next = first }
        if next == Self.none { links[Int(parent)].last = last } else { links[Int(next)].previous = last }
    }
}

extension Outline {
    /// The descendants of a node in preorder: each node before its own descendants.
    @usableFromInline
    struct Walk: Sequence, IteratorProtocol {
        /// A node with its level, which is 0 for the children of `top`.
        @usableFromInline typealias Step = (node: Node, level: Int)

        @usableFromInline let outline: Outline
        @usableFromInline let top: Node
        @usableFromInline let visibleOnly: Bool
        @usableFromInline var upcoming: Step?

        @inlinable
        init(_ outline: Outline, under top: Node, visibleOnly: Bool) {
            self.outline = outline
            self.top = top
            self.visibleOnly = visibleOnly
            let first = outline.links[Int(top)].first
            upcoming = first == Outline.none ? nil : (first, 0)
        }

        @inlinable
        mutating func next() -> Step? {
            guard let step = upcoming else { return nil }
            upcoming = successor(of: step)
            return step
        }

        /// Returns the next node in preorder.
        @inlinable
        func successor(of step: Step) -> Step? {
            let first = outline.links[Int(step.node)].first
            if first != Outline.none, !visibleOnly || outline.isExpanded(step.node) {
                return (first, step.level + 1)
            }
            var node = step.node
            var level = step.level
            while node != top {
                let next = outline.links[Int(node)].next
                if next != Outline.none { return (next, level) }
                node = outline.links[Int(node)].parent
                level -= 1
            }
            return nil
        }
    }

    /// Returns the descendants of a node in preorder, optionally without the descendants of collapsed nodes.
    @inlinable
    func walk(under top: Node = Outline.root, visibleOnly: Bool = false) -> Walk {
        Walk(self, under: top, visibleOnly: visibleOnly)
    }

    /// Returns the ancestors of a node, the nearest first.
    @inlinable
    func ancestors(of node: Node) -> some Sequence<Node> {
        sequence(first: links[Int(node)].parent) { links[Int($0)].parent }.lazy.prefix { $0 != Outline.root }
    }
}
