/* Does the binder protocol, and what belongs to descriptors, for a host at the other end of standard input and output.
 *
 * To the driver, and to every other process, it is this process that calls and is called, with its uid and pid,
 * and that dies. It ends with the stream. See docs/agent.md.
 */
#define _GNU_SOURCE
#include "agent.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANDSHAKE_MS = 60000, LONGEST_PATH = 4096, EXIT_THREAD = 5, CLOSE = 8, KILL = 9 };

static const uint32_t SAME_UID = 0xffffffff;

static bool kill_agent(struct request *request, struct answer *answer) {
    (void)request, (void)answer;
    raise(SIGKILL);
    return true;
}

/* By number. Those that can wait for something are only done by a thread of their own. */
static const struct {
    operation *run;
    bool waits;
} OPERATIONS[] = {
    [1] = {write_commands, false},
    [2] = {write_read, true},
    [3] = {set_max_threads, false},
    [4] = {become_manager, false},
    [EXIT_THREAD] = {exit_thread, true},
    [6] = {extended_error, true},
    [7] = {wake, false},
    [KILL] = {kill_agent, false},
    [10] = {create_file, false},
    [11] = {read_file, true},
    [12] = {file_status, false},
    [13] = {close_file, false},
    [14] = {open_file, true},
    [15] = {write_file, true},
    [16] = {read_memory, true},
    [17] = {write_memory, true},
    [18] = {control_file, true},
    [19] = {copy_file, false},
    [20] = {seek_file, true},
    [21] = {open_pipe, false},
    [22] = {connect_socket, true},
    [23] = {exchange, true},
    [24] = {map_file, true},
    [25] = {unmap, true},
    [26] = {protect, true},
    [27] = {read_mapped, true},
    [28] = {write_mapped, true},
};

/* Carries out what one thread of the host's asks for, in order: the driver's state is by thread. */
struct worker {
    struct worker *next;
    struct request *first, **last;
    pthread_cond_t arrived;
    uint32_t number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for all that follows */
static struct worker *workers;
static size_t worker_count, pending;

static void carry_out(struct request *request) {
    struct answer answer = {.outcome = OK};
    if (!OPERATIONS[request->operation].run(request, &answer))
        give_up(NOT_UNDERSTOOD, "request %u, of operation %u: a payload of %u bytes makes no sense", request->number,
                request->operation, request->size);
    send_answer(request->number, &answer);
}

static void check(const struct request *request) {
    size_t known = sizeof OPERATIONS / sizeof *OPERATIONS;
    if (request->operation >= known || !OPERATIONS[request->operation].run)
        give_up(NOT_UNDERSTOOD, "request %u: there is no operation %u", request->number, request->operation);
    if (OPERATIONS[request->operation].waits && !request->thread)
        give_up(NOT_UNDERSTOOD, "request %u: operation %u needs a thread", request->number, request->operation);
}

/* With `lock` held: a thread that has left is forgotten, unless it has been asked for more since. */
static bool leaves(struct worker *worker, const struct request *done) {
    if (done->operation != EXIT_THREAD || worker->first)
        return false;
    struct worker **at = &workers;
    while (*at != worker)
        at = &(*at)->next;
    *at = worker->next;
    worker_count--;
    return true;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    bool left = false;
    pthread_mutex_lock(&lock);
    while (!left) {
        while (!worker->first)
            pthread_cond_wait(&worker->arrived, &lock);
        struct request *request = worker->first;
        worker->first = request->next;
        if (!worker->first)
            worker->last = &worker->first;
        pthread_mutex_unlock(&lock);
        carry_out(request);
        pthread_mutex_lock(&lock);
        pending -= request->size;
        left = leaves(worker, request);
        free(request);
    }
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&worker->arrived);
    free(worker);
    return NULL;
}

/* With `lock` held. */
static struct worker *hire(uint32_t number) {
    pthread_attr_t attributes;
    pthread_t thread;
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker_count == MOST_THREADS || !worker)
        give_up(NOT_UNDERSTOOD, "more than %d threads", MOST_THREADS);
    worker->number = number;
    worker->last = &worker->first;
    pthread_cond_init(&worker->arrived, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int error = pthread_create(&thread, &attributes, work, worker);
    pthread_attr_destroy(&attributes);
    if (error) {
        errno = error;
        give_up(OS_ERROR, "no thread can be started: %s", strerror(error));
    }
    worker->next = workers;
    workers = worker;
    worker_count++;
    return worker;
}

static void pass_on(struct request *request) {
    pthread_mutex_lock(&lock);
    struct worker *worker = workers;
    while (worker && worker->number != request->thread)
        worker = worker->next;
    if (!worker && request->operation == EXIT_THREAD && !request->number) {
        free(request); /* there is nothing to forget */
    } else {
        pending += request->size;
        if (pending > MOST_PENDING)
            give_up(NOT_UNDERSTOOD, "more than %d bytes of requests wait", MOST_PENDING);
        if (!worker)
            worker = hire(request->thread);
        *worker->last = request;
        worker->last = &request->next;
        pthread_cond_signal(&worker->arrived);
    }
    pthread_mutex_unlock(&lock);
}

/* --- the handshake --- */

/* Gives up what this process is and takes on a uid, for good. */
static void become(uint32_t uid) {
    if (uid == geteuid())
        return;
    if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
        give_up(OS_ERROR, "cannot run as uid %u: %s", uid, strerror(errno));
}

static void check_greeting(void) {
    uint8_t said[6];
    read_exactly(said, 4, HANDSHAKE_MS);
    if (memcmp(said, "NPUB", 4) != 0)
        give_up(NOT_UNDERSTOOD, "the host does not speak as one does: it begins with %02x %02x %02x %02x", said[0],
                said[1], said[2], said[3]);
    read_exactly(said + 4, 2, HANDSHAKE_MS);
    if ((said[4] | said[5] << 8) != PROTOCOL_VERSION)
        give_up(NOT_UNDERSTOOD, "the host speaks version %d, not %d: it needs the agent of its own version",
                said[4] | said[5] << 8, PROTOCOL_VERSION);
}

static void shake_hands(void) {
    uint8_t wish[6];
    char path[LONGEST_PATH + 1];
    write_greeting();
    check_greeting();
    read_exactly(wish, sizeof wish, HANDSHAKE_MS);
    struct cursor cursor = {wish, sizeof wish, false};
    uint32_t uid = (uint32_t)take_number(&cursor, 4);
    size_t length = (size_t)take_number(&cursor, 2);
    if (length > LONGEST_PATH)
        give_up(NOT_UNDERSTOOD, "a path cannot have %zu bytes", length);
    read_exactly(path, length, HANDSHAKE_MS);
    path[length] = 0;
    if (uid != SAME_UID)
        become(uid);
    if (length)
        open_device(path);
    struct answer ready = {.outcome = OK};
    add_number(&ready, (uint64_t)getpid(), 4);
    add_number(&ready, geteuid(), 4);
    send_ready(&ready);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN); /* the write says it too */
    signal(SIGHUP, SIG_DFL);
    take_streams();
    shake_hands();
    struct request *request;
    while ((request = read_request()) && request->operation != CLOSE) {
        check(request);
        if (request->thread) {
            pass_on(request);
        } else {
            carry_out(request);
            free(request);
        }
    }
    end_well();
}
