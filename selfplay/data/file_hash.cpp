#include "selfplay/data/file_hash.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/base/files.h"

namespace farrier {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string sha256_of_file(const std::filesystem::path& path) { return sha256_hex(read_file(path)); }

}  // namespace farrier
