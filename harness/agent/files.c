/* Descriptors other than the stream and the device: those that the host has opened, and those that parcels brought. */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* What a host may ask for when it opens a file; the machine's own numbers differ from target to target. */
static const struct {
    uint32_t asked;
    int means;
} FLAGS[] = {{4, O_CREAT}, {8, O_EXCL}, {16, O_TRUNC}, {32, O_APPEND}, {64, O_NONBLOCK}};

enum { READS = 1, WRITES = 2, ALL_FLAGS = 127 };

#define AT_ITS_POSITION UINT64_MAX

static bool failed(struct answer *answer, const char *what) {
    refuse(answer, OS_ERROR, errno, what);
    return true;
}

/* The agent's own descriptors are nobody else's business: for a host they are not open. */
static int take_descriptor(struct cursor *cursor) {
    int fd = (int)take_number(cursor, 4);
    return fd < 3 || fd == from_host || fd == to_host || fd == device_descriptor() ? -1 : fd;
}

static uint8_t *allocate(struct answer *answer, size_t size) {
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
static bool wait_for(int fd, short events, uint32_t timeout_ms) {
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

/* --- mapped memory: what is not there raises SIGBUS --- */

static _Thread_local sigjmp_buf not_there;
static _Thread_local volatile sig_atomic_t copying;

static void on_bus_error(int number) {
    if (copying)
        siglongjmp(not_there, 1);
    signal(number, SIG_DFL);
    raise(number);
}

static bool copy(void *to, const void *from, size_t size) {
    struct sigaction handler = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
    sigaction(SIGBUS, &handler, NULL);
    bool there = sigsetjmp(not_there, 1) == 0;
    if (there) {
        copying = 1;
        memcpy(to, from, size);
    }
    copying = 0;
    return there;
}

/* Copies between `memory` and what is mapped from the descriptor at an offset. Sets errno if it returns false. */
static bool copy_mapped(int fd, uint64_t offset, uint8_t *memory, size_t size, bool writes) {
    size_t before = (size_t)(offset % (uint64_t)sysconf(_SC_PAGESIZE));
    int protection = writes ? PROT_READ | PROT_WRITE : PROT_READ;
    uint8_t *mapped = mmap(NULL, size + before, protection, MAP_SHARED, fd, (off_t)(offset - before));
    if (mapped == MAP_FAILED)
        return false;
    bool there = writes ? copy(mapped + before, memory, size) : copy(memory, mapped + before, size);
    munmap(mapped, size + before);
    errno = EFAULT;
    return there;
}

bool read_memory(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    uint32_t size = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor) || size > LONGEST_CHUNK || offset > INT64_MAX)
        return false;
    uint8_t *memory = allocate(answer, size);
    if (size && !copy_mapped(fd, offset, memory, size, false))
        return failed(answer, "cannot read mapped memory");
    add_bytes(answer, memory, size);
    return true;
}

bool write_memory(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    if (cursor.bad || offset > INT64_MAX)
        return false;
    if (cursor.left && !copy_mapped(fd, offset, cursor.at, cursor.left, true))
        return failed(answer, "cannot write mapped memory");
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
