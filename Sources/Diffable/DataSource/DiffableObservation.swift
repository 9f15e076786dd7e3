/// An observation of a data source. It ends when this object is released.
public final class DiffableObservation {
    private let observer: any Cancellable

    init(cancelling observer: any Cancellable) { self.observer = observer }

    deinit { cancel() }

    /// Ends the observation. No call follows, even if other observers are being called.
    public func cancel() { observer.cancel() }
}

@usableFromInline
protocol Cancellable: AnyObject {
    func cancel()
}
