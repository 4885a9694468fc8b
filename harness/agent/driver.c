/* The binder device: its ioctls, and the memory in which the driver places what arrives.
 *
 * The definitions are those of protocol version 8, whose pointers have 64 bits on every machine; the headers of
 * a 32-bit target would have others.
 */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

struct write_read {
    uint64_t write_size, write_consumed, write_buffer;
    uint64_t read_size, read_consumed, read_buffer;
};

/* struct flat_binder_object */
struct manager {
    uint32_t type, flags;
    uint64_t binder, cookie;
};

struct extended_error {
    uint32_t id, command;
    int32_t param;
};

#define BINDER_WRITE_READ _IOWR('b', 1, struct write_read)
#define BINDER_SET_MAX_THREADS _IOW('b', 5, uint32_t)
#define BINDER_SET_CONTEXT_MGR _IOW('b', 7, int32_t)
#define BINDER_THREAD_EXIT _IOW('b', 8, int32_t)
#define BINDER_VERSION _IOWR('b', 9, int32_t)
#define BINDER_SET_CONTEXT_MGR_EXT _IOW('b', 13, struct manager)
#define BINDER_ENABLE_ONEWAY_SPAM_DETECTION _IOW('b', 16, uint32_t)
#define BINDER_GET_EXTENDED_ERROR _IOWR('b', 17, struct extended_error)

_Static_assert(BINDER_WRITE_READ == 0xc0306201 && BINDER_SET_CONTEXT_MGR_EXT == 0x4018620d,
               "structures of the driver's sizes");

enum {
    DRIVER_VERSION = 8,
    ACCEPTS_FDS = 0x100,
    READ_SIZE = 512,
    MAPPED = 1 << 20,
    TRANSACTION_SIZE = 64, /* struct binder_transaction_data, of which follow only these */
    SIZES_AT = 32,
    ADDRESSES_AT = 48,
};

/* What the driver says of a transaction or a reply, with or without a security context. */
static const uint32_t BR_TRANSACTION_SEC_CTX = 0x80487202, BR_TRANSACTION = 0x80407202, BR_REPLY = 0x80407203;

static int device = -1;
static uint8_t *mapping;
static size_t mapping_size;

int device_descriptor(void) { return device; }

static const char *hint(int error) {
    if (error == ENOENT)
        return "; load the kernel's binder_linux module, or name another device";
    return error == EACCES ? "; run as a user who may use it" : "";
}

void open_device(const char *path) {
    int32_t version = 0;
    device = open(path, O_RDWR | O_CLOEXEC);
    if (device < 0)
        give_up(DEVICE_ERROR, "%s cannot be opened: %s%s", path, strerror(errno), hint(errno));
    if (ioctl(device, BINDER_VERSION, &version) < 0)
        give_up(DEVICE_ERROR, "%s is no binder device: %s", path, strerror(errno));
    if (version != DRIVER_VERSION)
        give_up(DEVICE_ERROR, "%s speaks version %d of the protocol, not %d", path, version, DRIVER_VERSION);
    mapping_size = MAPPED - 2 * (size_t)sysconf(_SC_PAGESIZE); /* as libbinder maps */
    void *mapped = mmap(NULL, mapping_size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, device, 0);
    if (mapped == MAP_FAILED)
        give_up(DEVICE_ERROR, "%s cannot be mapped: %s", path, strerror(errno));
    mapping = mapped;
    uint32_t on = 1;
    ioctl(device, BINDER_ENABLE_ONEWAY_SPAM_DETECTION, &on); /* so that a flood of oneway calls is told */
}

static int talk(struct write_read *exchange) {
    int done;
    do /* the driver has noted how far it got, and goes on from there */
        done = ioctl(device, BINDER_WRITE_READ, exchange);
    while (done < 0 && errno == EINTR);
    return done;
}

/* Commands, with the address of each blob put where the driver will look for it. */
static bool take_commands(struct cursor *cursor, struct write_read *exchange) {
    uint32_t length = (uint32_t)take_number(cursor, 4);
    uint8_t *stream = take_bytes(cursor, length);
    uint32_t blobs = (uint32_t)take_number(cursor, 2);
    while (blobs-- && !cursor->bad) {
        uint32_t position = (uint32_t)take_number(cursor, 4);
        uint8_t *blob = take_bytes(cursor, (uint32_t)take_number(cursor, 4));
        if (cursor->bad || length < 8 || position > length - 8)
            return false;
        uint64_t address = (uintptr_t)blob;
        memcpy(stream + position, &address, sizeof address);
    }
    *exchange = (struct write_read){.write_size = length, .write_buffer = (uintptr_t)stream};
    return taken_all(cursor);
}

static bool no_device(struct answer *answer) {
    if (device < 0)
        refuse(answer, DEVICE_ERROR, 0, "no binder device is open");
    return device < 0;
}

bool write_commands(struct request *request, struct answer *answer) {
    struct write_read exchange;
    struct cursor cursor = payload_of(request);
    if (!take_commands(&cursor, &exchange))
        return false;
    if (!no_device(answer) && talk(&exchange) < 0)
        refuse(answer, DEVICE_ERROR, errno, "the driver refuses a command");
    return true;
}

static void add_block(struct answer *answer, uint64_t address, uint64_t size) {
    add_number(answer, address, 8);
    add_number(answer, size, 4);
    add_bytes(answer, (const void *)(uintptr_t)address, (size_t)size);
}

static bool is_mapped(uint64_t address, uint64_t size) {
    uint64_t start = (uintptr_t)mapping;
    return address >= start && size <= mapping_size && address - start <= mapping_size - size;
}

struct block {
    uint64_t address, size;
};

/* What the returns refer to: the data and the offsets of the one transaction or reply that comes in one go. */
static int find_blocks(struct cursor returns, struct block blocks[2]) {
    int found = 0;
    while (returns.left && !returns.bad) {
        uint32_t kind = (uint32_t)take_number(&returns, 4);
        uint8_t *body = take_bytes(&returns, kind >> 16 & 0x3fff);
        if (kind != BR_TRANSACTION && kind != BR_TRANSACTION_SEC_CTX && kind != BR_REPLY)
            continue;
        struct cursor sizes = {body + SIZES_AT, 16, returns.bad};
        struct cursor addresses = {body + ADDRESSES_AT, 16, returns.bad};
        for (int i = 0; i < 2 && !returns.bad && found < 2; i++) {
            struct block block = {.size = take_number(&sizes, 8), .address = take_number(&addresses, 8)};
            if (block.size && is_mapped(block.address, block.size))
                blocks[found++] = block;
        }
    }
    return found;
}

bool write_read(struct request *request, struct answer *answer) {
    struct write_read exchange;
    struct cursor cursor = payload_of(request);
    if (!take_commands(&cursor, &exchange))
        return false;
    if (no_device(answer))
        return true;
    uint8_t *returns = malloc(READ_SIZE);
    if (!returns)
        give_up(OS_ERROR, "no memory");
    answer->owned = returns;
    exchange.read_size = READ_SIZE;
    exchange.read_buffer = (uintptr_t)returns;
    if (talk(&exchange) < 0) {
        refuse(answer, DEVICE_ERROR, errno, "the driver refuses a command");
        return true;
    }
    struct block blocks[2];
    int count = find_blocks((struct cursor){returns, (size_t)exchange.read_consumed, false}, blocks);
    add_number(answer, exchange.write_consumed, 4);
    add_number(answer, exchange.read_consumed, 4);
    add_bytes(answer, returns, (size_t)exchange.read_consumed);
    add_number(answer, (uint64_t)count, 2);
    for (int i = 0; i < count; i++)
        add_block(answer, blocks[i].address, blocks[i].size);
    return true;
}

bool set_max_threads(struct request *request, struct answer *answer) {
    struct cursor cursor = payload_of(request);
    uint32_t most = (uint32_t)take_number(&cursor, 4);
    if (!taken_all(&cursor))
        return false;
    if (!no_device(answer) && ioctl(device, BINDER_SET_MAX_THREADS, &most) < 0)
        refuse(answer, DEVICE_ERROR, errno, "the driver refuses the number of threads");
    return true;
}

bool become_manager(struct request *request, struct answer *answer) {
    struct manager manager = {.flags = ACCEPTS_FDS};
    if (request->size)
        return false;
    if (no_device(answer))
        return true;
    int done = ioctl(device, BINDER_SET_CONTEXT_MGR_EXT, &manager);
    if (done < 0 && (errno == EINVAL || errno == ENOTTY))
        /* a kernel before 5.1, whose context managers take no descriptors */
        done = ioctl(device, BINDER_SET_CONTEXT_MGR, 0);
    if (done < 0)
        refuse(answer, DEVICE_ERROR, errno == EBUSY || errno == EPERM ? 0 : errno,
               errno == EBUSY   ? "cannot become the context manager: another process is the context manager"
               : errno == EPERM ? "cannot become the context manager: the device's first one ran as another user"
                                : "cannot become the context manager");
    return true;
}

/* Has the driver forget the calling thread and what it waited for. */
void leave_driver(void) {
    if (device >= 0)
        ioctl(device, BINDER_THREAD_EXIT, 0);
}

bool exit_thread(struct request *request, struct answer *answer) {
    (void)answer;
    leave_driver();
    return !request->size;
}

bool extended_error(struct request *request, struct answer *answer) {
    struct extended_error error = {0};
    if (request->size)
        return false;
    if (no_device(answer))
        return true;
    bool known = ioctl(device, BINDER_GET_EXTENDED_ERROR, &error) == 0;
    add_number(answer, known, 1);
    add_number(answer, error.command, 4);
    add_number(answer, (uint32_t)error.param, 4);
    return true;
}

/* The driver lets all of a process's threads return when any descriptor of the open file is closed. */
bool wake(struct request *request, struct answer *answer) {
    (void)answer;
    int copy = device < 0 ? -1 : fcntl(device, F_DUPFD_CLOEXEC, 3);
    if (copy >= 0)
        close(copy);
    return !request->size;
}
