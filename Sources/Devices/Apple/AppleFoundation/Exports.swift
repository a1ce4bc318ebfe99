// What Apple's modules bring along: all of Foundation, of which dates, identifiers, formatters and notifications are
// its own. Queues, timers and settings are ours.
@_exported public import Foundation
