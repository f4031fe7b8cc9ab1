import DBusBridge
import TestSupport

extension TestBus {
    var connection: DBusConnection { DBusConnection(.address(address)) }
}
