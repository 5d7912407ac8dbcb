// Files that appear complete or not at all: written beside under another name, made durable, then renamed.
#pragma once

#include <filesystem>
#include <string>

namespace farrier {

/// `path` + ".tmp", in the same folder, so that a rename never crosses file systems.
std::filesystem::path temporary_path(const std::filesystem::path& path);
/// Makes `temporary` durable and gives it the name `path`, replacing what stood there. Throws UserError.
void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path);
/// Makes `folder` and its parents. Throws UserError if that fails or something else stands there.
void require_folder(const std::filesystem::path& folder);

}  // namespace farrier
