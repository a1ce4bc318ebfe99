import DeviceKit
import Foundation
import NearbyInteraction
import Testing

/// A token goes to another device as an archive, over whatever link the app has.
struct TokenTests {
    private func token() throws -> NIDiscoveryToken {
        let bench = try SessionBench()
        var token: NIDiscoveryToken?
        bench.app { token = NISession().discoveryToken }
        return try #require(token)
    }

    @Test func anArchivedTokenIsTheSame() throws {
        let token = try token()
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NIDiscoveryToken.self, from: data)
        #expect(back == token && back?.hash == token.hash)
        #expect(Set([token, back]).count == 1)
    }

    @Test func bytesThatAreNoTokenAreRefused() throws {
        let other = try NSKeyedArchiver.archivedData(
            withRootObject: NSString("token"), requiringSecureCoding: true)
        for data in [Data(), Data([1, 2, 3]), other] {
            let found = try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: NIDiscoveryToken.self, from: data)
            #expect(found == nil)
        }
    }

    @Test func sessionsAndConfigurationsAreKeptByWhoTheyAre() throws {
        let bench = try SessionBench()
        bench.app {
            let (one, other) = (NISession(), NISession())
            var names = [one: "one", other: "other"]
            names[one] = nil
            #expect(names[other] == "other" && names.count == 1 && one != other)
            guard let configuration = try? accessoryConfiguration() else { return }
            configuration.isCameraAssistanceEnabled = true
            let copy = configuration.copy() as? NINearbyAccessoryConfiguration
            #expect(copy?.isCameraAssistanceEnabled == true && copy != configuration)
            #expect(copy?.accessoryDiscoveryToken == configuration.accessoryDiscoveryToken)
        }
    }
}
