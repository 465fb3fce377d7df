// Video4Linux requests and constants that are macros Swift does not see.
#ifndef CLINUX_VIDEO_H
#define CLINUX_VIDEO_H

#include <errno.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/ioctl.h>

// 0, or the error number; goes on when a signal interrupts it.
static inline int clinux_ioctl(int descriptor, unsigned long request, void *argument) {
    int result;
    do { result = ioctl(descriptor, request, argument); } while (result < 0 && errno == EINTR);
    return result < 0 ? errno : 0;
}

static const unsigned long clinux_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long clinux_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long clinux_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long clinux_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long clinux_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long clinux_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long clinux_VIDIOC_G_PARM = VIDIOC_G_PARM;
static const unsigned long clinux_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long clinux_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long clinux_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long clinux_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long clinux_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long clinux_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long clinux_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;

static const uint32_t clinux_V4L2_CAP_VIDEO_CAPTURE = V4L2_CAP_VIDEO_CAPTURE;
static const uint32_t clinux_V4L2_CAP_STREAMING = V4L2_CAP_STREAMING;
static const uint32_t clinux_V4L2_CAP_DEVICE_CAPS = V4L2_CAP_DEVICE_CAPS;

static const uint32_t clinux_V4L2_BUF_FLAG_ERROR = V4L2_BUF_FLAG_ERROR;
static const uint32_t clinux_V4L2_BUF_FLAG_TIMESTAMP_MASK = V4L2_BUF_FLAG_TIMESTAMP_MASK;
static const uint32_t clinux_V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;

static const uint32_t clinux_V4L2_FMT_FLAG_EMULATED = V4L2_FMT_FLAG_EMULATED;
static const uint32_t clinux_V4L2_PIX_FMT_PRIV_MAGIC = V4L2_PIX_FMT_PRIV_MAGIC;

#endif
