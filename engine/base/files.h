// Whole files read and written, so that a reader never meets a half-written one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace farrier {

/// The bytes of a file. Throws UserError.
std::string read_file(const std::filesystem::path& path);

/// Writes `bytes` beside `path` (suffix .tmp), syncs, and renames: the file appears whole or not at all.
/// Throws UserError and leaves what was there before.
void write_file_whole(const std::filesystem::path& path, std::string_view bytes);

}  // namespace farrier
