/*
 * A library that is loaded before all others into the programs under test. It stands between them and their files, and
 * does two things there, each only for files below one folder:
 *
 * - It lets calls fail, wait, do nothing, or end the process, at the N-th of them (`struct plan`, a file that the test
 *   writes while the program runs).
 * - It writes down every change in the order in which they happened, and which of them were flushed, so that the states
 *   can be made that a disk may be in after a power cut (replay.ts).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum call { WRITE = 1, SYNC = 2, TRUNCATE = 4, RENAME = 8, LINK = 16, UNLINK = 32, CREATE = 64, MKDIR = 128, DROP = 256 };
enum action { NOTHING = 0, FAIL = 1, KILL = 2, DELAY = 3, PRETEND = 4 };

/* The test writes it (plan.ts knows the places of its fields), all processes share it. */
struct plan {
  uint32_t action;
  uint32_t calls;
  uint32_t error;
  uint32_t delay_ms;
  uint64_t from;
  uint64_t until;
  _Atomic uint64_t count;
  _Atomic uint64_t hits;
  char ending[64];
};

/* replay.ts reads it. */
struct record {
  uint32_t call;
  uint32_t path_length;
  uint32_t other_length;
  uint32_t data_length;
  uint64_t inode;
  uint64_t offset;
  uint64_t begun_at;
};

static struct plan *plan;
static int journal = -1;
static char under[PATH_MAX];
static size_t under_length;

#define REAL(result, name, ...)                                                                                        \
  static result (*real_##name)(__VA_ARGS__);
REAL(ssize_t, write, int, const void *, size_t)
REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
REAL(ssize_t, writev, int, const struct iovec *, int)
REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)
REAL(ssize_t, sendfile64, int, int, off64_t *, size_t)
REAL(int, fsync, int)
REAL(int, fdatasync, int)
REAL(int, ftruncate64, int, off64_t)
REAL(int, fallocate64, int, int, off64_t, off64_t)
REAL(int, rename, const char *, const char *)
REAL(int, link, const char *, const char *)
REAL(int, unlink, const char *)
REAL(int, unlinkat, int, const char *, int)
REAL(int, rmdir, const char *)
REAL(int, mkdir, const char *, mode_t)
REAL(int, openat64, int, const char *, int, ...)
REAL(int, execvp, const char *, char *const *)
REAL(int, execve, const char *, char *const *, char *const *)
REAL(long, syscall, long, ...)

static void find(void **place, const char *name) {
  if (!*place) *place = dlsym(RTLD_NEXT, name);
  if (!*place) abort();
}
#define FIND(name) find((void **)&real_##name, #name)

static void find_all(void) {
  FIND(write); FIND(pwrite64); FIND(writev); FIND(pwritev64); FIND(sendfile64); FIND(fsync); FIND(fdatasync);
  FIND(ftruncate64); FIND(fallocate64); FIND(rename); FIND(link); FIND(unlink); FIND(unlinkat); FIND(rmdir);
  FIND(mkdir); FIND(openat64); FIND(execvp); FIND(execve); FIND(syscall);
}

__attribute__((constructor)) static void begin(void) {
  find_all();
  const char *folder = getenv("DISK_UNDER"), *plan_file = getenv("DISK_PLAN"), *journal_file = getenv("DISK_JOURNAL");
  if (!folder) return;
  under_length = strlen(folder);
  memcpy(under, folder, under_length + 1);
  if (plan_file) {
    int fd = real_openat64(AT_FDCWD, plan_file, O_RDWR | O_CLOEXEC);
    if (fd < 0) abort();
    plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (plan == MAP_FAILED) abort();
    close(fd);
  }
  if (journal_file) {
    journal = real_openat64(AT_FDCWD, journal_file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (journal < 0) abort();
  }
}

static int is_ours(const char *path) {
  return under_length && strncmp(path, under, under_length) == 0 &&
         (path[under_length] == '/' || path[under_length] == 0);
}

/* The index of the write-ahead log is shared memory that SQLite makes anew after a crash. */
static int is_index(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

/* The path a file was opened by; a file that has been removed has none. */
static int path_of(int fd, char *path, struct stat *about) {
  if (!under_length || fstat(fd, about) || !(S_ISREG(about->st_mode) || S_ISDIR(about->st_mode))) return 0;
  char link_name[64];
  snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link_name, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_ours(path) && !is_index(path);
}

static int whole_path(int dir, const char *path, char *whole) {
  if (!under_length || !path) return 0;
  if (path[0] == '/') snprintf(whole, PATH_MAX, "%s", path);
  else {
    char base[PATH_MAX - 256];
    if (dir == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return 0;
    } else {
      char link_name[64];
      snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", dir);
      ssize_t length = readlink(link_name, base, sizeof base - 1);
      if (length <= 0) return 0;
      base[length] = 0;
    }
    snprintf(whole, PATH_MAX, "%s/%.250s", base, path);
  }
  return is_ours(whole) && !is_index(whole);
}

static int is_planned(enum call call, const char *path) {
  if (!plan || plan->action == NOTHING || !(plan->calls & call)) return 0;
  size_t length = strlen(path), ending = strnlen(plan->ending, sizeof plan->ending);
  if (ending > length || memcmp(path + length - ending, plan->ending, ending)) return 0;
  uint64_t number = atomic_fetch_add(&plan->count, 1) + 1;
  if (number < plan->from || number > plan->until) return 0;
  atomic_fetch_add(&plan->hits, 1);
  return 1;
}

/* It returns whether the call is over, with its result. */
static int disturb(enum call call, const char *path, int64_t pretended, int64_t *result) {
  if (!is_planned(call, path)) return 0;
  switch (plan->action) {
  case FAIL:
    errno = (int)plan->error;
    *result = -1;
    return 1;
  case KILL:
    kill(getpid(), SIGKILL);
    for (;;) pause();
  case DELAY: {
    struct timespec wait = {plan->delay_ms / 1000, (plan->delay_ms % 1000) * 1000000L};
    nanosleep(&wait, NULL);
    return 0;
  }
  case PRETEND:
    *result = pretended;
    return 1;
  default:
    return 0;
  }
}

static uint64_t journal_size(void) {
  struct stat about;
  return journal >= 0 && fstat(journal, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static void note(enum call call, uint64_t inode, uint64_t offset, uint64_t begun_at, const char *path, const char *other,
                 const struct iovec *data, int pieces, size_t data_length) {
  if (journal < 0) return;
  int kept = errno;
  struct record record = {call, (uint32_t)strlen(path), other ? (uint32_t)strlen(other) : 0, (uint32_t)data_length,
                          inode, offset, begun_at};
  struct iovec parts[20] = {{&record, sizeof record}, {(void *)path, record.path_length},
                            {(void *)other, record.other_length}};
  int count = 3;
  char *joined = NULL;
  if (pieces == 1) parts[count++] = (struct iovec){data[0].iov_base, data_length};
  else if (pieces > 1) {
    joined = malloc(data_length);
    size_t at = 0;
    for (int index = 0; index < pieces && at < data_length; index++) {
      size_t length = data[index].iov_len < data_length - at ? data[index].iov_len : data_length - at;
      memcpy(joined + at, data[index].iov_base, length);
      at += length;
    }
    parts[count++] = (struct iovec){joined, data_length};
  }
  /* In one call to a file that is only appended to: no two records are mixed, and their order is that of the calls. */
  if (real_writev(journal, parts, count) < 0) abort();
  free(joined);
  errno = kept;
}

static uint64_t inode_of(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0 ? about.st_ino : 0;
}

static void note_written(int fd, struct stat *about, const char *path, uint64_t offset, const struct iovec *data,
                         int pieces, ssize_t length) {
  if (length > 0) note(WRITE, about->st_ino, offset, 0, path, NULL, data, pieces, (size_t)length);
  (void)fd;
}

/* Where the next plain write goes, before it is made. */
static uint64_t place_of(int fd, const struct stat *about) {
  int flags = fcntl(fd, F_GETFL);
  return flags & O_APPEND ? (uint64_t)about->st_size : (uint64_t)lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *data, size_t length) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_write) find_all();
  if (fd == journal || !path_of(fd, path, &about)) return real_write(fd, data, length);
  int64_t result;
  if (disturb(WRITE, path, (int64_t)length, &result)) return result;
  uint64_t place = place_of(fd, &about);
  ssize_t written = real_write(fd, data, length);
  note_written(fd, &about, path, place, &(struct iovec){(void *)data, length}, 1, written);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_pwrite64) find_all();
  if (!path_of(fd, path, &about)) return real_pwrite64(fd, data, length, offset);
  int64_t result;
  if (disturb(WRITE, path, (int64_t)length, &result)) return result;
  ssize_t written = real_pwrite64(fd, data, length, offset);
  note_written(fd, &about, path, (uint64_t)offset, &(struct iovec){(void *)data, length}, 1, written);
  return written;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

static size_t length_of(const struct iovec *pieces, int count) {
  size_t length = 0;
  for (int index = 0; index < count; index++) length += pieces[index].iov_len;
  return length;
}

ssize_t writev(int fd, const struct iovec *pieces, int count) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_writev) find_all();
  if (!path_of(fd, path, &about)) return real_writev(fd, pieces, count);
  int64_t result;
  if (disturb(WRITE, path, (int64_t)length_of(pieces, count), &result)) return result;
  uint64_t place = place_of(fd, &about);
  ssize_t written = real_writev(fd, pieces, count);
  note_written(fd, &about, path, place, pieces, count, written);
  return written;
}

ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t offset) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_pwritev64) find_all();
  if (!path_of(fd, path, &about)) return real_pwritev64(fd, pieces, count, offset);
  int64_t result;
  if (disturb(WRITE, path, (int64_t)length_of(pieces, count), &result)) return result;
  ssize_t written = real_pwritev64(fd, pieces, count, offset);
  note_written(fd, &about, path, (uint64_t)offset, pieces, count, written);
  return written;
}
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset) {
  return pwritev64(fd, pieces, count, offset);
}

/* What is copied within the kernel is read back, to be written down like all else. */
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_sendfile64) find_all();
  if (!path_of(to, path, &about)) return real_sendfile64(to, from, offset, length);
  int64_t result;
  if (disturb(WRITE, path, (int64_t)length, &result)) return result;
  uint64_t place = place_of(to, &about);
  uint64_t source = offset ? (uint64_t)*offset : (uint64_t)lseek(from, 0, SEEK_CUR);
  ssize_t written = real_sendfile64(to, from, offset, length);
  if (written > 0 && journal >= 0) {
    char *copy = malloc((size_t)written);
    if (pread64(from, copy, (size_t)written, (off64_t)source) != written) abort();
    note_written(to, &about, path, place, &(struct iovec){copy, (size_t)written}, 1, written);
    free(copy);
  }
  return written;
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) { return sendfile64(to, from, offset, length); }
ssize_t copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t length, unsigned flags) {
  (void)from, (void)in, (void)to, (void)out, (void)length, (void)flags;
  errno = ENOSYS;
  return -1;
}

/* libuv copies files by the bare call; without it, it goes on with sendfile. */
long syscall(long number, ...) {
  if (!real_syscall) find_all();
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_copy_file_range && under_length) {
    errno = ENOSYS;
    return -1;
  }
  return real_syscall(number, a, b, c, d, e, f);
}

static int flush(int fd, int (*real)(int)) {
  struct stat about;
  char path[PATH_MAX];
  if (!path_of(fd, path, &about)) return real(fd);
  uint64_t begun_at = journal_size();
  int64_t result;
  if (disturb(SYNC, path, 0, &result)) {
    int error = errno;
    if (result != 0) note(DROP, about.st_ino, 0, begun_at, path, NULL, NULL, 0, 0);
    errno = error;
    return (int)result;
  }
  int flushed = real(fd);
  if (flushed == 0) note(SYNC, about.st_ino, 0, begun_at, path, NULL, NULL, 0, 0);
  return flushed;
}
int fsync(int fd) {
  if (!real_fsync) find_all();
  return flush(fd, real_fsync);
}
int fdatasync(int fd) {
  if (!real_fdatasync) find_all();
  return flush(fd, real_fdatasync);
}

int ftruncate64(int fd, off64_t length) {
  struct stat about;
  char path[PATH_MAX];
  if (!real_ftruncate64) find_all();
  if (!path_of(fd, path, &about)) return real_ftruncate64(fd, length);
  int64_t result;
  if (disturb(TRUNCATE, path, 0, &result)) return (int)result;
  int done = real_ftruncate64(fd, length);
  if (done == 0) note(TRUNCATE, about.st_ino, (uint64_t)length, 0, path, NULL, NULL, 0, 0);
  return done;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  struct stat about, after;
  char path[PATH_MAX];
  if (!real_fallocate64) find_all();
  if (!path_of(fd, path, &about)) return real_fallocate64(fd, mode, offset, length);
  int64_t result;
  if (disturb(WRITE, path, 0, &result)) return (int)result;
  int done = real_fallocate64(fd, mode, offset, length);
  if (done == 0 && fstat(fd, &after) == 0 && after.st_size != about.st_size)
    note(TRUNCATE, about.st_ino, (uint64_t)after.st_size, 0, path, NULL, NULL, 0, 0);
  return done;
}
int fallocate(int fd, int mode, off_t offset, off_t length) { return fallocate64(fd, mode, offset, length); }
int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  return fallocate64(fd, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate(int fd, off_t offset, off_t length) { return posix_fallocate64(fd, offset, length); }

int rename(const char *from, const char *to) {
  char path[PATH_MAX], other[PATH_MAX];
  if (!real_rename) find_all();
  if (!whole_path(AT_FDCWD, from, path) || !whole_path(AT_FDCWD, to, other)) return real_rename(from, to);
  int64_t result;
  if (disturb(RENAME, path, 0, &result)) return (int)result;
  int done = real_rename(from, to);
  if (done == 0) note(RENAME, inode_of(to), 0, 0, path, other, NULL, 0, 0);
  return done;
}

int link(const char *from, const char *to) {
  char path[PATH_MAX], other[PATH_MAX];
  if (!real_link) find_all();
  if (!whole_path(AT_FDCWD, from, path) || !whole_path(AT_FDCWD, to, other)) return real_link(from, to);
  int64_t result;
  if (disturb(LINK, path, 0, &result)) return (int)result;
  int done = real_link(from, to);
  if (done == 0) note(LINK, inode_of(to), 0, 0, path, other, NULL, 0, 0);
  return done;
}

static int remove_name(int dir, const char *name, int flags) {
  char path[PATH_MAX];
  if (!whole_path(dir, name, path)) return real_unlinkat(dir, name, flags);
  int64_t result;
  if (disturb(UNLINK, path, 0, &result)) return (int)result;
  int done = real_unlinkat(dir, name, flags);
  if (done == 0) note(UNLINK, 0, 0, 0, path, NULL, NULL, 0, 0);
  return done;
}
int unlink(const char *name) {
  if (!real_unlink) find_all();
  return remove_name(AT_FDCWD, name, 0);
}
int unlinkat(int dir, const char *name, int flags) {
  if (!real_unlinkat) find_all();
  return remove_name(dir, name, flags);
}
int rmdir(const char *name) {
  if (!real_rmdir) find_all();
  return remove_name(AT_FDCWD, name, AT_REMOVEDIR);
}
int remove(const char *name) {
  struct stat about;
  if (!real_unlinkat) find_all();
  return lstat(name, &about) == 0 && S_ISDIR(about.st_mode) ? rmdir(name) : unlink(name);
}

int mkdir(const char *name, mode_t mode) {
  char path[PATH_MAX];
  if (!real_mkdir) find_all();
  if (!whole_path(AT_FDCWD, name, path)) return real_mkdir(name, mode);
  int64_t result;
  if (disturb(MKDIR, path, 0, &result)) return (int)result;
  int done = real_mkdir(name, mode);
  if (done == 0) note(MKDIR, inode_of(path), 0, 0, path, NULL, NULL, 0, 0);
  return done;
}

static int open_file(int dir, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (!(flags & (O_CREAT | O_TRUNC)) || !whole_path(dir, name, path)) return real_openat64(dir, name, flags, mode);
  uint64_t before = inode_of(path);
  int64_t result;
  if (!before && disturb(CREATE, path, -1, &result)) return (int)result;
  int fd = real_openat64(dir, name, flags, mode);
  struct stat about;
  if (fd < 0 || fstat(fd, &about) || !S_ISREG(about.st_mode)) return fd;
  if (about.st_ino != before) note(CREATE, about.st_ino, 0, 0, path, NULL, NULL, 0, 0);
  else if (flags & O_TRUNC) note(TRUNCATE, about.st_ino, 0, 0, path, NULL, NULL, 0, 0);
  return fd;
}
#define WITH_MODE(flags, last)                                                                                         \
  mode_t mode = 0;                                                                                                     \
  if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                               \
    va_list list;                                                                                                      \
    va_start(list, last);                                                                                              \
    mode = va_arg(list, mode_t);                                                                                       \
    va_end(list);                                                                                                      \
  }                                                                                                                    \
  if (!real_openat64) find_all();
int open(const char *name, int flags, ...) {
  WITH_MODE(flags, flags)
  return open_file(AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
  WITH_MODE(flags, flags)
  return open_file(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}
int openat(int dir, const char *name, int flags, ...) {
  WITH_MODE(flags, flags)
  return open_file(dir, name, flags, mode);
}
int openat64(int dir, const char *name, int flags, ...) {
  WITH_MODE(flags, flags)
  return open_file(dir, name, flags | O_LARGEFILE, mode);
}
int creat(const char *name, mode_t mode) { return open_file(AT_FDCWD, name, O_CREAT | O_TRUNC | O_WRONLY, mode); }

/* Processes that are started without our environment are disturbed and written down all the same. */
static const char *const handed_on[] = {"LD_PRELOAD", "DISK_UNDER", "DISK_PLAN", "DISK_JOURNAL"};
static char ours[4][PATH_MAX + 32];

int execve(const char *file, char *const *args, char *const *env) {
  if (!real_execve) find_all();
  if (!under_length) return real_execve(file, args, env);
  int count = 0, kept = 0;
  while (env && env[count]) count++;
  char *with[count + 5];
  for (int index = 0; index < count; index++) {
    int is_one = 0;
    for (int each = 0; each < 4; each++) {
      size_t length = strlen(handed_on[each]);
      is_one |= strncmp(env[index], handed_on[each], length) == 0 && env[index][length] == '=';
    }
    if (!is_one) with[kept++] = env[index];
  }
  for (int each = 0; each < 4; each++)
    if (ours[each][0]) with[kept++] = ours[each];
  with[kept] = NULL;
  return real_execve(file, args, with);
}

extern char **environ;
int execvp(const char *file, char *const *args) {
  if (!real_execvp) find_all();
  for (int each = 0; under_length && each < 4; each++)
    if (ours[each][0]) putenv(ours[each]);
  return real_execvp(file, args);
}

__attribute__((constructor)) static void remember_environment(void) {
  for (int each = 0; each < 4; each++) {
    const char *value = getenv(handed_on[each]);
    if (value) snprintf(ours[each], sizeof ours[each], "%s=%s", handed_on[each], value);
  }
}
