#pragma once
#include <systemd/sd-bus.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-id128.h>
