import Airs
import Choices
import DeviceLink
import Observer
import Scenarios
package import Traces

/// What a run is like: devices, airs, script, what is pending; and what follows from an event or an answer.
///
/// What happens next, and when it is over, is the world's to say.
package struct WorldState: Sendable {
    let topology: Topology
    let options: World.Options
    var decisions: Decisions
    var agenda: Agenda<Occurrence>
    /// How many steps were taken.
    package internal(set) var step: UInt64 = 0
    var digest = Digest()
    /// What the shell has to do.
    var actions: [World.Action] = []

    /// The moment, the devices, and the ways between them: what an air may see, which is why they stand
    /// together and are not copied for it.
    var surroundings: Surroundings
    var holdings: [DeviceHoldings]
    var bluetooth: BluetoothAir
    var bluetoothChannels: BluetoothChannels
    var uwb: UWBAir
    var uwbChannels = UWBChannels()
    var network: NetworkAir
    var networkChannels = NetworkChannels()
    var script: Script
    /// The channels of what the script has waiting, by their names; looked up only.
    var scriptChannels: [String: Int] = [:]
    var observer: AirObserver
    /// What the observer sees in a frame; empty in between; its capacity is kept.
    var seen: [AirObserver.ObservedEvent] = []

    /// Events of the trace that the shell has not taken yet.
    package internal(set) var trace: [TraceEvent] = []
    /// Host-controller packets that the shell has not taken yet.
    package internal(set) var packets: [World.HostControllerRecord] = []
    var nextTraceNumber: UInt64 = 0

    init(_ topology: Topology, _ options: World.Options, drawing decisions: Decisions) {
        (self.topology, self.options, self.decisions) = (topology, options, decisions)
        let count = topology.devices.count
        agenda = Agenda(devices: count)
        surroundings = Surroundings(
            at: 0, devices: topology.devices.map(DeviceState.init), ways: Ways(topology))
        holdings = Array(repeating: DeviceHoldings(), count: count)
        bluetooth = BluetoothAir(topology.air, devices: count)
        bluetoothChannels = BluetoothChannels(devices: count)
        uwb = UWBAir(topology.air)
        network = NetworkAir(topology.air, devices: count)
        script = Script(topology)
        observer = AirObserver(services: topology.services)
    }

    /// What happens without a device's turn.
    mutating func perform(_ occurrence: Occurrence) {
        switch occurrence {
        case .deliver: preconditionFailure("turns are granted")
        case .bluetooth(let event): perform(event)
        case .round(let slot): range(slot)
        case .frame(let device): takeFrame(device)
        case .network(let event): perform(event)
        case .script(let event): perform(event)
        case .powerOn(let device): start(device)
        case .checkForEnd: preconditionFailure("the world ends")
        }
    }

    /// Adds what the orchestrator sees to the trace.
    mutating func emit(_ kind: EventKind, on device: Int? = nil, fields: [Field] = []) {
        emit(
            TraceEvent(
                number: nextTraceNumber, time: VirtualTime(nanoseconds: now), step: step,
                kind: kind,
                device: device.map { devices[$0].name } ?? "",
                role: device.map { devices[$0].role }, fields: fields))
    }

    /// Adds what a device observes to the trace.
    mutating func emit(named name: String, on device: Int, fields: [Field]) {
        emit(
            TraceEvent(
                number: nextTraceNumber, time: VirtualTime(nanoseconds: now), step: step,
                name: name, device: devices[device].name, role: devices[device].role,
                isObservation: true, fields: fields))
    }

    private mutating func emit(_ event: consuming TraceEvent) {
        nextTraceNumber += 1
        digest.mix(event.name)
        digest.mix(event.fields)
        pullTriggers(event)
        trace.append(event)
    }
}
