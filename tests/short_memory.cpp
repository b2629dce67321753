/* Linked into a cqopt of its own (cli.cmake): makes its n-th allocation in main fail. Those before
 * main are not counted: the CUDA runtime registers its kernels there and does not check.
 *
 * SHORT_MEMORY_AT=n      which one; 0 or unset: none
 *
 * SHORT_MEMORY_OF=own    of those that our own code makes, by malloc and its like (--wrap)
 *
 * SHORT_MEMORY_OF=new    of those by operator new, in whatever library
 *
 * SHORT_MEMORY_LASTS=1   all that follow fail, too
 *
 * SHORT_MEMORY_COUNT=f   how many there were goes to the file f at the end */
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct plan {
  long at;
  bool of_new, lasts;
};

const plan &the_plan() {
  static const plan p = [] {
    const char *const at = std::getenv("SHORT_MEMORY_AT");
    const char *const of = std::getenv("SHORT_MEMORY_OF");
    return plan{at != nullptr ? std::atol(at) : 0, of != nullptr && std::strcmp(of, "new") == 0,
                std::getenv("SHORT_MEMORY_LASTS") != nullptr};
  }();
  return p;
}

std::atomic<bool> in_main{false};
std::atomic<long> allocations{0};

bool fails(bool is_new) {
  const plan &p = the_plan();
  if (!in_main || is_new != p.of_new) {
    return false;
  }
  const long n = ++allocations;
  const bool failing = p.at > 0 && (n == p.at || (p.lasts && n > p.at));
  if (failing) {
    errno = ENOMEM;
  }
  return failing;
}

struct counter {
  ~counter() {
    const char *const path = std::getenv("SHORT_MEMORY_COUNT");
    FILE *const file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file != nullptr) {
      std::fprintf(file, "%ld\n", allocations.load());
      std::fclose(file);
    }
  }
} at_the_end;

} // namespace

extern "C" {
int __real_main(int argc, char **argv);

int __wrap_main(int argc, char **argv) {
  in_main = true;
  return __real_main(argc, argv);
}

void *__real_malloc(std::size_t size);
void *__real_calloc(std::size_t count, std::size_t size);
void *__real_realloc(void *pointer, std::size_t size);
void *__real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void **out, std::size_t alignment, std::size_t size);

void *__wrap_malloc(std::size_t size) {
  return fails(false) ? nullptr : __real_malloc(size);
}

void *__wrap_calloc(std::size_t count, std::size_t size) {
  return fails(false) ? nullptr : __real_calloc(count, size);
}

void *__wrap_realloc(void *pointer, std::size_t size) {
  return fails(false) ? nullptr : __real_realloc(pointer, size);
}

void *__wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(false) ? nullptr : __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **out, std::size_t alignment, std::size_t size) {
  return fails(false) ? ENOMEM : __real_posix_memalign(out, alignment, size);
}
}

__attribute__((visibility("default"))) void *operator new(std::size_t size) {
  void *const memory = fails(true) ? nullptr : __real_malloc(size > 0 ? size : 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

__attribute__((visibility("default"))) void *operator new[](std::size_t size) {
  return operator new(size);
}

__attribute__((visibility("default"))) void operator delete(void *memory) noexcept {
  std::free(memory);
}

__attribute__((visibility("default"))) void operator delete[](void *memory) noexcept {
  std::free(memory);
}

__attribute__((visibility("default"))) void operator delete(void *memory, std::size_t) noexcept {
  std::free(memory);
}

__attribute__((visibility("default"))) void operator delete[](void *memory, std::size_t) noexcept {
  std::free(memory);
}
