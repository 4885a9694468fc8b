/* Descriptors other than the stream and the device: those that the host has opened, and those that parcels brought. */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* What a host may ask for when it opens a file; the machine's own numbers differ from target to target. */
static const struct {
    uint32_t asked;
    int means;
} FLAGS[] = {{4, O_CREAT},     {8, O_EXCL},  {16, O_TRUNC},  {32, O_APPEND},
             {64, O_NONBLOCK}, {128, O_PATH}, {256, O_TMPFILE}};

enum { READS = 1, WRITES = 2, ALL_FLAGS = 511 };

#define AT_ITS_POSITION UINT64_MAX

bool failed(struct answer *answer, const char *what) {
    refuse(answer, OS_ERROR, errno, what);
    return true;
}

/* The agent's own descriptors are nobody else's business: for a host they are not open. */
int take_descriptor(struct cursor *cursor) {
    int fd = (int)take_number(cursor, 4);
    return fd < 3 || fd == from_host || fd == to_host || fd == device_descriptor() ? -1 : fd;
}

uint8_t *allocate(struct answer *answer, size_t size) {
    uint8_t *memory = malloc(size ? size : 1);
    if (!memory)
        give_up(OS_ERROR, "no memory for %zu bytes", size);
    answer->owned = memory;
    return memory;
}

bool create_file(struct request *request, struct answer *answer) {
    /* by number, because a C library older than the call has no function for it */
    int fd = (int)syscall(SYS_memfd_create, "npukit", 1u /* MFD_CLOEXEC */);
    if (fd < 0)
        return failed(answer, "cannot make a file");
    for (size_t done = 0; done < request->size;) {
        ssize_t wrote = pwrite(fd, request->payload + done, request->size - done, (off_t)done);
        if (wrote < 0) {
            failed(answer, "cannot write to a new file");
            close(fd);
            return true;
        }
        done += (size_t)wrote;
    }
    add_number(answer, (uint64_t)fd, 4);
    return true;
}

bool open_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t asked = (uint32_t)take_number(&cursor, 4);
    uint32_t mode = (uint32_t)take_number(&cursor, 4);
    size_t length = cursor.left;
    if (cursor.bad || asked > ALL_FLAGS || !(asked & (READS | WRITES)) || memchr(cursor.at, 0, length))
        return false;
    char *path = (char *)allocate(answer, length + 1);
    memcpy(path, cursor.at, length);
    path[length] = 0;
    int flags = O_CLOEXEC | ((asked & 3) == 3 ? O_RDWR : asked & WRITES ? O_WRONLY : O_RDONLY);
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
        flags |= asked & FLAGS[i].asked ? FLAGS[i].means : 0;
    int fd = open(path, flags, mode);
    if (fd < 0)
        return failed(answer, "cannot open a file");
    add_number(answer, (uint64_t)fd, 4);
    return true;
}

bool file_status(struct request *request, struct answer *answer) {
    struct stat status;
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    if (!taken_all(&cursor))
        return false;
    if (fstat(fd, &status) < 0)
        return failed(answer, "cannot look at a descriptor");
    add_number(answer, status.st_mode, 4);
    add_number(answer, (uint64_t)status.st_size, 8);
    add_number(answer, status.st_dev, 8);
    add_number(answer, status.st_ino, 8);
    return true;
}

bool close_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    if (!taken_all(&cursor))
        return false;
    if (close(fd) < 0)
        return failed(answer, "cannot close a descriptor");
    return true;
}

/* Whether the descriptor is ready in time; only pipes, sockets and some devices ever are not. */
bool wait_for(int fd, short events, uint32_t timeout_ms) {
    struct pollfd waiting = {.fd = fd, .events = events};
    int ready;
    do
        ready = poll(&waiting, 1, timeout_ms > INT32_MAX ? INT32_MAX : (int)timeout_ms);
    while (ready < 0 && errno == EINTR);
    if (ready == 0)
        errno = ETIMEDOUT;
    return ready > 0;
}

bool read_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    uint32_t size = (uint32_t)take_number(&cursor, 4);
    uint32_t timeout_ms = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor) || size > LONGEST_CHUNK)
        return false;
    uint8_t *memory = allocate(answer, size);
    errno = EBADF;
    if (fd < 0 || !wait_for(fd, POLLIN, timeout_ms))
        return failed(answer, "cannot read");
    ssize_t got = offset == AT_ITS_POSITION ? read(fd, memory, size) : pread(fd, memory, size, (off_t)offset);
    if (got < 0)
        return failed(answer, "cannot read");
    add_bytes(answer, memory, (size_t)got);
    return true;
}

bool write_file(struct request *request, struct answer *answer) {
    struct stat status;
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    uint32_t timeout_ms = (uint32_t)take_number(&cursor, 4);
    if (cursor.bad)
        return false;
    size_t size = cursor.left;
    errno = EBADF;
    if (fd < 0 || fstat(fd, &status) < 0 || !wait_for(fd, POLLOUT, timeout_ms))
        return failed(answer, "cannot write");
    if (!S_ISREG(status.st_mode) && size > 4096)
        size = 4096; /* as much as a pipe that is ready takes without waiting */
    ssize_t wrote =
        offset == AT_ITS_POSITION ? write(fd, cursor.at, size) : pwrite(fd, cursor.at, size, (off_t)offset);
    if (wrote < 0)
        return failed(answer, "cannot write");
    add_number(answer, (uint64_t)wrote, 4);
    return true;
}

bool copy_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    if (!taken_all(&cursor))
        return false;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (copy < 0)
        return failed(answer, "cannot copy a descriptor");
    add_number(answer, (uint64_t)copy, 4);
    return true;
}

bool seek_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    uint32_t whence = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor))
        return false;
    off_t position = lseek(fd, (off_t)offset, (int)whence);
    if (position < 0)
        return failed(answer, "cannot seek");
    add_number(answer, (uint64_t)position, 8);
    return true;
}

bool open_pipe(struct request *request, struct answer *answer) {
    int ends[2];
    if (request->size)
        return false;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return failed(answer, "cannot make a pipe");
    add_number(answer, (uint64_t)ends[0], 4);
    add_number(answer, (uint64_t)ends[1], 4);
    return true;
}

/* An ioctl on the buffer behind the numbers, which comes back as it was left; without one, on the value. */
bool control_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint32_t number = (uint32_t)take_number(&cursor, 4);
    uint64_t value = take_number(&cursor, 8);
    if (cursor.bad)
        return false;
    /* What follows may be larger than what the host knows of: the size is part of the number. */
    size_t size = number >> 16 & 0x3fff;
    uint8_t *buffer = allocate(answer, size > cursor.left ? size : cursor.left);
    memset(buffer, 0, size);
    memcpy(buffer, cursor.at, cursor.left);
    int result = ioctl(fd, number, cursor.left ? (uintptr_t)buffer : (uintptr_t)value);
    if (result < 0)
        return failed(answer, "the ioctl fails");
    add_number(answer, (uint32_t)result, 4);
    add_bytes(answer, buffer, cursor.left);
    return true;
}
