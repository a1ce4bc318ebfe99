import Promises

extension PICS {
    /// A part that R4 leaves open to the accessory, or to the app.
    package enum Part: String, CaseIterable {
        case asksFirst = "asks-first"
        case acknowledges
        case nearbyInteraction = "nearby-interaction"
        case severalSessions = "several-sessions"
        case severalSingles = "several-singles"
        case singleDescriptions = "single-descriptions"
        case multiple
        case severalMultiples = "several-multiples"
        case multipleDescriptions = "multiple-descriptions"
        case backgroundSessions = "background-sessions"

        /// What it is, and where R4 leaves it open.
        var words: String {
            switch self {
            case .asksFirst: "configuration data for an initialize, and not without one (R4 3.2)"
            case .acknowledges: "accessoryUwbDidStart and accessoryUwbDidStop (R4 3.2)"
            case .nearbyInteraction: "the Nearby Interaction Service (R4 4.1)"
            case .severalSessions: "several ranging sessions at a time (R4 4.3.2)"
            case .severalSingles: "two or more Single characteristics (R4 4.3, C.1)"
            case .singleDescriptions: "user descriptions of Single characteristics (R4 4.3, C.1)"
            case .multiple: "a Multiple characteristic (R4 4.3.3)"
            case .severalMultiples: "two or more Multiple characteristics (R4 4.3, C.2)"
            case .multipleDescriptions:
                "user descriptions of Multiple characteristics (R4 4.3, C.2)"
            case .backgroundSessions: "sessions that are bound to a Bluetooth link (R4 4.1)"
            }
        }

        /// The clauses that bind only who has it, and promises that stand in clauses which bind others, too.
        var clauses: [String] {
            switch self {
            case .asksFirst:
                [
                    "configuration-data-sent", "configuration-answers-initialize", "retry-accepted",
                    "answers-after-malformed",
                ]
            case .acknowledges:
                [
                    "recovers-from-error", "radio-as-reported", "silent-as-reported",
                    "end-as-reported", "new-data-before-did-start", "did-start-answers-configure",
                    "did-stop-answers-request",
                ]
            case .nearbyInteraction:
                ClauseTable.r4.filter { $0.section.hasPrefix("4.") && $0.keeper == .accessory }
                    .map(\.id)
            case .severalSessions: ["R4-4.3.2-6"]
            case .severalSingles: ["R4-4.3-7", "R4-4.3.4-1", "R4-4.3.4-2"]
            case .singleDescriptions: ["R4-4.3-9", "R4-4.3-10", "R4-4.3-11"]
            case .multiple:
                [
                    "R4-4.3-13", "R4-4.3-14", "R4-4.3-15", "R4-4.3.1-2", "R4-4.3.3-2", "R4-4.3.3-3",
                    "R4-4.3.3-4",
                    "R4-4.3.3-5", "R4-4.3.3-6", "R4-4.3.3-7", "R4-4.3.3-8", "R4-4.3.3-9",
                ]
            case .severalMultiples: ["R4-4.3-16", "R4-4.3.4-3", "R4-4.3.4-4"]
            case .multipleDescriptions: ["R4-4.3-18", "R4-4.3-19", "R4-4.3-20"]
            case .backgroundSessions: ["R4-4.3.2-4", "R4-4.3.2-5", "R4-4.3.3-7", "R4-4.3.3-8"]
            }
        }

        /// The promises that are put to the test wherever there is one.
        var shownBy: [String] {
            switch self {
            case .asksFirst: ["configuration-answers-initialize"]
            case .acknowledges: ["radio-as-reported", "new-data-before-did-start"]
            case .nearbyInteraction: ["single-characteristic-present"]
            case .severalSessions: ["singles-for-all-sessions"]
            case .severalSingles: ["single-descriptions-present"]
            case .singleDescriptions:
                [
                    "single-descriptions-present", "single-descriptions-readable",
                    "single-descriptions-read-only", "single-descriptions-encrypted",
                ]
            case .multiple: ["single-beside-multiple"]
            case .severalMultiples: ["multiple-descriptions-present"]
            case .multipleDescriptions:
                [
                    "multiple-descriptions-present", "multiple-descriptions-readable",
                    "multiple-descriptions-read-only", "multiple-descriptions-encrypted",
                ]
            case .backgroundSessions:
                ["configuration-read-before-ranging", "multiple-takes-precedence"]
            }
        }

        /// The promise that is put to the test wherever somebody has looked for it; nil where no look shows that it is
        /// absent: how many sessions an accessory has nobody can see, and the service it may have to have.
        var lookedFor: String? {
            switch self {
            case .nearbyInteraction, .severalSessions: nil
            case .severalSingles, .singleDescriptions, .multiple, .severalMultiples,
                .multipleDescriptions:
                "single-characteristic-present"
            // An app that shares data has run a session, bound or not, and got what it asked for.
            case .asksFirst, .acknowledges, .backgroundSessions: "shareable-data-sent"
            }
        }
    }
}
