// The least that libsystemd lets a monitor of D-Bus do.
//
//   dbus-floor ADDRESS MEMBER   print the first argument, a text, of each message with that member
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static int fail(const char *what, int code) {
    fprintf(stderr, "dbus-floor: %s: %s\n", what, strerror(-code));
    return 2;
}

static int monitor(sd_bus *bus) {
    return sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Monitoring",
                              "BecomeMonitor", NULL, NULL, "asu", 0, (uint32_t)0);
}

static void print(sd_bus_message *message) {
    const char *text;
    if (sd_bus_message_read_basic(message, 's', &text) < 0) return;
    printf("\"%s\"\n", text);
    fflush(stdout);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fputs("usage: dbus-floor ADDRESS MEMBER\n", stderr);
        return 2;
    }
    sd_bus *bus = NULL;
    int result = sd_bus_new(&bus);
    if (result >= 0) result = sd_bus_set_address(bus, arguments[1]);
    if (result >= 0) result = sd_bus_set_bus_client(bus, 1);
    if (result >= 0) result = sd_bus_set_monitor(bus, 1);
    if (result >= 0) result = sd_bus_start(bus);
    if (result >= 0) result = monitor(bus);
    if (result < 0) return fail("cannot monitor", result);
    for (;;) {
        sd_bus_message *message = NULL;
        result = sd_bus_process(bus, &message);
        if (result < 0) break;
        if (message) {
            const char *member = sd_bus_message_get_member(message);
            if (member && strcmp(member, arguments[2]) == 0) print(message);
            sd_bus_message_unref(message);
        } else if (result == 0 && (result = sd_bus_wait(bus, UINT64_MAX)) < 0) {
            break;
        }
    }
    sd_bus_unref(bus);
    // The bus was stopped.
    return 0;
}
