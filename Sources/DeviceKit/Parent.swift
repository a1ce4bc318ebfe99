internal import CDevice
internal import Glibc

/// Asks to be killed when the thread that started this process ends, however it ends.
///
/// - Returns: False where that thread has ended already; the process should leave at once.
package func dieWithParent() -> Bool {
    // Where the kernel refuses, the end of our input is noticed instead.
    _ = cdevice_die_with_parent()
    return getppid() != 1
}
