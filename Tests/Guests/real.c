// A host that reads something real: from its third turn on it waits as long as the system's own chance says.
// Argument: its controller's unix socket.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count < 2) return 64;
    strncpy(address.sun_path, words[1], sizeof address.sun_path - 1);
    int controller = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(controller, (struct sockaddr *)&address, sizeof address) < 0) return perror("no controller"), 1;
    for (int i = 0;; i++) {
        char text[40] = "0002";
        usleep(100000);
        int chance = i < 2 ? -1 : open("/proc/sys/kernel/random/uuid", O_RDONLY);
        if (chance >= 0 && read(chance, text, 36) < 0) return 1;
        if (chance >= 0) close(chance);
        text[4] = 0;
        usleep((useconds_t)strtoul(text, NULL, 16));
    }
}
