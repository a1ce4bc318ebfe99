import Campaigns
import Foundation
import Orchestration
import Reports

// What the history keeps of lots and failures, and what is read back.

/// A document that only the soak reads.
func jsonText(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

extension SoakProgress {
    /// How many failures of a group are kept whole; of the others the seed is enough to play them again.
    private static let whole = 100

    /// Takes a lot that is done, and gives what is to be kept of it.
    mutating func take(_ result: LotResult, of lot: Lot, in plan: SoakPlan) throws -> LotRecord {
        let (arm, strand) = (plan.arm(of: lot.number), plan.strand(of: lot.number))
        var record = LotRecord(
            number: lot.number, arm: arm.rawValue, strand: strand, topology: lot.task.name,
            firstSeed: lot.variations.first?.seed ?? 0, runs: result.runs)
        record.undecided = result.undecided
        record.simulated = result.simulated
        var failures = result.failures.map { WayToFail($0, of: lot, at: lot.number) }
        // Each worker plays the plain run once, whatever was counted: it counts where it shows what no other run has.
        let known = groups.map(\.first.fingerprint) + failures.map(\.fingerprint)
        if let plain = result.plainFailure.map({ WayToFail($0, of: lot, at: lot.number) }),
            !known.contains(plain.fingerprint)
        {
            failures.append(plain)
            record.runs += 1
        }
        for failure in failures {
            record.failures.append(
                FailureRecord(
                    run: failure.place.run, seed: failure.task.seed,
                    fingerprint: failure.fingerprint,
                    whole: isKeptWhole(failure, in: strand) ? try jsonText(of: failure) : nil))
            if arm != .canary { take(failure, of: arm, in: strand) }
        }
        count(record, of: arm)
        done.insert(lot.number)
        guard arm != .canary else { return record }
        occasions.add(result.occasions)
        record.occasions = result.occasions.lines
        for (kind, hashes) in result.coverage.seen.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        {
            let new = hashes.filter { coverage.insert($0, of: kind) }.sorted()
            if !new.isEmpty { record.coverage[kind.rawValue] = new }
        }
        if !record.coverage.isEmpty { latestNews = runs }
        return record
    }

    private mutating func count(_ record: LotRecord, of arm: SoakArm) {
        var counts = arms[arm] ?? Arm()
        counts.runs += record.runs
        counts.failing += record.failures.count
        counts.undecided += record.undecided
        counts.simulated += record.simulated
        arms[arm] = counts
    }

    private func isKeptWhole(_ failure: WayToFail, in strand: Int) -> Bool {
        guard let group = groups.first(where: { $0.first.fingerprint == failure.fingerprint }),
            let first = group.strands[strand]
        else { return true }
        return group.runs < Self.whole || failure.place < first.place
    }

    /// How far an earlier sitting came, by the history of a file.
    ///
    /// - Throws: ``DamagedRow``.
    init(_ resumed: ResumedCampaign, in file: String) throws {
        self.init()
        done = DoneLots(frontier: resumed.frontier, beyond: resumed.beyond)
        for (name, counts) in resumed.arms {
            if let arm = SoakArm(rawValue: name) { arms[arm] = counts }
        }
        for record in resumed.groups {
            guard let arm = SoakArm(rawValue: record.arm), let whole = record.whole else {
                continue
            }
            let failure: WayToFail = try DamagedRow.reading(
                whole, as: "a failure of lot \(record.lot)", of: resumed.campaign, in: file)
            take(failure, of: arm, in: record.strand, runs: record.runs)
        }
        for (name, numbers) in resumed.occasions {
            if let count = Occasions.Count(numbers) { occasions.add(count, to: name) }
        }
        for (name, hashes) in resumed.coverage {
            guard let kind = Coverage.Kind(rawValue: name) else { continue }
            for hash in hashes { coverage.insert(hash, of: kind) }
        }
        latestNews = resumed.latestNews
    }
}

/// A row of a history that is not what a soak has written.
package struct DamagedRow: Error, CustomStringConvertible {
    package let description: String

    /// What the JSON of a row says, which `row` names.
    ///
    /// - Throws: A `DamagedRow` where it says nothing like that.
    static func reading<Value: Decodable>(
        _ text: String, as row: String, of campaign: CampaignRecord, in file: String
    ) throws(DamagedRow) -> Value {
        do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
            throw DamagedRow(
                description:
                    "\(file): campaign \(campaign.name): \(row) is damaged; expected what anechoic soak has "
                    + "written. Take the file from a backup, or begin a new campaign with another --out"
            )
        }
    }
}
