/// The objects of one device that global API (`NISession()`, the main queue) finds by their type.
///
/// The device owns them; a context only refers to them, so that it never keeps a device alive.
package struct Attachments {
    private struct Reference {
        let type: ObjectIdentifier
        weak var object: AnyObject?
    }

    /// One for each type, of which there are few.
    private var references: [Reference] = []

    package init() {}

    /// The object of this very type; nil where there is none, or it is gone.
    package subscript<Object: AnyObject>(_ type: Object.Type) -> Object? {
        get {
            guard let place = place(of: type), let object = references[place].object else {
                return nil
            }
            return unsafeDowncast(object, to: Object.self)
        }
        set {
            if let place = place(of: type) {
                references[place].object = newValue
            } else {
                references.append(Reference(type: ObjectIdentifier(type), object: newValue))
            }
        }
    }

    private func place<Object: AnyObject>(of type: Object.Type) -> Int? {
        for place in references.indices where references[place].type == ObjectIdentifier(type) {
            return place
        }
        return nil
    }
}
