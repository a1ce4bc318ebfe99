/// The commands of HCI that there are here, by their opcodes: the group in the upper six bits and the number within it
/// (Core Specification Vol 4 Part E 7).
package enum HCICommand: UInt16, CaseIterable, Sendable {
    // Link Control.
    case disconnect = 0x0406
    case readRemoteVersionInformation = 0x041D
    // Controller & Baseband.
    case setEventMask = 0x0C01
    case reset = 0x0C03
    case setControllerToHostFlowControl = 0x0C31
    case hostBufferSize = 0x0C33
    case hostNumberOfCompletedPackets = 0x0C35
    case setEventMaskPage2 = 0x0C63
    // Informational and status parameters.
    case readLocalVersionInformation = 0x1001
    case readLocalSupportedCommands = 0x1002
    case readLocalSupportedFeatures = 0x1003
    case readBufferSize = 0x1005
    case readBDADDR = 0x1009
    case readRSSI = 0x1405
    // LE Controller.
    case leSetEventMask = 0x2001
    case leReadBufferSize = 0x2002
    case leReadLocalSupportedFeatures = 0x2003
    case leSetRandomAddress = 0x2005
    case leSetAdvertisingParameters = 0x2006
    case leReadAdvertisingPhysicalChannelTxPower = 0x2007
    case leSetAdvertisingData = 0x2008
    case leSetScanResponseData = 0x2009
    case leSetAdvertisingEnable = 0x200A
    case leSetScanParameters = 0x200B
    case leSetScanEnable = 0x200C
    case leCreateConnection = 0x200D
    case leCreateConnectionCancel = 0x200E
    case leReadFilterAcceptListSize = 0x200F
    case leClearFilterAcceptList = 0x2010
    case leAddDeviceToFilterAcceptList = 0x2011
    case leRemoveDeviceFromFilterAcceptList = 0x2012
    case leConnectionUpdate = 0x2013
    case leReadRemoteFeatures = 0x2016
    case leRand = 0x2018
    case leEnableEncryption = 0x2019
    case leLongTermKeyRequestReply = 0x201A
    case leLongTermKeyRequestNegativeReply = 0x201B
    case leReadSupportedStates = 0x201C
    case leSetDataLength = 0x2022
    case leReadSuggestedDefaultDataLength = 0x2023
    case leWriteSuggestedDefaultDataLength = 0x2024
    case leReadMaximumDataLength = 0x202F
    case leReadPHY = 0x2030
    case leSetDefaultPHY = 0x2031
    case leSetPHY = 0x2032
    // Extended advertising, where it is switched on.
    case leSetAdvertisingSetRandomAddress = 0x2035
    case leSetExtendedAdvertisingParameters = 0x2036
    case leSetExtendedAdvertisingData = 0x2037
    case leSetExtendedScanResponseData = 0x2038
    case leSetExtendedAdvertisingEnable = 0x2039
    case leReadMaximumAdvertisingDataLength = 0x203A
    case leReadNumberOfSupportedAdvertisingSets = 0x203B
    case leRemoveAdvertisingSet = 0x203C
    case leClearAdvertisingSets = 0x203D
    case leSetExtendedScanParameters = 0x2041
    case leSetExtendedScanEnable = 0x2042
    case leExtendedCreateConnection = 0x2043
}
