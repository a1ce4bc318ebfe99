// A host that resets its controller, advertises, and reads what comes until nobody is there any more. Argument: PATH.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    strncpy(path.sun_path, count > 1 ? words[1] : "", sizeof path.sun_path - 1);
    int controller = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(controller, (void *)&path, sizeof path) < 0) return perror("no controller"), 1;
    static const unsigned char commands[] = {
        1, 0x03, 0x0C, 0,            // HCI_Reset
        1, 0x0A, 0x20, 1, 1,         // HCI_LE_Set_Advertising_Enable
    };
    if (write(controller, commands, sizeof commands) != sizeof commands) return 1;
    char bytes[256];
    while (read(controller, bytes, sizeof bytes) > 0) continue;
    return 0;
}
