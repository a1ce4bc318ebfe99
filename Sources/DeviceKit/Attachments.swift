/// The objects of one device that global API (`NISession()`, the main queue) finds by their type.
///
/// The device owns them; a context only refers to them, so that it never keeps a device alive.
package struct Attachments {
    private struct Reference {
        weak var object: AnyObject?
    }

    private var references: [ObjectIdentifier: Reference] = [:]

    /// Nothing.
    package init() {}

    /// The object of this very type; nil where there is none, or it is gone.
    package subscript<Object: AnyObject>(_ type: Object.Type) -> Object? {
        get { references[ObjectIdentifier(type)]?.object as? Object }
        set { references[ObjectIdentifier(type)] = Reference(object: newValue) }
    }
}
