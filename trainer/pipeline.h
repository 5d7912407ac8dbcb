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

/// Runs `experiment` in `folder`, or goes on with it there, until its generations or hours are spent or `stop`
/// is set; every stage resumes where it was. Returns false if it was stopped. Throws UserError, also for a folder
/// that belongs to another experiment ([run], and sections of which nothing has been made, may be changed between
/// starts). Nets are trained on `device`
/// (device.h), which may change too.
bool run_loop(const Experiment& experiment, const std::filesystem::path& folder, std::atomic<bool>& stop,
              const std::string& device = kCpuDevice);

/// What the run has reached, in lines for people: the nets, data, losses and matches of every generation, and
/// how to play the best net.
std::string run_summary(const RunState& state, const std::filesystem::path& folder);

}  // namespace farrier
