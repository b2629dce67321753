/* Runs a target without libFuzzer: the files of a folder as they are, then for some seconds files
 * that are changed at random. What is being tried is in fuzz_NAME.last where it runs, and the same
 * seed tries the same. */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 20, MOST_FILES = 256, NAME = 512 };

typedef struct input {
  uint8_t *data;
  size_t size;
} input;

static input corpus[MOST_FILES];
static int n_corpus;
static uint64_t state;

/* xorshift64* */
static uint32_t draw(uint32_t below) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 2685821657736338717u) >> 33) % (below > 0 ? below : 1);
}

static void load_file(const char *path) {
  FILE *const file = fopen(path, "rb");
  input *const in = &corpus[n_corpus];
  in->data = malloc(MOST);
  if (file == NULL || in->data == NULL) {
    perror(path);
    exit(2);
  }
  in->size = fread(in->data, 1, MOST, file);
  fclose(file);
  n_corpus++;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void load_folder(const char *folder) {
  struct dirent **list = NULL;
  const int n = scandir(folder, &list, NULL, by_name);
  for (int i = 0; i < n; i++) {
    char path[NAME];
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    if (list[i]->d_name[0] != '.' && n_corpus < MOST_FILES) {
      load_file(path);
    }
    free(list[i]);
  }
  free(list);
}

/* --- changes --- */

static void put_bytes(input *in, size_t at, const void *bytes, size_t size) {
  if (at + size <= in->size) {
    memcpy(in->data + at, bytes, size);
  }
}

static void insert(input *in, size_t at, const void *bytes, size_t size) {
  if (in->size + size <= MOST) {
    memmove(in->data + at + size, in->data + at, in->size - at);
    memcpy(in->data + at, bytes, size);
    in->size += size;
  }
}

static void put_number(input *in, size_t at) {
  static const uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     9,
                                     48,
                                     1000,
                                     0x7fff,
                                     0xffff,
                                     0x10000,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     1u << 28,
                                     UINT64_MAX,
                                     0x7ff0000000000000,
                                     0x7ff8000000000000,
                                     0x7fe0000000000000,
                                     0x3ff0000000000000};
  static const size_t sizes[] = {1, 2, 4, 8};
  const uint64_t number = numbers[draw(sizeof numbers / sizeof *numbers)];
  put_bytes(in, at - at % (draw(2) == 0 ? 4 : 1), &number, sizes[draw(4)]);
}

static void put_word(input *in, size_t at) {
  static const char *const words[] = {"-1",      "0",           "1e400",
                                      "-1e-320", "nan",         "inf",
                                      "1e9",     "2147483648",  "9223372036854775808",
                                      "\"",      "'",           "{",
                                      "}",       "[",           "]",
                                      "(",       ")",           ";",
                                      ",",       "=",           "\n",
                                      "\\",      "%n%s",        "\xef\xbb\xbf",
                                      "\xe4",    "true",        "*",
                                      "..",      "@include \"", "/*",
                                      "#",       "\r\n",        "\n  \""};
  const char *const word = words[draw(sizeof words / sizeof *words)];
  const size_t size = strlen(word);
  if (draw(2) == 0) {
    insert(in, at, word, size);
  } else {
    put_bytes(in, at, word, size);
  }
}

static void remove_some(input *in, size_t at) {
  size_t size = 1 + draw(draw(4) == 0 ? (uint32_t)in->size : 16);
  size = size < in->size - at ? size : in->size - at;
  memmove(in->data + at, in->data + at + size, in->size - at - size);
  in->size -= size;
}

/* a piece of another file, or of the same one */
static void splice(input *in, size_t at) {
  const input *const from = &corpus[draw((uint32_t)n_corpus)];
  if (from->size > 0) {
    const size_t begin = draw((uint32_t)from->size), most = from->size - begin;
    const size_t size = 1 + draw(most < 512 ? (uint32_t)most : 512);
    if (draw(2) == 0) {
      insert(in, at, from->data + begin, size < most ? size : most);
    } else {
      put_bytes(in, at, from->data + begin, size < most ? size : most);
    }
  }
}

static void change(input *in) {
  const size_t at = draw((uint32_t)in->size);
  if (in->size == 0) {
    insert(in, 0, "x", 1);
    return;
  }
  switch (draw(7)) {
  case 0:
    in->data[at] ^= (uint8_t)(1u << draw(8));
    break;
  case 1:
    in->data[at] = (uint8_t)draw(256);
    break;
  case 2:
    put_number(in, at);
    break;
  case 3:
    put_word(in, at);
    break;
  case 4:
    remove_some(in, at);
    break;
  case 5:
    splice(in, at);
    break;
  default: /* heads of files are short and say most */
    put_number(in, at % 256 < in->size ? at % 256 : at);
  }
}

/* --- runs --- */

static void run(const input *in, int last) {
  /* exactly as large as it is: a byte beyond the end is seen */
  uint8_t *const own = malloc(in->size + (in->size == 0));
  if (own == NULL || pwrite(last, in->data, in->size, 0) != (ssize_t)in->size ||
      ftruncate(last, (off_t)in->size) != 0) {
    perror("fuzz");
    exit(2);
  }
  memcpy(own, in->data, in->size);
  LLVMFuzzerTestOneInput(own, in->size);
  free(own);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long run_changed(double seconds, int last) {
  static uint8_t room[MOST];
  const double end = now() + seconds;
  long runs = 0;
  for (; now() < end; runs++) {
    const input *const from = &corpus[draw((uint32_t)n_corpus)];
    input in = {room, from->size};
    memcpy(room, from->data, from->size);
    for (uint32_t changes = 1 + draw(draw(3) == 0 ? 16 : 3); changes > 0; changes--) {
      change(&in);
    }
    run(&in, last);
  }
  return runs;
}

int main(int argc, char **argv) {
  char name[NAME];
  if (argc < 4) {
    fprintf(stderr, "usage: %s SECONDS SEED FOLDER-OR-FILE...\n", argv[0]);
    return 2;
  }
  state = 0x9e3779b97f4a7c15u * (1 + strtoull(argv[2], NULL, 10));
  for (int i = 3; i < argc; i++) {
    DIR *const folder = opendir(argv[i]);
    if (folder != NULL) {
      closedir(folder);
      load_folder(argv[i]);
    } else {
      load_file(argv[i]);
    }
  }
  if (n_corpus == 0) {
    fprintf(stderr, "%s: no files\n", argv[3]);
    return 2;
  }
  const char *const slash = strrchr(argv[0], '/');
  snprintf(name, sizeof name, "%s.last", slash != NULL ? slash + 1 : argv[0]);
  const int last = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  for (int i = 0; i < n_corpus; i++) {
    run(&corpus[i], last);
  }
  const long runs = run_changed(strtod(argv[1], NULL), last);
  printf("%d files as they are, %ld changed, seed %s\n", n_corpus, runs, argv[2]);
  for (int i = 0; i < n_corpus; i++) {
    free(corpus[i].data);
  }
  close(last);
  unlink(name);
  return 0;
}
