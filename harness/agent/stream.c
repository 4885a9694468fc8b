/* Frames from and to the host, and the numbers in them, all little-endian. */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LINGER_MS = 300, LINGER_ROUNDS = 8192 };

int from_host = -1, to_host = -1;

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

/* Moves the stream away from 0 and 1: nothing that prints, and no request about a descriptor, can reach it. */
void take_streams(void) {
    from_host = fcntl(0, F_DUPFD_CLOEXEC, 3);
    to_host = fcntl(1, F_DUPFD_CLOEXEC, 3);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (from_host < 0 || to_host < 0 || null < 0)
        _exit(2);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    if (null > 2)
        close(null);
}

/* At least one byte, or none at the end. A negative timeout waits for ever. */
size_t read_some(void *buffer, size_t size, int timeout_ms) {
    for (;;) {
        struct pollfd waiting = {.fd = from_host, .events = POLLIN};
        int ready = timeout_ms < 0 ? 1 : poll(&waiting, 1, timeout_ms);
        if (ready == 0)
            give_up(NOT_UNDERSTOOD, "the host has said nothing for %d s", timeout_ms / 1000);
        ssize_t got = ready < 0 ? -1 : read(from_host, buffer, size);
        if (got >= 0)
            return (size_t)got;
        if (errno != EINTR)
            return 0; /* a peer that left without reading all ends the stream as well */
    }
}

void read_exactly(void *buffer, size_t size, int timeout_ms) {
    for (size_t done = 0; done < size;) {
        size_t got = read_some((uint8_t *)buffer + done, size - done, timeout_ms);
        if (!got)
            give_up(NOT_UNDERSTOOD, "the stream ended after %zu of %zu bytes", done, size);
        done += got;
    }
}

struct request *read_request(void) {
    uint8_t head[4];
    size_t got = read_some(head, sizeof head, -1);
    if (!got)
        return NULL;
    read_exactly(head + got, sizeof head - got, -1);
    struct cursor cursor = {head, sizeof head, false};
    uint32_t length = (uint32_t)take_number(&cursor, 4);
    if (length < REQUEST_HEADER || length > LONGEST_FRAME)
        give_up(NOT_UNDERSTOOD, "a frame cannot have %u bytes", length);
    uint8_t header[REQUEST_HEADER];
    read_exactly(header, sizeof header, -1);
    cursor = (struct cursor){header, sizeof header, false};
    uint32_t size = length - REQUEST_HEADER;
    struct request *request = malloc(sizeof *request + size);
    if (!request)
        give_up(OS_ERROR, "no memory for a frame of %u bytes", length);
    request->next = NULL;
    request->thread = (uint32_t)take_number(&cursor, 4);
    request->number = (uint32_t)take_number(&cursor, 4);
    request->operation = (uint8_t)take_number(&cursor, 1);
    request->size = size;
    read_exactly(request->payload, size, -1);
    return request;
}

/* With `writing` held. A host that has gone needs no agent. */
static void write_all(struct iovec *parts, int count) {
    while (count) {
        ssize_t done = writev(to_host, parts, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            _exit(0);
        while (count && (size_t)done >= parts->iov_len) {
            done -= (ssize_t)parts->iov_len;
            parts++, count--;
        }
        if (count) {
            parts->iov_base = (uint8_t *)parts->iov_base + done;
            parts->iov_len -= (size_t)done;
        }
    }
}

void write_greeting(void) {
    static char magic[] = "NPUB";
    uint8_t version[2] = {PROTOCOL_VERSION & 0xff, PROTOCOL_VERSION >> 8};
    struct iovec parts[] = {{magic, 4}, {version, 2}};
    pthread_mutex_lock(&writing);
    write_all(parts, 2);
    pthread_mutex_unlock(&writing);
}

static void put_number(uint8_t *to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void write_frame(uint32_t number, enum outcome outcome, const struct iovec *content, int count) {
    struct iovec parts[24];
    uint8_t head[4 + ANSWER_HEADER];
    size_t length = ANSWER_HEADER;
    parts[0] = (struct iovec){head, sizeof head};
    for (int i = 0; i < count; i++) {
        parts[i + 1] = content[i];
        length += content[i].iov_len;
    }
    put_number(head, length, 4);
    put_number(head + 4, number, 4);
    head[8] = (uint8_t)outcome;
    pthread_mutex_lock(&writing);
    write_all(parts, count + 1);
    pthread_mutex_unlock(&writing);
}

static void write_error(uint32_t number, enum outcome outcome, int error, char *text) {
    uint8_t code[4];
    put_number(code, (uint64_t)error, sizeof code);
    struct iovec content[] = {{code, sizeof code}, {text, strlen(text)}};
    write_frame(number, outcome, content, 2);
}

void send_answer(uint32_t number, struct answer *answer) {
    if (answer->outcome != OK) {
        char text[256];
        const char *reason = answer->error ? strerror(answer->error) : "";
        snprintf(text, sizeof text, "%s%s%s", answer->what, *reason ? ": " : "", reason);
        write_error(number, answer->outcome, answer->error, text);
    } else if (number) {
        write_frame(number, OK, answer->parts, answer->count);
    }
    free(answer->owned);
}

void send_ready(struct answer *answer) { write_frame(0, OK, answer->parts, answer->count); }

/* Ends what the host hears, and takes what it still says: were it lost half-way, so might be what it was told. */
static void linger(void) {
    static uint8_t unheard[4096];
    if (shutdown(to_host, SHUT_WR) < 0)
        close(to_host);
    for (int rounds = 0; rounds < LINGER_ROUNDS; rounds++) {
        struct pollfd waiting = {.fd = from_host, .events = POLLIN};
        if (poll(&waiting, 1, LINGER_MS) <= 0 || read(from_host, unheard, sizeof unheard) <= 0)
            return;
    }
}

void give_up(enum outcome outcome, const char *format, ...) {
    int error = outcome == NOT_UNDERSTOOD ? 0 : errno;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_error(0, outcome, error, text);
    pthread_mutex_lock(&writing); /* for good: nothing comes after this */
    linger();
    _exit(1);
}

void end_well(void) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    /* Somebody may be giving up, and ends the agent in its way; but nobody has to be waited for long. */
    pthread_mutex_timedlock(&writing, &soon);
    _exit(0);
}

/* --- answers and payloads --- */

void add_bytes(struct answer *answer, const void *bytes, size_t size) {
    struct iovec *last = answer->count ? &answer->parts[answer->count - 1] : NULL;
    if (last && (uint8_t *)last->iov_base + last->iov_len == bytes)
        last->iov_len += size;
    else if (size)
        answer->parts[answer->count++] = (struct iovec){(void *)bytes, size};
}

void add_number(struct answer *answer, uint64_t value, size_t bytes) {
    uint8_t *at = answer->small + answer->used;
    put_number(at, value, bytes);
    answer->used += bytes;
    add_bytes(answer, at, bytes);
}

void refuse(struct answer *answer, enum outcome outcome, int error, const char *what) {
    answer->outcome = outcome;
    answer->error = error;
    answer->what = what;
}

struct cursor payload_of(struct request *request) {
    return (struct cursor){request->payload, request->size, false};
}

uint8_t *take_bytes(struct cursor *cursor, size_t size) {
    static uint8_t nothing[8];
    if (size > cursor->left) {
        cursor->bad = true;
        cursor->left = 0;
        return nothing;
    }
    uint8_t *taken = cursor->at;
    cursor->at += size;
    cursor->left -= size;
    return taken;
}

uint64_t take_number(struct cursor *cursor, size_t bytes) {
    const uint8_t *from = take_bytes(cursor, bytes);
    uint64_t value = 0;
    for (size_t i = bytes; i--;)
        value = value << 8 | from[i];
    return value;
}

bool taken_all(const struct cursor *cursor) { return !cursor->bad && !cursor->left; }
