import AppleFoundation
import DeviceKit
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

    @Test func aConfigurationSurvivesAnArchive() throws {
        let accessory = try accessoryConfiguration()
        accessory.isCameraAssistanceEnabled = true
        let peer = NINearbyPeerConfiguration(peerToken: try token())
        peer.isExtendedDistanceMeasurementEnabled = true
        #expect(try Self.again(accessory)?.isCameraAssistanceEnabled == true)
        #expect(
            try Self.again(accessory)?.accessoryDiscoveryToken
                == accessory.accessoryDiscoveryToken)
        #expect(try Self.again(peer)?.isExtendedDistanceMeasurementEnabled == true)
        #expect(try Self.again(peer)?.peerDiscoveryToken == peer.peerDiscoveryToken)
    }

    private static func again<Configuration: NIConfiguration>(
        _ configuration: Configuration
    ) throws -> Configuration? {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: configuration, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Configuration.self, from: data)
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
