// The name that bytes give themselves: SHA-256.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace farrier {

/// 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);
/// The same of a file's bytes. Throws UserError if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace farrier
