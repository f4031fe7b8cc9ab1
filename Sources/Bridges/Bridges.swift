@_exported public import DispatchBridge
@_exported public import JournalBridge
@_exported public import OSSignalBridge
