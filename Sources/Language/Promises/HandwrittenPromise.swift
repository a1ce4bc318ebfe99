/// The promises that the language cannot state yet, by their names: each is a monitor of its own.
package enum HandwrittenPromise: String, CaseIterable, Sendable {
    case messageOrder = "message-order"
    case requestAnswered = "request-answered"
    case quiet
    case routedRight = "routed-right"
    case boundedRetries = "bounded-retries"
    case aliveAgain = "alive-again"
}
