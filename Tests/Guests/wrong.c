// A host that does something wrong after a second. Arguments: what, and the path of its controller's socket.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// What handlers of crashes do: say so, and die of the same signal.
static void say_and_die(int number) {
    printf("a handler has %d\n", number);
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
}

// Sends this process a signal, by its name or with a handler of its own.
static void send_signal(const char *deed) {
    if (strcmp(deed, "kill") == 0) kill(getpid(), SIGSEGV);
    if (strcmp(deed, "raise") == 0) raise(SIGSEGV);
    if (strcmp(deed, "thread") == 0) pthread_kill(pthread_self(), SIGSEGV);
    if (strcmp(deed, "sys") == 0) raise(SIGSYS);
    if (strcmp(deed, "handler") == 0) signal(SIGSEGV, say_and_die), raise(SIGSEGV);
    if (strcmp(deed, "once") == 0) {
        sigaction(SIGSEGV, &(struct sigaction){.sa_handler = say_and_die, .sa_flags = SA_RESETHAND}, NULL);
        raise(SIGSEGV);
    }
    if (strcmp(deed, "ignored") == 0) signal(SIGSEGV, SIG_IGN), raise(SIGSEGV);
}

int main(int count, char **words) {
    const char *deed = count > 1 ? words[1] : "";
    printf("begun\n");
    sleep(1);
    send_signal(deed);
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
