// A host that resets its controller and looks at it every so many microseconds, for ever.
// Arguments: the path of its controller's socket, and how many.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    if (count < 3) return 64;
    strncpy(path.sun_path, words[1], sizeof path.sun_path - 1);
    int controller = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(controller, (void *)&path, sizeof path) < 0) return perror("no controller"), 1;
    if (write(controller, "\1\3\14", 4) != 4) return 1;
    for (unsigned char event[64];; usleep(atoi(words[2]))) {
        struct pollfd ready = {.fd = controller, .events = POLLIN};
        while (poll(&ready, 1, 0) == 1)
            if (read(controller, event, sizeof event) <= 0) return 1;
    }
}
