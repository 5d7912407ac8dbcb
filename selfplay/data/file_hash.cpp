#include "selfplay/data/file_hash.h"

#include <array>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/base/error.h"

namespace farrier {

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(path.string(), "cannot read this file; name one that exists");
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool ok = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::array<char, 65536> block;
  while (ok && (file.read(block.data(), block.size()) || file.gcount() > 0))
    ok = EVP_DigestUpdate(context.get(), block.data(), static_cast<std::size_t>(file.gcount())) == 1;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  ok = ok && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!ok || file.bad()) throw UserError(path.string(), "cannot take the SHA-256 of this file");
  std::string hex;
  for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace farrier
