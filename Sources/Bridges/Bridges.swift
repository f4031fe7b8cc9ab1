// Everything that brings an outside world in, under one import.
@_exported public import CallbackBridge
@_exported public import DescriptorBridge
@_exported public import DispatchBridge
@_exported public import FileBridge
@_exported public import FilterBridge
@_exported public import JournalBridge
@_exported public import LoggingBridge
@_exported public import NotificationBridge
@_exported public import OSSignalBridge
@_exported public import ObservationBridge
@_exported public import ProcessBridge
@_exported public import SystemdBridge
