import Foundation
import HistoryRecords

// Keeps a history: answers each request that comes on standard input, a line of JSON each, until there are no
// more. It is a program of its own because SQLite's library brings threads, and anechoic is built for one.

// Who asks may be interrupted by Ctrl-C, and has something to keep: this program ends when nobody asks any more.
for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }

let keeper = Keeper()
while let line = readLine() {
    do {
        try FileHandle.standardOutput.write(
            contentsOf: HistoryLine.data(of: keeper.answer(line: line)))
    } catch { break }
}
