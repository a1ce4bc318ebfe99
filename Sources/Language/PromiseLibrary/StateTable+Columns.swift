package import DeviceLink
package import Promises

extension StateTable {
    /// Whom an event of a kind comes to, so that he may do the wrong thing then; nobody where it only tells what
    /// somebody did, what the script says, or what a fault does to a device.
    package static func keepers(meeting kind: EventKind) -> [Property.Keeper] {
        switch kind {
        case .deviceStarted, .linkUpdated, .attReceived, .msgInitializeReceived,
            .msgConfigureAndStartReceived, .msgStopReceived, .msgGetReservedReceived,
            .msgSetReservedReceived:
            [.accessory]
        case .linkUp, .linkDown, .msgMalformedReceived: [.accessory, .app]
        case .linkEncrypted, .uwbStarted, .uwbRefused, .uwbRound, .uwbEnded, .faultCommand:
            [.accessory, .appleDevice]

        case .userStart, .userStop, .appLaunched, .appFound, .appLost, .appSubscribed,
            .systemBluetooth, .msgAccessoryConfigurationDataReceived,
            .msgAccessoryUwbDidStartReceived, .msgAccessoryUwbDidStopReceived,
            .msgIOSNotifyReceived, .niDidStartRunning, .niDidGenerateShareableConfigurationData,
            .niDidUpdate, .niDidRemove, .niSessionWasSuspended, .niSessionSuspensionEnded,
            .niDidInvalidate:
            [.app]
        case .niRun, .niPause, .niInvalidate, .appBackground, .appForeground, .systemPermission,
            .systemFindMy:
            [.appleDevice]

        case .faultDisconnect, .faultLoss, .faultUWBLoss, .faultDelay, .faultThrottle, .faultHold,
            .faultPartition, .faultObstruct:
            [.link]

        // What ends a fault; what strikes a device as a whole.
        case .faultRelease, .faultRepair, .faultClear, .faultMove, .faultKill, .faultRestart,
            .faultFreeze, .faultThaw, .faultCorrupt, .faultRefuseUWB, .faultBusy, .faultsStopped,
            .deviceDied, .deviceFrozen, .deviceThawed, .deviceStale, .deviceTurn:
            []
        // What a keeper does himself.
        case .airAdvertising, .airScanning, .airConnecting, .airDisconnecting, .attSent,
            .networkSent, .msgInitializeSent, .msgConfigureAndStartSent, .msgStopSent,
            .msgGetReservedSent, .msgSetReservedSent, .msgAccessoryConfigurationDataSent,
            .msgAccessoryUwbDidStartSent, .msgAccessoryUwbDidStopSent, .msgIOSNotifySent,
            .msgOtherSent, .msgMalformedSent, .uwbStarting, .uwbStopped, .niCreated, .appStart,
            .appStop, .appAttempt, .appGaveUp, .appConnected, .appNotification, .appQuality,
            .appTerminated, .accessoryConfigured, .accessoryRejected, .accessoryStart,
            .accessoryStop, .accessoryError, .uciCommand, .arRun, .arPause:
            []
        // What is told beside one of the above, or of what no pair of a phone and an accessory has.
        case .airConnected, .airDisconnected, .appDisconnected, .appService, .appReceived,
            .networkFailed, .networkReceived, .msgOtherReceived, .gattSearched, .gattService,
            .gattCharacteristic, .gattDiscovered, .gattDescriptor, .gattDescribed,
            .gattDescription, .gattSubscribed, .gattConfiguration, .gattCompared, .gattWritten,
            .gattRefused, .niDidUpdateAlgorithmConvergence, .arFrame, .arTrackingState,
            .arInterrupted, .arInterruptionEnded, .systemPrompt, .systemPairing, .systemPaired,
            .systemSinglesOnly, .uciResponse, .uciNotification, .runStarted, .runLag, .runEnded,
            .scriptStep, .scriptEnded:
            []
        }
    }

    /// The kinds of events that come to its keeper.
    package var events: [EventKind] {
        EventKind.allCases.filter { Self.keepers(meeting: $0).contains(keeper) }
    }
}
