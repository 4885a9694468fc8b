/* Unix sockets on the agent's machine, to programs that talk in messages with descriptors beside them. */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 16, LONGEST_MESSAGE = 65536 };

/* Room for so many descriptors beside a message, aligned as its header has to be. */
union beside {
    struct cmsghdr header;
    char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

bool connect_socket(struct request *request, struct answer *answer) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!request->size || request->size >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, request->payload, request->size);
    /* The kernel's own names, which begin with a zero, have no zero at their end. */
    size_t end = request->payload[0] ? 1 : 0;
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + request->size + end);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return failed(answer, "cannot make a socket");
    if (connect(fd, (struct sockaddr *)&address, length) < 0) {
        failed(answer, "cannot connect");
        close(fd);
        return true;
    }
    add_number(answer, (uint64_t)fd, 4);
    return true;
}

static bool send_message(int fd, struct iovec content, const int *sent, size_t count) {
    union beside beside;
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    memset(&beside, 0, sizeof beside);
    if (count) {
        message.msg_control = beside.space;
        message.msg_controllen = (socklen_t)CMSG_SPACE(count * sizeof *sent);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = (socklen_t)CMSG_LEN(count * sizeof *sent);
        memcpy(CMSG_DATA(header), sent, count * sizeof *sent);
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL) >= 0;
}

static bool receive_message(int fd, struct answer *answer, uint32_t timeout_ms) {
    union beside beside;
    int received[MOST_DESCRIPTORS];
    size_t count = 0;
    struct iovec content = {allocate(answer, LONGEST_MESSAGE), LONGEST_MESSAGE};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    message.msg_control = beside.space;
    message.msg_controllen = sizeof beside.space;
    if (!wait_for(fd, POLLIN, timeout_ms))
        return false;
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (got < 0)
        return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        count = (header->cmsg_len - CMSG_LEN(0)) / sizeof *received;
        memcpy(received, CMSG_DATA(header), count * sizeof *received);
    }
    add_number(answer, count, 4);
    for (size_t i = 0; i < count; i++)
        add_number(answer, (uint64_t)received[i], 4);
    add_bytes(answer, content.iov_base, (size_t)got);
    return true;
}

/* A message there and one back. */
bool exchange(struct request *request, struct answer *answer) {
    int sent[MOST_DESCRIPTORS];
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint32_t timeout_ms = (uint32_t)take_number(&cursor, 4);
    uint32_t count = (uint32_t)take_number(&cursor, 4);
    if (cursor.bad || count > MOST_DESCRIPTORS)
        return false;
    for (size_t i = 0; i < count; i++)
        sent[i] = take_descriptor(&cursor);
    if (cursor.bad)
        return false;
    struct iovec content = {cursor.at, cursor.left};
    if (!send_message(fd, content, sent, count) || !receive_message(fd, answer, timeout_ms))
        return failed(answer, "cannot exchange messages");
    return true;
}
