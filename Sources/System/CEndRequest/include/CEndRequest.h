#ifndef ANECHOIC_CENDREQUEST_H
#define ANECHOIC_CENDREQUEST_H

// What a signal handler does has to be C: it may touch a few flags and call a few functions only.

/// From now on SIGINT, SIGTERM and SIGHUP (unless that is ignored, as by nohup) end this program at once,
/// with status 130. Returns 0, or a negative errno.
int cendrequest_listen(void);

/// From now on such a signal is noted instead; another one that comes more than a second after the first
/// ends the program at once.
void cendrequest_begin_noting(void);

/// Notes a request by itself after so many seconds (more than none), unless one was noted before. For a process that
/// listens; its children have a time of their own. Returns 0, or a negative errno.
int cendrequest_limit(double seconds);

/// Whether what was noted was the end of that time.
int cendrequest_time_is_up(void);

/// Whether one was noted.
int cendrequest_is_noted(void);

/// A descriptor that is readable once one was noted; -1 where nobody listens.
int cendrequest_descriptor(void);

#endif
