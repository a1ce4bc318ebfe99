import AppleDevice
import DeviceChamber
import DeviceKit
import NearbyInteraction
import Testing
import Vocabulary

/// What a topology can say wrong about an Apple device, and what it hears.
struct RefusalTests {
    private func refusal(_ reset: Reset) -> String? {
        do {
            try Chamber().add(SimulatedAppleDevice.self, reset)
            return nil
        } catch { return error.reason }
    }

    private func refusal(_ name: String, _ value: String) -> String? {
        refusal(Reset(name: "ben", model: "iPhone12,1", parameters: [Pair(name, value)]))
    }

    @Test func everyModelIsMade() {
        for model in Catalogue.models {
            #expect(refusal(Reset(name: "ben", model: model.identifier)) == nil)
            #expect(refusal(Reset(name: "ben", model: model.name)) == nil)
        }
    }

    @Test func aModelIsKnownByItsMarketingNameInAnyCase() {
        #expect(Catalogue.model(named: "iphone 15 PRO")?.identifier == "iPhone16,1")
        #expect(
            refusal(Reset(name: "ben", model: "iPhnoe 15"))
                == "there is no model \"iPhnoe 15\"; did you mean iPhone 15?")
    }

    @Test func anUnknownNameIsRefusedWithTheNearestOne() {
        #expect(
            refusal(Reset(name: "ben", model: "iPhone12,2"))
                == "there is no model \"iPhone12,2\"; did you mean iPhone12,1?")
        #expect(
            refusal("removal-timout", "1")
                == "there is no parameter \"removal-timout\"; did you mean removal-timeout?"
        )
        #expect(
            refusal("request-timeouts", "1")
                == "there is no parameter \"request-timeouts\"; did you mean request-timeout?"
        )
        #expect(
            refusal(Reset(name: "ben", model: "iPhone12,1", defects: ["unbound-retries"]))
                == "there is no defect \"unbound-retries\"; did you mean unbounded-retries?"
        )
    }

    @Test func aValueOutOfItsRangeIsRefusedWithTheRange() {
        #expect(
            refusal("mtu", "22")
                == "parameter mtu of an Apple device is '22', but must be a whole number from 23 to 517"
        )
        #expect(
            refusal("attempts", "many")
                == "parameter attempts of an Apple device is 'many', but must be a whole number from 1 "
                + "to 1000")
        #expect(
            refusal("permission", "denies")
                == "parameter permission of an Apple device is 'denies', but must be one of ask-allow, "
                + "ask-deny, allowed, denied; did you mean denied?")
    }

    @Test func everyParameterAndDefectIsKnown() {
        let durations = [
            "prompt-delay", "start-latency", "start-slack", "preparedness-window",
            "removal-timeout", "resource-usage-limit", "suspension-limit", "connection-interval",
            "request-timeout", "retry-delay", "retry-delay-max",
            "retry-reset", "lost-after", "app-wrong-after", "system-wrong-after",
        ]
        let words = [
            ("permission", "denied"), ("usage-description", "missing"), ("session-limit", "2"),
            ("start-order", "shareable-first"), ("own-invalidate", "calls-back"),
            ("rerun-start", "once"), ("radio-refusal", "removed"),
            ("configuration-mismatch", "invalidated"), ("mtu", "23"), ("launch", "false"),
            ("peers", "lock,tag"), ("auto-start", "false"), ("background-sessions", "true"),
            ("session-queue", "own"), ("attempts", "3"),
            // More than twice the interval, as in a connection request.
            ("connection-timeout", "3000000000"),
        ]
        let pairs = durations.map { Pair($0, "1000000000") } + words.map { Pair($0.0, $0.1) }
        let defects =
            AppDefect.allCases.map(\.rawValue)
            + SystemDefect.allCases.map(\.rawValue)
        #expect(
            refusal(
                Reset(name: "ben", model: "iPhone15,2", parameters: pairs, defects: defects)) == nil
        )
    }
}
