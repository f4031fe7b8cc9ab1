// An HTTP receiver that reads each request and answers 200, with as little work as that takes. Prints its port, and serves until it is
// killed.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

// Returns the number of bytes of the head with the empty line, 0 if it is not complete, and the body's length.
static size_t head(const char *bytes, size_t count, size_t *length) {
    const char *end = memmem(bytes, count, "\r\n\r\n", 4);
    if (end == NULL) return 0;
    *length = 0;
    for (const char *line = bytes; line < end;) {
        const char *next = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
        if (strncasecmp(line, "content-length:", 15) == 0) *length = strtoul(line + 15, NULL, 10);
        line = next + 2;
    }
    return (size_t)(end + 4 - bytes);
}

static void *serve(void *context) {
    int connection = (int)(intptr_t)context;
    static const size_t capacity = 256 << 10;
    char *buffer = malloc(capacity);
    size_t count = 0;
    while (buffer != NULL) {
        size_t length;
        size_t start = head(buffer, count, &length);
        if (start == 0) {
            ssize_t more = count < capacity ? read(connection, buffer + count, capacity - count) : 0;
            if (more <= 0) break;
            count += (size_t)more;
            continue;
        }
        size_t have = count - start < length ? count - start : length;
        memmove(buffer, buffer + start + have, count - start - have);
        count -= start + have;
        for (size_t left = length - have; left > 0;) {
            ssize_t more = read(connection, buffer, left < capacity ? left : capacity);
            if (more <= 0) goto end;
            left -= (size_t)more;
        }
        if (write(connection, answer, sizeof answer - 1) != sizeof answer - 1) break;
    }
end:
    free(buffer);
    close(connection);
    return NULL;
}

int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 64) != 0
        || getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        perror("acknowledge");
        return 1;
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (1) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) continue;
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)connection) == 0) {
            pthread_detach(thread);
        } else {
            close(connection);
        }
    }
}
