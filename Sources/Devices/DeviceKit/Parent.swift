import CDevice

/// Asks to be killed when the thread that started this process ends, however it ends.
///
/// Where that has happened already, or the kernel refuses, the end of our input is noticed instead.
package func dieWithParent() { _ = cdevice_die_with_parent() }
