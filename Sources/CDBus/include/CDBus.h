#pragma once
#include <systemd/sd-bus.h>

// The part of libsystemd that speaks D-Bus. It is loaded at the first call of cdbus_functions(), because loading it and the
// libraries that it needs at each start would delay programs that never use D-Bus. sd-bus.h has the declarations and their meaning;
// the field `new` stands for sd_bus_new.

#define CDBUS_FUNCTIONS(_)      \
    _(new)                      \
    _(unref)                    \
    _(close)                    \
    _(close_unref)              \
    _(set_address)              \
    _(set_fd)                   \
    _(set_bus_client)           \
    _(set_monitor)              \
    _(start)                    \
    _(process)                  \
    _(send)                     \
    _(get_fd)                   \
    _(get_events)               \
    _(get_timeout)              \
    _(get_n_queued_write)       \
    _(get_unique_name)          \
    _(message_ref)              \
    _(message_unref)            \
    _(message_new_method_call)  \
    _(message_new_method_return)\
    _(message_new_signal)       \
    _(message_set_destination)  \
    _(message_set_auto_start)   \
    _(message_get_type)         \
    _(message_get_cookie)       \
    _(message_get_reply_cookie) \
    _(message_get_expect_reply) \
    _(message_get_auto_start)   \
    _(message_get_allow_interactive_authorization) \
    _(message_get_sender)       \
    _(message_get_destination)  \
    _(message_get_path)         \
    _(message_get_interface)    \
    _(message_get_member)       \
    _(message_get_signature)    \
    _(message_get_error)        \
    _(message_rewind)           \
    _(message_peek_type)        \
    _(message_at_end)           \
    _(message_enter_container)  \
    _(message_exit_container)   \
    _(message_read_basic)       \
    _(message_read_array)       \
    _(message_open_container)   \
    _(message_close_container)  \
    _(message_append_basic)     \
    _(message_append_array)     \
    _(reply_method_error)

#define CDBUS_FIELD(name) __typeof__(&sd_bus_##name) name;
struct cdbus {
    CDBUS_FUNCTIONS(CDBUS_FIELD)
};
#undef CDBUS_FIELD

// NULL if libsystemd cannot be loaded. May be called from any thread.
const struct cdbus *cdbus_functions(void);

// Why libsystemd cannot be loaded, NULL if it can.
const char *cdbus_load_failure(void);

// A variable of the environment, NULL where the program has more rights than its caller: secure_getenv(3).
const char *cdbus_variable(const char *name);
