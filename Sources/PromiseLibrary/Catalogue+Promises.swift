package import Vocabulary

extension Catalogue {
    /// The promises that are checked in every run: those written by hand, and those of the library.
    package static let promises =
        handwritten
        + PropertyLibrary.standard.properties.map { Term($0.id, $0.sentence) }

    private static let handwritten = [
        Term("message-order", "Messages of a link come in the order of the protocol."),
        Term("request-answered", "Every request is answered or timed out."),
        Term("quiet", "After stop, disconnect or suspension no accessory ranges."),
        Term("routed-right", "Data of one session never reaches another."),
        Term("bounded-retries", "Retries are bounded and spaced."),
        Term("alive-again", "Once faults stop, ranging or a reported end is reached again."),
    ]
}
