// The name that a file's bytes give it: SHA-256.
#pragma once

#include <filesystem>
#include <string>

namespace farrier {

/// 64 lower-case hex digits. Throws UserError if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace farrier
