/* A Kalah agent to begin with: it plays on a server of the Kalah Game Protocol.
 *
 * Build and run:  cc -O2 -o agent agent.c && ./agent [HOST [PORT]]
 * A server that starts it itself sets KGP_HOST, KGP_PORT, TOKEN and NAME.
 * It answers within the time by deepening a minimax search: `value` is the place for ideas of your own. */
#define _POSIX_C_SOURCE 200809L
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_HOUSES = 64, MAX_LINE = 16384, MAX_DEPTH = 30 };
static const double THINK = 0.5; /* seconds for a move; the server allows 5 unless it says otherwise */

/* Seen from the player to move (0): houses and store of both players, in the order of sowing. */
typedef struct { int size, houses[2][MAX_HOUSES], store[2]; } Board;

static FILE *server; /* lines to it */
static double end; /* of the search */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Reads <houses,own store,other store,own houses...,other houses...>. */
static int parse(const char *text, Board *board) {
    int field = 0, value, length;
    memset(board, 0, sizeof *board);
    for (text += *text == '<'; sscanf(text, "%d%n", &value, &length) == 1; text += length + 1, field++) {
        if (field == 0) { if ((board->size = value) < 1 || value > MAX_HOUSES) return 0; }
        else if (field < 3) board->store[field - 1] = value;
        else if (field - 3 < 2 * board->size) board->houses[(field - 3) / board->size][(field - 3) % board->size] = value;
        if (text[length] != ',') break;
    }
    return field == 2 * board->size + 2;
}

static int seeds_of(const Board *board, int player) {
    int sum = 0;
    for (int i = 0; i < board->size; i++) sum += board->houses[player][i];
    return sum;
}

static int is_over(const Board *board) {
    int own = seeds_of(board, 0), other = seeds_of(board, 1), all = own + other + board->store[0] + board->store[1];
    return !own || !other || 2 * board->store[0] > all || 2 * board->store[1] > all;
}

/* Plays a move; returns whether the player moves again. If not, the board is turned: the other player is to move. */
static int play(Board *board, int house) {
    int size = board->size, seeds = board->houses[0][house], at = house;
    board->houses[0][house] = 0;
    while (seeds-- > 0) {
        at = (at + 1) % (2 * size + 1); /* the opponent's store is left out */
        if (at < size) board->houses[0][at]++;
        else if (at == size) board->store[0]++;
        else board->houses[1][at - size - 1]++;
    }
    if (at < size && board->houses[0][at] == 1 && board->houses[1][size - 1 - at] > 0) { /* a capture */
        board->store[0] += 1 + board->houses[1][size - 1 - at];
        board->houses[0][at] = board->houses[1][size - 1 - at] = 0;
    }
    if (at == size) return 1;
    Board turned = {size, {{0}}, {board->store[1], board->store[0]}};
    memcpy(turned.houses[0], board->houses[1], sizeof turned.houses[0]);
    memcpy(turned.houses[1], board->houses[0], sizeof turned.houses[1]);
    *board = turned;
    return 0;
}

static int value_of_move(const Board *board, int house, int depth);

/* The margin that the player to move can reach, looking `depth` moves ahead. */
static int value(const Board *board, int depth) {
    int best = -1000000, margin = board->store[0] - board->store[1];
    if (is_over(board)) return margin + seeds_of(board, 0) - seeds_of(board, 1);
    if (depth == 0 || now() > end) return margin;
    for (int house = 0; house < board->size; house++) {
        if (!board->houses[0][house]) continue;
        int worth = value_of_move(board, house, depth);
        if (worth > best) best = worth;
    }
    return best;
}

static int value_of_move(const Board *board, int house, int depth) {
    Board after = *board;
    return play(&after, house) ? value(&after, depth - 1) : -value(&after, depth - 1);
}

/* Sends better and better moves, counted from 1, and yields. */
static void search(long request, const Board *board) {
    end = now() + THINK;
    for (int depth = 1; depth <= MAX_DEPTH; depth++) {
        int best = -1, most = 0;
        for (int house = 0; house < board->size; house++) {
            if (!board->houses[0][house]) continue;
            int worth = value_of_move(board, house, depth);
            if (best < 0 || worth > most) best = house, most = worth;
        }
        if (depth > 1 && now() > end) break; /* this depth is not finished */
        if (best >= 0) fprintf(server, "@%ld move %d\r\n", request, best + 1);
    }
    fprintf(server, "@%ld yield\r\n", request);
}

static int connect_to(const char *host, const char *port) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    if (getaddrinfo(host, port, &hints, &list)) return -1;
    for (struct addrinfo *it = list; it; it = it->ai_next) {
        int fd = socket(it->ai_family, it->ai_socktype, it->ai_protocol);
        if (fd >= 0 && connect(fd, it->ai_addr, it->ai_addrlen) == 0) return fd;
    }
    return -1;
}

static const char *setting(const char *variable, const char *usual) {
    return getenv(variable) ? getenv(variable) : usual;
}

int main(int count, char **arguments) {
    static char line[MAX_LINE];
    int fd = connect_to(count > 1 ? arguments[1] : setting("KGP_HOST", "localhost"),
                    count > 2 ? arguments[2] : setting("KGP_PORT", "2671"));
    FILE *input = fd < 0 ? NULL : fdopen(fd, "r");
    server = fd < 0 ? NULL : fdopen(dup(fd), "w");
    if (!input || !server) return fprintf(stderr, "no server is there\n"), 1;
    setvbuf(server, NULL, _IOLBF, MAX_LINE);
    while (fgets(line, sizeof line, input)) {
        char *rest = line, command[32], text[MAX_LINE];
        long number = strtol(rest, &rest, 10); /* of the line, and of the one that it answers */
        if (*rest == '@') strtol(rest + 1, &rest, 10);
        Board board;
        if (sscanf(rest, " %31s", command) != 1) continue;
        if (!strcmp(command, "kgp")) {
            if (getenv("TOKEN")) fprintf(server, "set auth:token \"%s\"\r\n", getenv("TOKEN"));
            fprintf(server, "set info:name \"%s\"\r\nmode freeplay\r\n", setting("NAME", "C starter"));
        } else if (!strcmp(command, "ping")) {
            fprintf(server, "@%ld pong\r\n", number);
        } else if (!strcmp(command, "state") && sscanf(rest, " state %16000s", text) == 1 && parse(text, &board)) {
            search(number, &board);
        } else if (!strcmp(command, "error")) {
            fprintf(stderr, "server:%s", rest);
        } else if (!strcmp(command, "goodbye")) {
            break;
        }
    }
    return 0;
}
