/// Stands for what cannot be there on a simulated device.
///
/// Names of Foundation's that start a thread, reach the network or start a program are made this type by the
/// package's plugin, and unavailable; the type takes whatever is done with it, so that the compiler says only that.
@dynamicMemberLookup
@dynamicCallable
public struct Absent {
    public init(_ arguments: Any...) {}

    public static subscript(dynamicMember name: String) -> Absent { Absent() }
    public subscript(dynamicMember name: String) -> Absent { Absent() }

    @discardableResult
    public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>)
        -> Absent
    {
        self
    }
}
