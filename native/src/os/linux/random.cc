#include "os/random.h"

#include <sys/random.h>

namespace resident {

void fill_random(void* bytes, size_t size) {
  (void)!::getrandom(bytes, size, GRND_NONBLOCK);
}

}  // namespace resident
