/* Mapped memory. Touching what is not there, or may not be touched, raises a signal, which becomes an error. */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/* What the host has mapped, and keeps so. It names mappings by number, so that no other memory is in its reach. */
struct mapping {
    struct mapping *next;
    uint8_t *start;
    size_t length;
    uint32_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for both, and for what is done with a mapping */
static struct mapping *mappings;
static uint32_t last_number;

static _Thread_local sigjmp_buf not_there;
static _Thread_local volatile sig_atomic_t copying;

static void on_fault(int number) {
    if (copying)
        siglongjmp(not_there, 1);
    signal(number, SIG_DFL);
    raise(number);
}

static bool copy(void *to, const void *from, size_t size) {
    struct sigaction handler = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    sigaction(SIGBUS, &handler, NULL);
    sigaction(SIGSEGV, &handler, NULL);
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

/* --- mappings that last --- */

bool map_file(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    int fd = take_descriptor(&cursor);
    uint64_t offset = take_number(&cursor, 8);
    uint64_t length = take_number(&cursor, 8);
    uint32_t protection = (uint32_t)take_number(&cursor, 4);
    uint32_t shared = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor) || offset > INT64_MAX || length > SIZE_MAX)
        return false;
    uint8_t *start = mmap(NULL, (size_t)length, (int)protection, shared ? MAP_SHARED : MAP_PRIVATE, fd, (off_t)offset);
    if (start == MAP_FAILED)
        return failed(answer, "cannot map a descriptor");
    struct mapping *mapping = malloc(sizeof *mapping);
    if (!mapping)
        give_up(OS_ERROR, "no memory for a mapping");
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    pthread_mutex_lock(&lock);
    *mapping = (struct mapping){mappings, start, ((size_t)length + page - 1) / page * page, ++last_number};
    mappings = mapping;
    add_number(answer, mapping->number, 4);
    pthread_mutex_unlock(&lock);
    return true;
}

/* With `lock` held. Sets errno if there is no such part of a mapping. */
static uint8_t *part_of(uint32_t number, uint64_t offset, uint64_t size) {
    for (struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (mapping->number == number && offset <= mapping->length && size <= mapping->length - offset)
            return mapping->start + offset;
    errno = EINVAL;
    return NULL;
}

/* With `lock` held. */
static bool end_mapping(uint32_t number) {
    struct mapping **at = &mappings;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct mapping *mapping = *at;
    errno = EINVAL;
    if (!mapping)
        return false;
    *at = mapping->next;
    munmap(mapping->start, mapping->length);
    free(mapping);
    return true;
}

/* Pages that go leave a place that nothing else can be mapped to: it is unmapped with the rest. */
static bool leave_hole(uint32_t number, uint64_t offset, uint64_t length) {
    uint8_t *at = part_of(number, offset, length);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return at && mmap(at, (size_t)length, PROT_NONE, flags, -1, 0) != MAP_FAILED;
}

bool unmap(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t number = (uint32_t)take_number(&cursor, 4);
    uint64_t offset = take_number(&cursor, 8);
    uint64_t length = take_number(&cursor, 8);
    if (!taken_all(&cursor))
        return false;
    pthread_mutex_lock(&lock);
    bool done = length ? leave_hole(number, offset, length) : end_mapping(number);
    if (!done)
        failed(answer, "cannot unmap");
    pthread_mutex_unlock(&lock);
    return true;
}

bool protect(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t number = (uint32_t)take_number(&cursor, 4);
    uint64_t offset = take_number(&cursor, 8);
    uint64_t length = take_number(&cursor, 8);
    uint32_t protection = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor))
        return false;
    pthread_mutex_lock(&lock);
    uint8_t *at = part_of(number, offset, length);
    if (!at || mprotect(at, (size_t)length, (int)protection) < 0)
        failed(answer, "cannot protect mapped memory");
    pthread_mutex_unlock(&lock);
    return true;
}

static void copy_part(struct answer *answer, uint32_t number, uint64_t offset, uint8_t *memory, size_t size, bool writes) {
    pthread_mutex_lock(&lock);
    uint8_t *at = part_of(number, offset, size);
    if (!at || !(writes ? copy(at, memory, size) : copy(memory, at, size))) {
        errno = at ? EFAULT : errno;
        failed(answer, writes ? "cannot write mapped memory" : "cannot read mapped memory");
    }
    pthread_mutex_unlock(&lock);
}

bool read_mapped(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t number = (uint32_t)take_number(&cursor, 4);
    uint64_t offset = take_number(&cursor, 8);
    uint32_t size = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor) || size > LONGEST_CHUNK)
        return false;
    uint8_t *memory = allocate(answer, size);
    copy_part(answer, number, offset, memory, size, false);
    add_bytes(answer, memory, size);
    return true;
}

bool write_mapped(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t number = (uint32_t)take_number(&cursor, 4);
    uint64_t offset = take_number(&cursor, 8);
    if (cursor.bad)
        return false;
    copy_part(answer, number, offset, cursor.at, cursor.left, true);
    return true;
}
