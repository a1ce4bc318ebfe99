// A host that does something wrong after a second. Arguments: what, and the path of its controller's socket.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    const char *deed = count > 1 ? words[1] : "";
    printf("begun\n");
    sleep(1);
    if (strcmp(deed, "crash") == 0) *(volatile int *)0 = 1;
    if (strcmp(deed, "spin") == 0) for (;;) {}
    if (strcmp(deed, "junk") == 0) {
        struct sockaddr_un path = {.sun_family = AF_UNIX};
        strncpy(path.sun_path, words[2], sizeof path.sun_path - 1);
        int controller = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(controller, (void *)&path, sizeof path) < 0) return perror("no controller"), 1;
        if (write(controller, "\7junk", 5) != 5) return 1;
        pause();
    }
    return 3;
}
