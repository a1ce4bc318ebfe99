// A firmware with a flash image: counts its starts in a file of the folder that it is given, before it reaches its
// controller. Arguments: a folder, unless FLASH names it, and the controller's unix socket.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    char path[4200];
    int starts = 0;
    if (count < 3) return 64;
    const char *folder = getenv("FLASH");
    snprintf(path, sizeof path, "%s/flash.bin", folder != NULL ? folder : words[1]);
    FILE *flash = fopen(path, "r+");
    if (flash == NULL) flash = fopen(path, "w+");
    if (flash == NULL) return perror(path), 1;
    if (fscanf(flash, "%d", &starts) == 1) rewind(flash);
    printf("start %d\n", ++starts);
    fprintf(flash, "%d\n", starts);
    fflush(flash);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, words[2], sizeof address.sun_path - 1);
    int controller = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(controller, (struct sockaddr *)&address, sizeof address) < 0) return perror("no controller"), 1;
    for (;;) pause();
}
