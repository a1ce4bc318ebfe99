import Bluetooth
import DeviceLink

extension VirtualUWBS {
    // MARK: Start and stop

    /// Asks the radio for a session; its answer is that to the host.
    mutating func start(_ fields: inout UCIFields) throws(UCIStatus) {
        let session = sessions[try session(&fields)]
        guard session.state != .active else { throw .sessionActive }
        guard session.state == .idle,
            let parameters = session.configuration.parameters(ofSession: session.id)
        else { throw .sessionNotConfigured }
        starting = session.handle
        request(.start(session: session.handle, parameters))
    }

    /// The radio is on, or refuses: its status is one of UCI.
    mutating func finishStart(of handle: UInt32, status: UInt8) {
        respond(to: .sessionStart, status: status)
        guard status == UCIStatus.ok.rawValue,
            let place = sessions.firstIndex(where: { $0.handle == handle })
        else { return }
        sessions[place].roundsSinceStart = 0
        sessions[place].misses = 0
        enter(.active, place)
        tellState()
    }

    mutating func stop(_ fields: inout UCIFields) throws(UCIStatus) {
        let place = try session(&fields)
        guard sessions[place].state == .active else { throw .rejected }
        stop(place, because: .stateChangeWithSessionManagementCommands)
    }

    /// The peer has told in a round that it ends a session: the radio stops, and the host hears why.
    package mutating func endInBand(_ handle: UInt32) {
        guard let place = sessions.firstIndex(where: { $0.handle == handle }),
            sessions[place].state == .active
        else { return }
        stop(place, because: .sessionStoppedDueToInbandSignal)
    }

    private mutating func stop(_ place: Int, because reason: ReasonCode) {
        request(.stop(session: sessions[place].handle))
        enter(.idle, place, because: reason)
        tellState()
    }

    // MARK: Rounds

    /// Tells the host of a round, and ends the session where that was the last that it wanted.
    mutating func finishRound(of handle: UInt32, _ measurement: UWBMeasurement?) {
        guard let place = sessions.firstIndex(where: { $0.handle == handle }),
            sessions[place].state == .active
        else { return }
        sessions[place].rounds &+= 1
        sessions[place].roundsSinceStart &+= 1
        sessions[place].misses = measurement == nil ? sessions[place].misses &+ 1 : 0
        let session = sessions[place]
        if session.configuration[.rngDataNtf] == 1 {
            tell(.sessionInfo, info(of: session, measurement))
            sessions[place].sequence &+= 1
        }
        if session.roundsSinceStart == session.configuration[.maxNumberOfMeasurements] {
            stop(place, because: .maxNumberOfMeasurementsReached)
        } else if session.misses > 0, session.misses == session.configuration[.maxRrRetry] {
            stop(place, because: .maxRangingRoundRetryCountReached)
        }
    }

    /// The payload of `ShortMacTwoWaySessionInfoNtf`, with one measurement and nothing of a vendor.
    private func info(of session: UCISession, _ measurement: UWBMeasurement?) -> [UInt8] {
        var octets = [UInt8](littleEndian: session.sequence)
        octets.append(littleEndian: token(of: session))
        octets.append(0)  // rcr_indicator
        octets.append(littleEndian: session.configuration[.rangingDuration] ?? 0)
        octets.append(1)  // ranging_measurement_type: TWO_WAY
        octets.append(0)
        octets.append(0)  // mac_address_indicator: SHORT_ADDRESS
        octets.append(littleEndian: UInt64(0))
        octets.append(1)  // how many measurements
        // ShortAddressTwoWayRangingMeasurement.
        octets.append(
            littleEndian: UInt16(truncatingIfNeeded: session.configuration[.dstMacAddress] ?? 0))
        if let measurement {
            octets += [UCIStatus.ok.rawValue, measurement.isLineOfSight ? 0 : 1]
            octets.append(littleEndian: Self.centimetres(measurement.distance))
        } else {
            // Neither sight nor distance is known.
            octets += [UCIStatus.rangingRxTimeout.rawValue, 0xFF, 0xFF, 0xFF]
        }
        let asked = session.configuration[.aoaResultReq] ?? 0
        octets += Self.angle(asked == 1 || asked == 2 ? measurement?.azimuth : nil)
        octets += Self.angle(asked == 1 || asked == 3 ? measurement?.elevation : nil)
        // The peer's own angles, which it does not send; slot, RSSI, and what is reserved.
        return octets + Self.angle(nil) + Self.angle(nil) + [0, 0]
            + [UInt8](repeating: 0, count: 11)
    }

    /// Millimetres, rounded; 0xFFFF means none.
    private static func centimetres(_ distance: UInt32) -> UInt16 {
        UInt16(min(0xFFFE, (UInt64(distance) + 5) / 10))
    }

    /// An angle in Q9.7 degrees, with how good it is in percent: of none, 0.
    private static func angle(_ hundredths: Int16?) -> [UInt8] {
        guard let hundredths else { return [0, 0, 0] }
        let scaled = Int32(hundredths) * 128
        let rounded = (scaled + (scaled < 0 ? -50 : 50)) / 100
        let number = UInt16(bitPattern: Int16(truncatingIfNeeded: rounded))
        return [UInt8](littleEndian: number) + [100]
    }
}
