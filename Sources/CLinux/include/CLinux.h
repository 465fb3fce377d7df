// What Foundation's view of glibc does not show Swift: calls, and constants that are compound macros.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include "CLinuxVideo.h"
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

// epoll_event is packed on x86-64 and carries a union; these two keep that here.
static inline int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t clinux_epoll_token(const struct epoll_event *event) { return event->data.u64; }

static const uint32_t clinux_EPOLLIN = EPOLLIN;
static const uint32_t clinux_EPOLLOUT = EPOLLOUT;
static const uint32_t clinux_EPOLLERR = EPOLLERR;
static const uint32_t clinux_EPOLLHUP = EPOLLHUP;
static const uint32_t clinux_EPOLLRDHUP = EPOLLRDHUP;

// accept4 is hidden behind _GNU_SOURCE; the flags keep descriptors out of child processes and never block.
int clinux_accept(int listener);

// TCP_INFO's fields that tell a dead peer from a stalled one; 0 on success, else -1 with errno.
struct clinux_tcp_info {
    uint32_t unacknowledged_segments;
    uint32_t milliseconds_since_acknowledgement;
    uint32_t probes;
    uint32_t send_window;
};
int clinux_tcp_info(int descriptor, struct clinux_tcp_info *result);

#endif
