// The loop: generations of self-play, training, export and a match against the best net so far.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "trainer/config.h"
#include "trainer/device.h"
#include "trainer/run_state.h"

namespace farrier {

/// In a run's folder, held by the process that is at work there.
inline constexpr const char* kRunLockName = "run.lock";

struct RunSettings {
  std::string device = kCpuDevice;  // that nets are trained on (device.h); may change between starts
  bool change = false;              // takes settings that something was made with already; see run_config.h
};

/// Runs `experiment` in `folder`, or goes on with it there, until its generations or hours are spent or `stop`
/// is set; every stage resumes where it was. Returns false if it was stopped. Throws UserError, also for a folder
/// that belongs to another experiment.
bool run_loop(const Experiment& experiment, const std::filesystem::path& folder, std::atomic<bool>& stop,
              const RunSettings& settings = {});

/// What the run has reached, in lines for people: the nets, data, losses and matches of every generation, and
/// how to play the best net.
std::string run_summary(const RunState& state, const std::filesystem::path& folder);

}  // namespace farrier
