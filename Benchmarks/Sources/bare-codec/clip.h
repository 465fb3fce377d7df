// A Y4M clip in 4:2:0 and 8 bits, mapped into memory.
#ifndef CLIP_H
#define CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clip {
    const uint8_t *bytes;
    size_t headerLength;  // of the file
    size_t frameLength;   // the planes and the line before them
    size_t frameCount;
    int width, height;
};

// Maps a clip; returns what is wrong with it, or NULL.
const char *clip_open(struct clip *clip, const char *path);

// Plane 0 (Y), 1 (U) or 2 (V) of a frame; rows follow each other without padding.
const uint8_t *clip_plane(const struct clip *clip, size_t index, int plane);

#endif
