// zlib, with a function for the macro that Swift cannot import.
#pragma once
#include <zlib.h>

/// Prepares a stream for gzip data: the largest window, and 16 for the kind of header (`inflateInit2` in zlib.h).
static inline int czlib_begin_gzip(z_stream *stream) {
    return inflateInit2(stream, MAX_WBITS + 16);
}
