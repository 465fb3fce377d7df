#include <libyuv.h>

// The names below begin with the library's, so that they read as one family in Swift.

#if defined(__x86_64__)
// libyuv cuts the blue coefficients of limited range to 128/64 = 2, which darkens saturated blue by up to 13 of 255
// (BT.709 wants 2.112). Its x86 code takes the whole byte as unsigned, so the true value can be given. Layout: row.h.
#define LIBYUV_REPEAT_16(a, b) a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b
#define LIBYUV_REPEAT_32(a, b) LIBYUV_REPEAT_16(a, b), LIBYUV_REPEAT_16(a, b)
#define LIBYUV_CONSTANTS(ub, ug, vg, vr, yg, yb)                                                   \
    {                                                                                              \
        {LIBYUV_REPEAT_32(ub, 0)}, {LIBYUV_REPEAT_32(ug, vg)}, {LIBYUV_REPEAT_32(0, vr)},          \
            {LIBYUV_REPEAT_16(yg, yg)}, {LIBYUV_REPEAT_16(yb, yb)},                                \
    }
static const struct YuvConstants libyuv_bt601_limited __attribute__((aligned(32))) =
    LIBYUV_CONSTANTS(129, 25, 52, 102, 18997, -1160);
static const struct YuvConstants libyuv_bt709_limited __attribute__((aligned(32))) =
    LIBYUV_CONSTANTS(135, 14, 34, 115, 18997, -1160);
static const struct YuvConstants libyuv_bt2020_limited __attribute__((aligned(32))) =
    LIBYUV_CONSTANTS(137, 12, 42, 107, 19003, -1160);
#undef LIBYUV_CONSTANTS
#undef LIBYUV_REPEAT_32
#undef LIBYUV_REPEAT_16
#else
#define libyuv_bt601_limited kYuvI601Constants
#define libyuv_bt709_limited kYuvH709Constants
#define libyuv_bt2020_limited kYuv2020Constants
#endif

static inline const struct YuvConstants *libyuv_constants_bt601(int isFullRange) {
    return isFullRange ? &kYuvJPEGConstants : &libyuv_bt601_limited;
}

static inline const struct YuvConstants *libyuv_constants_bt709(int isFullRange) {
    return isFullRange ? &kYuvF709Constants : &libyuv_bt709_limited;
}

static inline const struct YuvConstants *libyuv_constants_bt2020(int isFullRange) {
    return isFullRange ? &kYuvV2020Constants : &libyuv_bt2020_limited;
}
