#include "selfplay/data/game_journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace farrier {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::string_view kMagic = "FARJRNL1";

std::uint32_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return static_cast<std::uint32_t>(hash);
}

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

/// Takes a number off the front; false if too few bytes are left.
template <class T>
bool take(std::string_view& in, T& value) {
  if (in.size() < sizeof(T)) return false;
  std::memcpy(&value, in.data(), sizeof(T));
  in.remove_prefix(sizeof(T));
  return true;
}

std::string frame(std::string_view payload) {
  std::string out;
  put(out, static_cast<std::uint32_t>(payload.size()));
  put(out, checksum(payload));
  out += payload;
  return out;
}

/// Takes a whole and sound frame off the front, or nothing.
std::optional<std::string_view> take_frame(std::string_view& in) {
  std::string_view rest = in;
  std::uint32_t size = 0, sum = 0;
  if (!take(rest, size) || !take(rest, sum) || rest.size() < size) return std::nullopt;
  const std::string_view payload = rest.substr(0, size);
  if (checksum(payload) != sum) return std::nullopt;
  in = rest.substr(size);
  return payload;
}

std::string encode(std::uint64_t index, const GameRecord& game) {
  std::string out;
  put(out, index);
  put(out, game.game_seed);
  put(out, game.random_plies);
  put(out, static_cast<std::int8_t>(game.result_white));
  put(out, static_cast<std::uint8_t>(game.termination));
  put(out, static_cast<std::uint16_t>(game.start_fen.size()));
  out += game.start_fen;
  put(out, static_cast<std::uint16_t>(game.moves.size()));
  for (Move move : game.moves) put(out, move.bits());
  for (std::int16_t score : game.scores_cp_stm) put(out, score);
  for (std::uint16_t ply : game.exploratory_plies) put(out, ply);
  return out;
}

std::optional<GameRecord> decode(std::string_view in, std::uint64_t& index) {
  GameRecord game;
  std::int8_t result = 0;
  std::uint8_t termination = 0;
  std::uint16_t fen_size = 0, plies = 0;
  if (!take(in, index) || !take(in, game.game_seed) || !take(in, game.random_plies) || !take(in, result) ||
      !take(in, termination) || !take(in, fen_size) || in.size() < fen_size)
    return std::nullopt;
  game.result_white = result;
  game.termination = static_cast<Termination>(termination);
  game.start_fen = in.substr(0, fen_size);
  in.remove_prefix(fen_size);
  if (!take(in, plies) || in.size() < 4u * plies || in.size() % 2 != 0) return std::nullopt;
  for (int i = 0; i < plies; ++i) {
    std::uint16_t bits = 0;
    take(in, bits);
    game.moves.push_back(Move::from_bits(bits));
  }
  game.scores_cp_stm.resize(plies);
  for (std::int16_t& score : game.scores_cp_stm) take(in, score);
  game.exploratory_plies.resize(in.size() / 2);
  for (std::uint16_t& ply : game.exploratory_plies) take(in, ply);
  return game;
}

}  // namespace

GameJournal::GameJournal(const std::filesystem::path& path, const std::string& settings)
    : path_(path), settings_(settings) {
  if (std::filesystem::exists(path_)) read_existing();
  // Written anew, so that a torn tail is gone before more is appended.
  rewrite();
}

GameJournal::~GameJournal() {
  if (fd_ >= 0) ::close(fd_);
}

void GameJournal::read_existing() {
  std::ifstream file(path_, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  const std::string bytes = all.str();
  std::string_view in = bytes;
  std::optional<std::string_view> frozen;
  if (in.substr(0, kMagic.size()) == kMagic) {
    in.remove_prefix(kMagic.size());
    frozen = take_frame(in);
  }
  if (!file || !frozen)
    throw UserError(path_.string(),
                    "not a journal of games, or a damaged one; delete it to go on from the last whole shard");
  while (const auto payload = take_frame(in)) {
    std::uint64_t index = 0;
    if (!decode(*payload, index)) break;
    frames_[index] = *payload;
  }
  // Settings under which no game came to an end bind nobody.
  if (*frozen != settings_ && !frames_.empty())
    throw UserError(path_.parent_path().string(), first_differing_setting(std::string(*frozen), settings_));
}

void GameJournal::rewrite() {
  const std::filesystem::path temporary = temporary_path(path_);
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << kMagic << frame(settings_);
    for (const auto& [index, payload] : frames_) file << frame(payload);
    file.flush();
    if (!file) {
      std::error_code ignored;
      std::filesystem::remove(temporary, ignored);
      throw UserError(temporary.string(), "cannot write this file; is the disk full?");
    }
  }
  publish_file(temporary, path_);
  if (fd_ >= 0) ::close(fd_);
  fd_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw UserError(path_.string(), std::string("cannot append: ") + std::strerror(errno));
}

std::map<std::uint64_t, GameRecord> GameJournal::games() const {
  std::map<std::uint64_t, GameRecord> games;
  for (const auto& [index, payload] : frames_) {
    std::uint64_t same_index = 0;
    if (auto game = decode(payload, same_index)) games.emplace(index, std::move(*game));
  }
  return games;
}

void GameJournal::append(std::uint64_t index, const GameRecord& game) {
  std::string& payload = frames_[index];
  payload = encode(index, game);
  const std::string bytes = frame(payload);
  struct stat state {};
  if (::fstat(fd_, &state) != 0 || state.st_nlink == 0)
    throw UserError(path_.string(), "has vanished while games were written to it; mend the folder");
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t n = ::write(fd_, bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError(path_.string(), std::string("cannot write: ") + std::strerror(errno));
    written += static_cast<std::size_t>(n);
  }
}

void GameJournal::drop_below(std::uint64_t first) {
  frames_.erase(frames_.begin(), frames_.lower_bound(first));
  rewrite();
}

std::string first_differing_setting(const std::string& frozen, const std::string& asked) {
  if (frozen == asked) return "";
  std::istringstream old_lines(frozen), new_lines(asked);
  std::string old_line, new_line;
  do {
    if (!std::getline(old_lines, old_line)) old_line = "nothing";
    if (!std::getline(new_lines, new_line)) new_line = "nothing";
  } while (old_line == new_line);
  return fmt::format(
      "was begun with [{}], not with [{}]; keep the settings, choose another folder, or remove it to begin "
      "anew",
      old_line, new_line);
}

}  // namespace farrier
