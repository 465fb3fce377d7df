// The yardstick: encodes every frame of a clip and decodes it to BGRA, by the bare library, on all cores.
//
//     bare-codec webp|jpeg QUALITY CLIP.y4m
//
// Prints the number of frames and the seconds that they took. Each thread takes the next frame of the clip, encodes it
// from its planes into memory and decodes that; there is no network, no queue and no order.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include "clip.h"

static struct {
    struct clip clip;
    int quality;
    bool isJPEG;
    atomic_size_t next;
    atomic_bool failed;
} work;

static bool webpFrame(size_t index, uint8_t *pixels) {
    const struct clip *clip = &work.clip;
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, work.quality) || !WebPPictureInit(&picture)) return false;
    config.method = 0;
    WebPMemoryWriterInit(&writer);
    picture.width = clip->width;
    picture.height = clip->height;
    picture.y = (uint8_t *)clip_plane(clip, index, 0);
    picture.u = (uint8_t *)clip_plane(clip, index, 1);
    picture.v = (uint8_t *)clip_plane(clip, index, 2);
    picture.y_stride = clip->width;
    picture.uv_stride = (clip->width + 1) / 2;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    bool ok = WebPEncode(&config, &picture)
        && WebPDecodeBGRAInto(writer.mem, writer.size, pixels, (size_t)clip->width * clip->height * 4, clip->width * 4);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
    return ok;
}

struct jpeg {
    tjhandle compressor, decompressor;
    unsigned char *bytes;
};

static bool jpegFrame(struct jpeg *jpeg, size_t index, uint8_t *pixels) {
    const struct clip *clip = &work.clip;
    const unsigned char *planes[3] = {
        clip_plane(clip, index, 0), clip_plane(clip, index, 1), clip_plane(clip, index, 2)};
    int chromaWidth = (clip->width + 1) / 2;
    int strides[3] = {clip->width, chromaWidth, chromaWidth};
    unsigned long length = tjBufSize(clip->width, clip->height, TJSAMP_420);
    return tjCompressFromYUVPlanes(jpeg->compressor, planes, clip->width, strides, clip->height, TJSAMP_420,
                                   &jpeg->bytes, &length, work.quality, TJFLAG_NOREALLOC) == 0
        && tjDecompress2(jpeg->decompressor, jpeg->bytes, length, pixels, clip->width, clip->width * 4, clip->height,
                         TJPF_BGRA, 0) == 0;
}

static void *run(void *unused) {
    (void)unused;
    const struct clip *clip = &work.clip;
    uint8_t *pixels = malloc((size_t)clip->width * clip->height * 4);
    struct jpeg jpeg = {tjInitCompress(), tjInitDecompress(), tjAlloc(tjBufSize(clip->width, clip->height, TJSAMP_420))};
    if (!pixels || !jpeg.compressor || !jpeg.decompressor || !jpeg.bytes) work.failed = true;
    size_t index;
    while (!work.failed && (index = atomic_fetch_add(&work.next, 1)) < clip->frameCount) {
        if (!(work.isJPEG ? jpegFrame(&jpeg, index, pixels) : webpFrame(index, pixels))) work.failed = true;
    }
    tjFree(jpeg.bytes);
    tjDestroy(jpeg.compressor);
    tjDestroy(jpeg.decompressor);
    free(pixels);
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 4 || (strcmp(arguments[1], "webp") != 0 && strcmp(arguments[1], "jpeg") != 0)) {
        fprintf(stderr, "usage: bare-codec webp|jpeg QUALITY CLIP.y4m\n");
        return 64;
    }
    work.isJPEG = strcmp(arguments[1], "jpeg") == 0;
    work.quality = atoi(arguments[2]);
    const char *error = clip_open(&work.clip, arguments[3]);
    if (error) {
        fprintf(stderr, "bare-codec: %s: %s\n", arguments[3], error);
        return 66;
    }
    long threadCount = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t *threads = calloc(threadCount, sizeof *threads);
    if (!threads) return 70;
    double start = now();
    for (long thread = 0; thread < threadCount; thread++)
        if (pthread_create(&threads[thread], NULL, run, NULL) != 0) return 70;
    for (long thread = 0; thread < threadCount; thread++) pthread_join(threads[thread], NULL);
    if (work.failed) {
        fprintf(stderr, "bare-codec: the library refused a frame\n");
        return 70;
    }
    printf("%zu %.4f\n", work.clip.frameCount, now() - start);
    return 0;
}
