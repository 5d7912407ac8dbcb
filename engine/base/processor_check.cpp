// Ends the program with one sentence on a processor that lacks the instructions it is compiled for, instead of SIGILL.
//
// It runs before every other initialiser, and is itself compiled for any x86-64 processor; so it uses nothing of ours
// nor of the standard library. The linker is told to take it in (farrier_check_processor): nothing calls it.
#include <unistd.h>

extern "C" void farrier_processor_check();

/// 101 is the first priority that is ours.
[[gnu::constructor(101)]] void farrier_processor_check() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports(FARRIER_CHECKED_ARCH)) return;
  static constexpr char kSentence[] =
      "farrier: this program is built for " FARRIER_CHECKED_ARCH
      " processors, and this one is older; build it here with -DFARRIER_ARCH=native\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  _exit(1);
}
