#include "trainer/device.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include <fmt/core.h>
#include <torch/cuda.h>
#include <CLI/CLI.hpp>

#include "engine/base/error.h"

namespace farrier {
namespace {

constexpr std::string_view kNumbered = "cuda:";

/// A number as LibTorch takes it: no sign, no leading zero.
bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 2 && (text[0] != '0' || text.size() == 1) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string device_name_fault(const std::string& name) {
  if (name == kCpuDevice || name == "cpu-operators" || name == "cuda") return "";
  if (name.starts_with(kNumbered) && is_number(std::string_view(name).substr(kNumbered.size()))) return "";
  return fmt::format("'{}' is no device; there are cpu, cuda, cuda:0, cuda:1, ... and cpu-operators", name);
}

void require_device(const std::string& name) {
  const std::string place = "--device " + name;
  if (const std::string fault = device_name_fault(name); !fault.empty()) throw UserError(place, fault);
  if (!name.starts_with("cuda")) return;
  const std::size_t gpus = torch::cuda::device_count();
  if (gpus == 0)
    throw UserError(
        place,
        "LibTorch finds no GPU here: it is built without CUDA, as Debian's is, or no NVIDIA driver "
        "answers; leave --device out to train on the CPU");
  if (name.starts_with(kNumbered) && std::stoul(name.substr(kNumbered.size())) >= gpus)
    throw UserError(place, fmt::format("the last GPU here is cuda:{}; name that or a lower one", gpus - 1));
}

void add_device_option(CLI::App& verb, std::string& device) {
  verb.add_option("--device", device,
                  "Where nets are trained: cpu, or cuda, cuda:1, ... for a GPU, if LibTorch has CUDA; "
                  "cpu-operators runs on the CPU what a GPU would, slowly, to compare")
      ->check(device_name_fault, "DEVICE")
      ->capture_default_str();
}

}  // namespace farrier
