/// Keeps an observer of a data source told. Releasing it ends the observation, so keep it.
public final class DiffableObservation {
    private let observer: any Cancellable

    init(cancelling observer: any Cancellable) {
        self.observer = observer
    }

    deinit {
        cancel()
    }

    /// Ends the observation: no call follows, not even of a change that others are being told.
    public func cancel() {
        observer.cancel()
    }
}

@usableFromInline
protocol Cancellable: AnyObject {
    func cancel()
}
