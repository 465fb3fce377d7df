#define _GNU_SOURCE
#include "CLinux.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_tcp_info(int descriptor, struct clinux_tcp_info *result) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
    result->unacknowledged_segments = info.tcpi_unacked;
    result->milliseconds_since_acknowledgement = info.tcpi_last_ack_recv;
    result->probes = info.tcpi_probes;
    result->send_window = UINT32_MAX;
    // The send window was added to the structure in Linux 5.4.
    if (length >= offsetof(struct tcp_info, tcpi_snd_wnd) + sizeof info.tcpi_snd_wnd) result->send_window = info.tcpi_snd_wnd;
    return 0;
}
