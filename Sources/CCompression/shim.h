#pragma once
// The libraries with which journald compresses large fields.
#include <lz4.h>
#include <lzma.h>
#include <zstd.h>
