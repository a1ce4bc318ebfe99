#include <sqlite3.h>

/// Gives a parameter a text that SQLite copies: the constant that says so is a cast, which Swift does not import.
static inline int sqlite3_bind_copy_of_text(sqlite3_stmt *statement, int place, const char *text, int bytes) {
    return sqlite3_bind_text(statement, place, text, bytes, SQLITE_TRANSIENT);
}
