/* What the parts of the agent share. The protocol is in docs/agent.md; the host's side is binder/kernel/framing.py.
 *
 * agent.c    the handshake, the threads, and who does which request
 * stream.c   frames in and out
 * driver.c   the binder device
 * files.c    other descriptors
 * memory.c   what is mapped from them
 * sockets.c  messages with descriptors
 */
#ifndef NPUKIT_AGENT_H
#define NPUKIT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum {
    PROTOCOL_VERSION = 3,
    LONGEST_FRAME = 8 << 20,  /* no honest frame is much longer than what the driver maps */
    LONGEST_CHUNK = 1 << 20,  /* of a file, at one time */
    REQUEST_HEADER = 9,
    ANSWER_HEADER = 5,
    MOST_THREADS = 256,
    MOST_PENDING = 32 << 20,  /* bytes of requests that wait for their threads */
};

enum outcome { OK, DEVICE_ERROR, OS_ERROR, NOT_UNDERSTOOD };

struct request {
    struct request *next;
    uint32_t thread, number, size;
    uint8_t operation;
    uint8_t payload[];
};

/* An answer under construction: numbers are copied into `small`, everything else is referred to. */
struct answer {
    enum outcome outcome;
    int error; /* errno, of one that is not OK */
    const char *what;
    size_t used;
    int count;
    struct iovec parts[16];
    void *owned; /* freed when the answer is out */
    uint8_t small[192];
};

/* Takes a payload apart from its start; `bad` once it was too short. */
struct cursor {
    uint8_t *at;
    size_t left;
    bool bad;
};

/* --- stream.c --- */

extern int from_host, to_host;

void take_streams(void);
size_t read_some(void *buffer, size_t size, int timeout_ms);
void read_exactly(void *buffer, size_t size, int timeout_ms);
struct request *read_request(void); /* NULL at the end */
void write_greeting(void);
void send_answer(uint32_t number, struct answer *answer);
void send_ready(struct answer *answer); /* the first answer, which belongs to no request */

/* Tells the host why, as an answer to nothing in particular, and ends the agent. */
_Noreturn void give_up(enum outcome outcome, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Threads of this process may wait in the driver; nothing but the end of the process reaches them. */
_Noreturn void end_well(void);

void add_number(struct answer *answer, uint64_t value, size_t bytes);
void add_bytes(struct answer *answer, const void *bytes, size_t size);
void refuse(struct answer *answer, enum outcome outcome, int error, const char *what);

struct cursor payload_of(struct request *request);
uint64_t take_number(struct cursor *cursor, size_t bytes);
uint8_t *take_bytes(struct cursor *cursor, size_t size);
bool taken_all(const struct cursor *cursor);

/* --- driver.c, files.c, memory.c, sockets.c: a false return says that the payload makes no sense --- */

typedef bool operation(struct request *request, struct answer *answer);

void open_device(const char *path);
int device_descriptor(void);
void leave_driver(void);
operation write_commands, write_read, set_max_threads, become_manager, exit_thread, extended_error, wake;

operation create_file, read_file, file_status, close_file, open_file, write_file, control_file, copy_file, seek_file,
    open_pipe;
operation read_memory, write_memory, map_file, unmap, protect, read_mapped, write_mapped;
operation connect_socket, exchange;

/* What those of files.c share: errno becomes the answer, memory that is freed with the answer, -1 for what is not the
 * host's, and whether a descriptor is ready in time. */
bool failed(struct answer *answer, const char *what);
uint8_t *allocate(struct answer *answer, size_t size);
int take_descriptor(struct cursor *cursor);
bool wait_for(int fd, short events, uint32_t timeout_ms);

#endif
