#define _GNU_SOURCE
#include "CDevice.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The app's variables, and what they were when the app had not yet run.
typedef struct {
    unsigned char *place;
    size_t size;
    unsigned char *before;
} variable;

static variable *variables;
static size_t count;

// The modules whose globals are no app's: the toolchain's and ours.
static const char *const others[] = {
    "ARKit", "AccessoryProtocol", "AppleCombine", "AppleDevice", "AppleExports", "AppleFoundation", "AppleInline",
    "AppleLog", "AppleOSLog", "AppleSimd", "AppleUIKit", "Basics", "Bluetooth", "BluetoothHost", "CoreBluetooth",
    "DeviceKit", "DeviceLink", "MultipeerConnectivity", "NearbyInteraction", "Traces",
    "Vocabulary", "WatchConnectivity",
    "Cxx", "CxxStdlib", "Differentiation", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Observation", "RegexBuilder",
    "Runtime", "Synchronization", "Testing",
};

// The identifier that begins here, by the digits of its length; NULL where none does.
static const char *identifier(const char *name, size_t *length) {
    char *first;
    if (*name < '1' || *name > '9') return NULL;
    *length = strtoul(name, &first, 10);
    return strlen(first) < *length ? NULL : first;
}

static int is_module_of_app(const char *module, size_t length) {
    if (module[0] == '_') return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == length && strncmp(module, others[i], length) == 0) return 0;
    return 1;
}

static int is_of_app(const char *name) {
    // $s, and the module; the standard library's have letters there.
    if (strncmp(name, "$s", 2) != 0) return 0;
    size_t length;
    const char *module = identifier(name + 2, &length);
    if (module != NULL && is_module_of_app(module, length)) return 1;
    // A type of others', which the app extends: its module, and E.
    for (const char *at = name + 2; *at != '\0';) {
        const char *found = identifier(at, &length);
        if (found == NULL) {
            at++;
            continue;
        }
        if (found[length] == 'E' && is_module_of_app(found, length)) return 1;
        at = found + length;
    }
    return 0;
}

// A variable (vp, vpZ), the mark that it has its value (Wz), or an object that is its value (WZTv_), of which the
// compiler numbers some: Swift's docs/ABI/Mangling.rst.
static int is_variable(const char *name) {
    const char *end = strchr(name, '.');
    size_t length = end != NULL ? (size_t)(end - name) : strlen(name);
    if (length < 3) return 0;
    const char *last = name + length;
    if (strncmp(last - 2, "vp", 2) == 0 || strncmp(last - 3, "vpZ", 3) == 0 || strncmp(last - 2, "Wz", 2) == 0)
        return 1;
    const char *object = strstr(name, "_WZTv");
    return object != NULL && object < last && last[-1] == '_';
}

// The size of a symbol includes what an address sanitizer keeps behind it, and lets nobody touch.
#define UNCHECKED __attribute__((no_sanitize("address")))

UNCHECKED static void copy(unsigned char *to, const unsigned char *from, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = from[i];
}

UNCHECKED static int differ(const unsigned char *one, const unsigned char *other, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (one[i] != other[i]) return 1;
    return 0;
}

// What has no bytes in the file, and is not zero all the same, had its value before the app ran: another one may have
// let go of what that refers to, so it can never be put back.
UNCHECKED static int had_its_value(const unsigned char *place, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (place[i] != 0) return 1;
    return 0;
}

static void note(ElfW(Addr) place, size_t size) {
    variable *more = realloc(variables, (count + 1) * sizeof *more);
    if (more == NULL) return;
    variables = more;
    variable noted = {(unsigned char *)place, size, malloc(size)};
    if (noted.before == NULL) return;
    copy(noted.before, noted.place, size);
    variables[count++] = noted;
}

static void note_all(ElfW(Addr) base, const unsigned char *image, size_t size) {
    const ElfW(Ehdr) *header = (const void *)image;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const ElfW(Shdr) *sections = (const void *)(image + header->e_shoff);
    if (header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof *sections) return;
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const ElfW(Sym) *symbols = (const void *)(image + sections[i].sh_offset);
        const char *names = (const char *)(image + sections[sections[i].sh_link].sh_offset);
        for (size_t j = 0; j < sections[i].sh_size / sizeof *symbols; j++) {
            const ElfW(Sym) *symbol = &symbols[j];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_shndx >= header->e_shnum ||
                !(sections[symbol->st_shndx].sh_flags & SHF_WRITE))
                continue;
            const char *name = names + symbol->st_name;
            if (!is_variable(name) || !is_of_app(name)) continue;
            ElfW(Addr) place = base + symbol->st_value;
            int is_in_file = sections[symbol->st_shndx].sh_type != SHT_NOBITS;
            if (is_in_file || !had_its_value((const unsigned char *)place, symbol->st_size))
                note(place, symbol->st_size);
        }
    }
}

// Finds the file that this very function is in: a program's, or a library's.
static int note_program(struct dl_phdr_info *info, size_t unused, void *nothing) {
    (void)unused, (void)nothing;
    ElfW(Addr) inside = (ElfW(Addr))&variables - info->dlpi_addr;
    int is_it = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        is_it |= segment->p_type == PT_LOAD && inside - segment->p_vaddr < segment->p_memsz;
    }
    if (!is_it) return 0;
    int file = open(info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat facts;
    if (file < 0) return 1;
    if (fstat(file, &facts) == 0) {
        size_t size = (size_t)facts.st_size;
        unsigned char *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            note_all(info->dlpi_addr, image, size);
            munmap(image, size);
        }
    }
    close(file);
    return 1;
}

void cdevice_note_globals(void) {
    if (variables == NULL) dl_iterate_phdr(note_program, NULL);
}

void cdevice_renew_globals(void) {
    // What cannot change may stand where nobody may write once the program is loaded.
    for (size_t i = 0; i < count; i++)
        if (differ(variables[i].place, variables[i].before, variables[i].size))
            copy(variables[i].place, variables[i].before, variables[i].size);
}
