// Where a training computes, as `--device` names it:
//   cpu             our own kernels: the fastest on a CPU, and the same bits on any number of threads
//   cuda, cuda:1    LibTorch's operators on a GPU
//   cpu-operators   the same operators on the CPU: slow; what a GPU would run, to be tested and compared without one
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace farrier {

inline constexpr const char* kCpuDevice = "cpu";

/// Why no device can be called that; empty if one can.
std::string device_name_fault(const std::string& name);
/// Throws UserError if LibTorch cannot compute there: asked before work that would be in vain.
void require_device(const std::string& name);

/// Adds `--device` to a verb that trains.
void add_device_option(CLI::App& verb, std::string& device);

}  // namespace farrier
