// zlib, with a function for the macro that Swift cannot import.
#pragma once
#include <zlib.h>

/// Prepares a stream for data in the format of the number (`inflateInit2` in zlib.h).
static inline int czlib_begin(z_stream *stream, int format) {
    return inflateInit2(stream, format);
}
