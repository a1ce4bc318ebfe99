// A host: resets its controller over H4, 5 times, a tenth of a second apart, and says when the answers came.
// Arguments: unix PATH, tcp PORT or pty PATH; `listen` in front where the controller dials.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int reach(int listens, int tcp, const char *at) {
    struct sockaddr_in port = {
        .sin_family = AF_INET, .sin_port = htons(atoi(at)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    strncpy(path.sun_path, at, sizeof path.sun_path - 1);
    int found = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
    const struct sockaddr *address = tcp ? (void *)&port : (void *)&path;
    socklen_t size = tcp ? sizeof port : sizeof path;
    if (!listens) return connect(found, address, size) < 0 ? -1 : found;
    if (bind(found, address, size) < 0 || listen(found, 1) < 0) return -1;
    return accept(found, NULL, NULL);
}

int main(int count, char **words) {
    int listens = count > 1 && strcmp(words[1], "listen") == 0;
    words += listens;
    int is_terminal = strcmp(words[1], "pty") == 0;
    int controller = is_terminal ? open(words[2], O_RDWR) : reach(listens, strcmp(words[1], "tcp") == 0, words[2]);
    if (controller < 0) return perror("no controller"), 1;
    for (int i = 0; i < 5; i++) {
        unsigned char reset[] = {1, 3, 12, 0}, answer[7], chance;
        if (write(controller, reset, sizeof reset) != sizeof reset) return 1;
        struct pollfd ready = {.fd = controller, .events = POLLIN};
        if (poll(&ready, 1, 1000) != 1) return 1;
        for (size_t had = 0; had < sizeof answer;) {
            ssize_t part = read(controller, answer + had, sizeof answer - had);
            if (part <= 0) return 1;
            had += (size_t)part;
        }
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (getrandom(&chance, 1, 0) != 1) return 1;
        printf("%ld.%03ld event %02x of %02x%02x, chance %02x\n", (long)now.tv_sec - 900, now.tv_nsec / 1000000,
               answer[1], answer[5], answer[4], chance);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return 0;
}
