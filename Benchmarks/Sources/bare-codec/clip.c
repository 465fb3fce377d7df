#include "clip.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char FRAME_LINE[] = "FRAME\n";

static size_t lumaLength(const struct clip *clip) {
    return (size_t)clip->width * clip->height;
}

static size_t chromaLength(const struct clip *clip) {
    return (size_t)((clip->width + 1) / 2) * ((clip->height + 1) / 2);
}

const char *clip_open(struct clip *clip, const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0 || status.st_size == 0) return "cannot be read";
    clip->bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    close(file);
    if (clip->bytes == MAP_FAILED) return "cannot be mapped into memory";

    const uint8_t *end = memchr(clip->bytes, '\n', status.st_size);
    if (!end || strncmp((const char *)clip->bytes, "YUV4MPEG2 ", 10) != 0) return "is no Y4M file";
    clip->headerLength = end + 1 - clip->bytes;
    char *header = strndup((const char *)clip->bytes, clip->headerLength - 1);
    if (!header) return "does not fit into memory";
    for (char *rest = header, *field = strsep(&rest, " "); field; field = strsep(&rest, " ")) {
        if (field[0] == 'W') clip->width = atoi(field + 1);
        if (field[0] == 'H') clip->height = atoi(field + 1);
        if (field[0] == 'C' && strncmp(field, "C420", 4) != 0) return "is not in 4:2:0";
    }
    free(header);
    if (clip->width <= 0 || clip->height <= 0) return "has no size";
    clip->frameLength = strlen(FRAME_LINE) + lumaLength(clip) + 2 * chromaLength(clip);
    clip->frameCount = (status.st_size - clip->headerLength) / clip->frameLength;
    return clip->frameCount > 0 ? NULL : "has no whole frame";
}

const uint8_t *clip_plane(const struct clip *clip, size_t index, int plane) {
    const uint8_t *luma = clip->bytes + clip->headerLength + index * clip->frameLength + strlen(FRAME_LINE);
    return plane == 0 ? luma : luma + lumaLength(clip) + (plane - 1) * chromaLength(clip);
}
