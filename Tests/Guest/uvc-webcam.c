// A USB webcam in user space: UVC 1.0, MJPEG, over a bulk endpoint.
//
//     uvc-webcam GADGETFS WIDTHxHEIGHT FPS FRAME.jpg...
//
// It plugs itself into the kernel's virtual USB bus (dummy_hcd) by gadgetfs, mounted at GADGETFS, so that the kernel's
// own uvcvideo driver finds a webcam and makes a /dev/videoN of it. The files are delivered in turn, byte for byte, for
// as long as someone streams. They need not be whole, or JPEG: faulty cameras are made that way.
// Killing the process pulls the plug; stopping it (SIGSTOP) makes the camera stall.

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <linux/usb/gadgetfs.h>
#include <linux/usb/video.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    CONTROL_INTERFACE = 0,
    STREAMING_INTERFACE = 1,
    CAMERA_TERMINAL = 1,
    OUTPUT_TERMINAL = 3,
    FULL_SPEED_PACKET = 64,
    HIGH_SPEED_PACKET = 512,
    // The largest payload (header and frame) in one transfer.
    MAXIMUM_PAYLOAD = 1 << 20,
    PAYLOAD_HEADER = 2,
    // The length of the probe and commit controls in UVC 1.0.
    PROBE_LENGTH = 26,
    CLOCK_FREQUENCY = 48000000,
};

static const uint8_t STREAM_ENDPOINT = USB_DIR_IN | 1;

struct frame {
    uint8_t *bytes;
    size_t length;
};

static struct {
    unsigned width, height, framesPerSecond;
    struct frame *frames;
    size_t frameCount;
    char endpointPath[256];
    struct uvc_streaming_control probe;
} camera;

static uint32_t frameInterval(void) {
    return 10000000 / camera.framesPerSecond;  // in 100 ns
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

// MARK: Descriptors

DECLARE_UVC_HEADER_DESCRIPTOR(1);
DECLARE_UVC_INPUT_HEADER_DESCRIPTOR(1, 1);
DECLARE_UVC_FRAME_MJPEG(1);

// A camera terminal that offers no controls at all; their bit map has three bytes.
struct configuration {
    struct usb_config_descriptor configuration;
    struct usb_interface_assoc_descriptor association;
    struct usb_interface_descriptor control;
    struct UVC_HEADER_DESCRIPTOR(1) controlHeader;
    struct uvc_camera_terminal_descriptor cameraTerminal;
    struct uvc_output_terminal_descriptor outputTerminal;
    struct usb_interface_descriptor streaming;
    struct UVC_INPUT_HEADER_DESCRIPTOR(1, 1) inputHeader;
    struct uvc_format_mjpeg format;
    struct UVC_FRAME_MJPEG(1) frame;
    struct uvc_color_matching_descriptor color;
    // Last, because the two bytes at its end are for audio and are not sent.
    struct usb_endpoint_descriptor endpoint;
} __attribute__((packed));

enum { CONFIGURATION_LENGTH = sizeof(struct configuration) - (USB_DT_ENDPOINT_AUDIO_SIZE - USB_DT_ENDPOINT_SIZE) };

static struct usb_endpoint_descriptor endpointDescriptor(uint16_t packet) {
    return (struct usb_endpoint_descriptor){
        .bLength = USB_DT_ENDPOINT_SIZE,
        .bDescriptorType = USB_DT_ENDPOINT,
        .bEndpointAddress = STREAM_ENDPOINT,
        .bmAttributes = USB_ENDPOINT_XFER_BULK,
        .wMaxPacketSize = htole16(packet),
    };
}

static struct usb_interface_descriptor interfaceDescriptor(uint8_t number, uint8_t endpoints, uint8_t subclass) {
    return (struct usb_interface_descriptor){
        .bLength = USB_DT_INTERFACE_SIZE,
        .bDescriptorType = USB_DT_INTERFACE,
        .bInterfaceNumber = number,
        .bNumEndpoints = endpoints,
        .bInterfaceClass = USB_CLASS_VIDEO,
        .bInterfaceSubClass = subclass,
    };
}

static struct configuration configurationDescriptor(uint16_t packet) {
    struct configuration all = {
        .configuration = {
            .bLength = USB_DT_CONFIG_SIZE,
            .bDescriptorType = USB_DT_CONFIG,
            .wTotalLength = htole16(CONFIGURATION_LENGTH),
            .bNumInterfaces = 2,
            .bConfigurationValue = 1,
            .bmAttributes = USB_CONFIG_ATT_ONE | USB_CONFIG_ATT_SELFPOWER,
            .bMaxPower = 50,
        },
        .association = {
            .bLength = USB_DT_INTERFACE_ASSOCIATION_SIZE,
            .bDescriptorType = USB_DT_INTERFACE_ASSOCIATION,
            .bFirstInterface = CONTROL_INTERFACE,
            .bInterfaceCount = 2,
            .bFunctionClass = USB_CLASS_VIDEO,
            .bFunctionSubClass = UVC_SC_VIDEO_INTERFACE_COLLECTION,
        },
        .control = interfaceDescriptor(CONTROL_INTERFACE, 0, UVC_SC_VIDEOCONTROL),
        .controlHeader = {
            .bLength = UVC_DT_HEADER_SIZE(1),
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VC_HEADER,
            .bcdUVC = htole16(0x0100),
            .dwClockFrequency = htole32(CLOCK_FREQUENCY),
            .bInCollection = 1,
            .baInterfaceNr = {STREAMING_INTERFACE},
        },
        .cameraTerminal = {
            .bLength = UVC_DT_CAMERA_TERMINAL_SIZE(3),
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VC_INPUT_TERMINAL,
            .bTerminalID = CAMERA_TERMINAL,
            .wTerminalType = htole16(UVC_ITT_CAMERA),
            .bControlSize = 3,
        },
        .outputTerminal = {
            .bLength = UVC_DT_OUTPUT_TERMINAL_SIZE,
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VC_OUTPUT_TERMINAL,
            .bTerminalID = OUTPUT_TERMINAL,
            .wTerminalType = htole16(UVC_TT_STREAMING),
            .bSourceID = CAMERA_TERMINAL,
        },
        .streaming = interfaceDescriptor(STREAMING_INTERFACE, 1, UVC_SC_VIDEOSTREAMING),
        .inputHeader = {
            .bLength = UVC_DT_INPUT_HEADER_SIZE(1, 1),
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VS_INPUT_HEADER,
            .bNumFormats = 1,
            .bEndpointAddress = STREAM_ENDPOINT,
            .bTerminalLink = OUTPUT_TERMINAL,
            .bControlSize = 1,
        },
        .format = {
            .bLength = UVC_DT_FORMAT_MJPEG_SIZE,
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VS_FORMAT_MJPEG,
            .bFormatIndex = 1,
            .bNumFrameDescriptors = 1,
            .bmFlags = 1,
            .bDefaultFrameIndex = 1,
        },
        .frame = {
            .bLength = UVC_DT_FRAME_MJPEG_SIZE(1),
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VS_FRAME_MJPEG,
            .bFrameIndex = 1,
            .wWidth = htole16(camera.width),
            .wHeight = htole16(camera.height),
            .dwMinBitRate = htole32(1000000),
            .dwMaxBitRate = htole32(camera.width * camera.height * 16),
            .dwMaxVideoFrameBufferSize = htole32(camera.width * camera.height * 2),
            .dwDefaultFrameInterval = htole32(frameInterval()),
            .bFrameIntervalType = 1,
            .dwFrameInterval = {htole32(frameInterval())},
        },
        .color = {
            .bLength = UVC_DT_COLOR_MATCHING_SIZE,
            .bDescriptorType = USB_DT_CS_INTERFACE,
            .bDescriptorSubType = UVC_VS_COLORFORMAT,
            .bColorPrimaries = UVC_COLOR_PRIMARIES_BT_709_SRGB,
            .bTransferCharacteristics = UVC_TRANSFER_CHARACTERISTICS_BT_709,
            .bMatrixCoefficients = UVC_MATRIX_COEFFICIENTS_SMPTE_170M,
        },
        .endpoint = endpointDescriptor(packet),
    };
    all.controlHeader.wTotalLength =
        htole16(sizeof all.controlHeader + sizeof all.cameraTerminal + sizeof all.outputTerminal);
    all.inputHeader.wTotalLength =
        htole16(sizeof all.inputHeader + sizeof all.format + sizeof all.frame + sizeof all.color);
    return all;
}

// Writes what gadgetfs wants first: a tag, the configuration at full and at high speed, and the device.
static void plugIn(int control) {
    struct {
        uint32_t tag;
        uint8_t fullSpeed[CONFIGURATION_LENGTH], highSpeed[CONFIGURATION_LENGTH];
        struct usb_device_descriptor device;
    } __attribute__((packed)) message = {
        .device = {
            .bLength = USB_DT_DEVICE_SIZE,
            .bDescriptorType = USB_DT_DEVICE,
            .bcdUSB = htole16(0x0200),
            .bDeviceClass = USB_CLASS_MISC,
            .bDeviceSubClass = 2,
            .bDeviceProtocol = 1,
            .bMaxPacketSize0 = 64,
            .idVendor = htole16(0x1d6b),
            .idProduct = htole16(0x0102),
            .bcdDevice = htole16(1),
            .iProduct = 1,
            .bNumConfigurations = 1,
        },
    };
    struct configuration full = configurationDescriptor(FULL_SPEED_PACKET);
    struct configuration high = configurationDescriptor(HIGH_SPEED_PACKET);
    memcpy(message.fullSpeed, &full, CONFIGURATION_LENGTH);
    memcpy(message.highSpeed, &high, CONFIGURATION_LENGTH);
    if (write(control, &message, sizeof message) < 0) fail("the device's descriptors");
}

// MARK: Streaming

static int openEndpoint(void) {
    int endpoint = open(camera.endpointPath, O_RDWR);
    if (endpoint < 0) fail(camera.endpointPath);
    struct {
        uint32_t tag;
        uint8_t fullSpeed[USB_DT_ENDPOINT_SIZE], highSpeed[USB_DT_ENDPOINT_SIZE];
    } __attribute__((packed)) message = {.tag = 1};
    struct usb_endpoint_descriptor full = endpointDescriptor(FULL_SPEED_PACKET);
    struct usb_endpoint_descriptor high = endpointDescriptor(HIGH_SPEED_PACKET);
    memcpy(message.fullSpeed, &full, USB_DT_ENDPOINT_SIZE);
    memcpy(message.highSpeed, &high, USB_DT_ENDPOINT_SIZE);
    if (write(endpoint, &message, sizeof message) < 0) fail("the endpoint's descriptors");
    return endpoint;
}

// Sleeps until the next frame is due. If nobody has read for two frames' time, the beat starts anew.
static void waitForNextFrame(struct timespec *due) {
    long interval = 1000000000L / camera.framesPerSecond;
    due->tv_nsec += interval;
    if (due->tv_nsec >= 1000000000L) {
        due->tv_nsec -= 1000000000L;
        due->tv_sec += 1;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t late = (int64_t)(now.tv_sec - due->tv_sec) * 1000000000L + (now.tv_nsec - due->tv_nsec);
    if (late > 2 * interval) *due = now;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, due, NULL);
}

// Puts a frame behind the header that uvcvideo expects; the header's last bit changes with every frame.
static size_t makePayload(uint8_t *payload, const struct frame *frame, size_t number) {
    payload[0] = PAYLOAD_HEADER;
    payload[1] = UVC_STREAM_EOH | UVC_STREAM_EOF | (number % 2 ? UVC_STREAM_FID : 0);
    memcpy(payload + PAYLOAD_HEADER, frame->bytes, frame->length);
    size_t length = PAYLOAD_HEADER + frame->length;
    if (length % HIGH_SPEED_PACKET == 0) payload[length++] = 0;  // a short packet must end the payload
    return length;
}

// Sends the frames in turn; a write waits until the host reads.
static void *stream(void *descriptor) {
    int endpoint = *(int *)descriptor;
    uint8_t *payload = malloc(MAXIMUM_PAYLOAD);
    if (!payload) fail("memory");
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    size_t number = 0;
    while (write(endpoint, payload, makePayload(payload, &camera.frames[number % camera.frameCount], number)) > 0) {
        number += 1;
        waitForNextFrame(&due);
    }
    fail("the stream");
    return NULL;
}

static void startStreaming(void) {
    static bool started;
    static int endpoint;
    if (started) return;
    started = true;
    endpoint = openEndpoint();
    pthread_t thread;
    if (pthread_create(&thread, NULL, stream, &endpoint) != 0) fail("a thread");
}

// MARK: Control requests

static bool isProbeOrCommit(const struct usb_ctrlrequest *request) {
    uint16_t control = le16toh(request->wValue) >> 8;
    return (request->bRequestType & USB_TYPE_MASK) == USB_TYPE_CLASS
        && le16toh(request->wIndex) == STREAMING_INTERFACE
        && (control == UVC_VS_PROBE_CONTROL || control == UVC_VS_COMMIT_CONTROL);
}

// The answer to a probe or commit: there is one format, so it is the same whatever the host proposes.
static ssize_t answerProbe(uint8_t request, uint8_t *answer) {
    switch (request) {
    case UVC_GET_LEN:
        answer[0] = PROBE_LENGTH;
        answer[1] = 0;
        return 2;
    case UVC_GET_INFO:
        answer[0] = UVC_CONTROL_CAP_GET | UVC_CONTROL_CAP_SET;
        return 1;
    default:
        memcpy(answer, &camera.probe, PROBE_LENGTH);
        return PROBE_LENGTH;
    }
}

static ssize_t answerString(uint8_t index, uint8_t *answer) {
    if (index == 0) {
        memcpy(answer, (uint8_t[]){4, USB_DT_STRING, 0x09, 0x04}, 4);  // English
        return 4;
    }
    ssize_t length = 2;
    for (const char *letter = "Camstream test webcam"; *letter; letter++) {
        answer[length++] = *letter;
        answer[length++] = 0;
    }
    answer[0] = length;
    answer[1] = USB_DT_STRING;
    return length;
}

// Answers one request of the host. What the gadget does not know is refused by reading or writing the wrong way round.
static void handle(int control, const struct usb_ctrlrequest *request) {
    uint8_t data[256];
    bool toHost = request->bRequestType & USB_DIR_IN;
    size_t wanted = le16toh(request->wLength);
    ssize_t length = -1;

    if (isProbeOrCommit(request)) {
        if (request->bRequest == UVC_SET_CUR) {
            if (read(control, data, wanted < sizeof data ? wanted : sizeof data) < 0) perror("probe");
            return;
        }
        length = answerProbe(request->bRequest, data);
    } else if ((request->bRequestType & USB_TYPE_MASK) == USB_TYPE_STANDARD) {
        switch (request->bRequest) {
        case USB_REQ_GET_DESCRIPTOR:
            if (le16toh(request->wValue) >> 8 == USB_DT_STRING)
                length = answerString(le16toh(request->wValue) & 0xff, data);
            break;
        case USB_REQ_SET_CONFIGURATION:
            if (request->wValue) startStreaming();
            // fall through
        case USB_REQ_SET_INTERFACE:
            if (read(control, data, 0) < 0) perror("acknowledging");
            return;
        case USB_REQ_GET_INTERFACE:
            data[0] = 0;
            length = 1;
            break;
        }
    }

    if (length >= 0) {
        if (write(control, data, (size_t)length < wanted ? (size_t)length : wanted) < 0) perror("answering");
    } else if ((toHost ? read(control, data, 0) : write(control, data, 0)) >= 0) {
        fprintf(stderr, "request %02x was not refused\n", request->bRequest);
    }
}

// MARK: Starting

// Runs this process whenever it can run. gadgetfs itself completes what the host sends, and refuses the host's next
// request if that comes before we have read the data. On a machine with one processor it then cannot come so early.
static void takePrecedence(void) {
    struct sched_param parameters = {.sched_priority = 50};
    if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) fail("real-time scheduling");
}

static struct frame readFrame(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    struct frame frame = {.length = status.st_size};
    if (frame.length + PAYLOAD_HEADER >= MAXIMUM_PAYLOAD) {
        fprintf(stderr, "%s: larger than a payload of %d bytes\n", path, MAXIMUM_PAYLOAD);
        exit(1);
    }
    frame.bytes = malloc(frame.length);
    if (!frame.bytes || read(file, frame.bytes, frame.length) != (ssize_t)frame.length) fail(path);
    close(file);
    return frame;
}

int main(int count, char **arguments) {
    if (count < 5 || sscanf(arguments[2], "%ux%u", &camera.width, &camera.height) != 2
        || sscanf(arguments[3], "%u", &camera.framesPerSecond) != 1 || camera.framesPerSecond == 0) {
        fprintf(stderr, "usage: uvc-webcam GADGETFS WIDTHxHEIGHT FPS FRAME.jpg...\n");
        return 64;
    }
    camera.frameCount = count - 4;
    camera.frames = calloc(camera.frameCount, sizeof *camera.frames);
    if (!camera.frames) fail("memory");
    for (size_t index = 0; index < camera.frameCount; index++)
        camera.frames[index] = readFrame(arguments[4 + index]);
    camera.probe = (struct uvc_streaming_control){
        .bFormatIndex = 1,
        .bFrameIndex = 1,
        .dwFrameInterval = htole32(frameInterval()),
        .dwMaxVideoFrameSize = htole32(camera.width * camera.height * 2),
        .dwMaxPayloadTransferSize = htole32(MAXIMUM_PAYLOAD),
    };

    char controlPath[256];
    snprintf(controlPath, sizeof controlPath, "%s/dummy_udc", arguments[1]);
    snprintf(camera.endpointPath, sizeof camera.endpointPath, "%s/ep1in-bulk", arguments[1]);
    int control = open(controlPath, O_RDWR);
    if (control < 0) fail(controlPath);
    takePrecedence();
    plugIn(control);

    for (;;) {
        struct usb_gadgetfs_event event;
        ssize_t length = read(control, &event, sizeof event);
        if (length < 0 && errno != EINTR) fail("the control endpoint");
        if (length == sizeof event && event.type == GADGETFS_SETUP) handle(control, &event.u.setup);
    }
}
