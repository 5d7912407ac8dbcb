// Two trainings side by side, as text.
#pragma once

#include <filesystem>
#include <string>

namespace farrier {

/// Settings that differ, losses by epoch, the best epochs, their phases and their calibration. `a` and `b` are folders as
/// load_training_metrics takes them. Throws UserError for one that tells of no epoch.
std::string compare_trainings(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace farrier
