#include "selfplay/data/game_reader.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "selfplay/data/h5_schema.h"

namespace farrier {
namespace {

using namespace h5;

/// Tells a missing and a foreign file from a damaged one before HDF5 mixes them up.
void require_hdf5_signature(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw UserError(path.string(), "cannot read this file; name an existing shard of game records");
  constexpr std::array<char, 8> kSignature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> start{};
  file.read(start.data(), start.size());
  if (start != kSignature)
    throw UserError(path.string(), "not an HDF5 file; name shards that `farrier selfplay` has written");
}

H5File open_file(const std::filesystem::path& path) {
  require_hdf5_signature(path);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0)
    throw_h5_error(path.string(),
                   "open this shard: it is cut or damaged; delete it and run its command again");
  return H5File(id, path.string(), "open this shard");
}

std::uint64_t read_number(const H5File& file, const std::string& place, const char* name) {
  const std::string action = std::string("read attribute ") + name;
  const H5Attribute attribute(H5Aopen(file.id(), name, H5P_DEFAULT), place, action);
  std::uint64_t value = 0;
  h5_require(H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value), place, action);
  return value;
}

std::string read_text(const H5File& file, const std::string& place, const char* name) {
  const std::string action = std::string("read attribute ") + name;
  const H5Attribute attribute(H5Aopen(file.id(), name, H5P_DEFAULT), place, action);
  const H5Datatype type(H5Aget_type(attribute.id()), place, action);
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw UserError(place, "attribute " + std::string(name) + " is no text");
  if (H5Tis_variable_str(type.id()) > 0) {
    // What the first builds of the program wrote.
    char* kept = nullptr;
    h5_require(H5Aread(attribute.id(), type.id(), &kept), place, action);
    std::string text = kept == nullptr ? "" : kept;
    H5free_memory(kept);
    return text;
  }
  std::string text(H5Tget_size(type.id()), '\0');
  h5_require(H5Aread(attribute.id(), type.id(), text.data()), place, action);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

/// Refuses what is no shard, or a shard from the future; otherwise its attributes.
ShardInfo read_info(const H5File& file, const std::string& place) {
  const bool ours = H5Aexists(file.id(), "format") > 0 && H5Aexists(file.id(), "schema_version") > 0 &&
                    read_text(file, place, "format") == kFormatName;
  if (!ours)
    throw UserError(place, "an HDF5 file, but not one of game records; name shards of `farrier selfplay`");
  const std::uint64_t version = read_number(file, place, "schema_version");
  if (version > kShardSchemaVersion)
    throw UserError(place, "schema version " + std::to_string(version) +
                               " is newer than this program knows (" + std::to_string(kShardSchemaVersion) +
                               "); update farrier");
  ShardInfo info;
  const std::string name = read_text(file, place, "variant");
  const auto variant = variant_from_name(name);
  if (!variant)
    throw UserError(place,
                    "unknown variant \"" + name + "\"; this program knows " + std::string(variant_names()));
  info.variant = *variant;
  info.program = read_text(file, place, "program");
  info.commit = read_text(file, place, "commit");
  info.net = read_text(file, place, "net");
  info.seed = read_number(file, place, "seed");
  info.generation = static_cast<std::uint32_t>(read_number(file, place, "generation"));
  info.first_game = read_number(file, place, "first_game");
  info.settings = read_text(file, place, "settings");
  return info;
}

/// A dataset of one dimension, read by ranges.
class Column {
 public:
  Column(const H5File& file, const std::string& place, const char* name)
      : place_(place), action_("read " + std::string(name)) {
    dataset_ = H5Dataset(H5Dopen2(file.id(), name, H5P_DEFAULT), place, action_);
    const H5Dataspace space(H5Dget_space(dataset_.id()), place, action_);
    if (H5Sget_simple_extent_ndims(space.id()) != 1)
      throw UserError(place,
                      std::string(name) + " has not one dimension; the file is damaged, make it again");
    H5Sget_simple_extent_dims(space.id(), &size_, nullptr);
    // HDF5 zeroes its buffer for the conversion of rows at every read: of 1 MB, unless told otherwise.
    transfer_ = H5Properties(H5Pcreate(H5P_DATASET_XFER), place, action_);
    h5_require(H5Pset_buffer(transfer_.id(), kConversionBytes, nullptr, nullptr), place, action_);
  }

  hsize_t size() const { return size_; }

  void read(hsize_t start, hsize_t count, hid_t memory_type, void* items) const {
    if (count == 0) return;
    const H5Dataspace file_space(H5Dget_space(dataset_.id()), place_, action_);
    h5_require(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr), place_,
               action_);
    const H5Dataspace memory_space(H5Screate_simple(1, &count, nullptr), place_, action_);
    h5_require(H5Dread(dataset_.id(), memory_type, memory_space.id(), file_space.id(), transfer_.id(), items),
               place_, action_ + ": it is damaged; delete it and run its command again");
  }

 private:
  static constexpr std::size_t kConversionBytes = kGamesPerChunk * sizeof(GameRow);

  std::string place_, action_;
  H5Dataset dataset_;
  H5Properties transfer_;
  hsize_t size_ = 0;
};

}  // namespace

struct GameReader::Impl {
  explicit Impl(const std::filesystem::path& path)
      : place(path.string()),
        file(open_file(path)),
        info(read_info(file, place)),
        row_type(game_row_type(false)),
        games(file, place, kGamesTable),
        moves(file, place, kMoveColumn),
        scores(file, place, kScoreColumn) {
    if (H5Lexists(file.id(), kMarkColumn, H5P_DEFAULT) > 0) marks.emplace(file, place, kMarkColumn);
    const std::vector<GameRow> last = rows(games.size() == 0 ? 0 : games.size() - 1, 1);
    const hsize_t end = last.empty() ? 0 : last[0].first_ply + last[0].plies;
    if (moves.size() != end || scores.size() != end || (marks && marks->size() != end))
      throw damaged("its columns do not end with its last game");
  }

  UserError damaged(const std::string& fault) const {
    return UserError(place, "damaged: " + fault + "; delete it and run its command again");
  }

  /// Up to `count` rows from `first` on, each proved to be sane.
  std::vector<GameRow> rows(hsize_t first, hsize_t count) const {
    std::vector<GameRow> found(std::min(count, games.size() - first));
    games.read(first, found.size(), row_type.id(), found.data());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const GameRow& row = found[i];
      const bool sane = row.first_ply + row.plies <= moves.size() && row.random_plies <= row.plies &&
                        row.plies <= kMaxGamePlies && row.result_white >= -1 && row.result_white <= 1 &&
                        row.termination <= static_cast<int>(Termination::PlyLimit) &&
                        (i == 0 || row.first_ply == found[i - 1].first_ply + found[i - 1].plies);
      if (!sane) throw damaged("row " + std::to_string(first + i) + " of /games makes no sense");
    }
    return found;
  }

  /// Fills the window with the games from `next_game` on.
  void load_window() {
    window = rows(next_game, kGamesPerChunk);
    window_start = next_game;
    window_first_ply = window.front().first_ply;
    const hsize_t count = window.back().first_ply + window.back().plies - window_first_ply;
    window_moves.resize(count);
    window_scores.resize(count);
    moves.read(window_first_ply, count, H5T_NATIVE_UINT16, window_moves.data());
    scores.read(window_first_ply, count, H5T_NATIVE_INT16, window_scores.data());
    if (!marks) return;
    window_marks.resize(count);
    marks->read(window_first_ply, count, H5T_NATIVE_UINT8, window_marks.data());
  }

  std::string place;
  H5File file;
  ShardInfo info;
  H5Datatype row_type;
  Column games, moves, scores;
  std::optional<Column> marks;

  hsize_t next_game = 0;
  hsize_t window_start = 0;
  hsize_t window_first_ply = 0;
  std::vector<GameRow> window;
  std::vector<std::uint16_t> window_moves;
  std::vector<std::int16_t> window_scores;
  std::vector<std::uint8_t> window_marks;  // empty if the shard has none
};

GameReader::GameReader(const std::filesystem::path& path) {
  const H5Lock lock;
  impl_ = std::make_unique<Impl>(path);
}

GameReader::GameReader(GameReader&&) noexcept = default;

GameReader::~GameReader() {
  if (!impl_) return;
  const H5Lock lock;
  impl_.reset();
}

const ShardInfo& GameReader::info() const { return impl_->info; }
std::uint64_t GameReader::games() const { return impl_->games.size(); }
std::uint64_t GameReader::plies() const { return impl_->moves.size(); }

bool GameReader::next(GameRecord& game) {
  Impl& in = *impl_;
  if (in.next_game >= in.games.size()) return false;
  if (in.next_game < in.window_start || in.next_game >= in.window_start + in.window.size()) {
    const H5Lock lock;
    in.load_window();
  }
  const GameRow& row = in.window[in.next_game - in.window_start];
  const std::size_t begin = row.first_ply - in.window_first_ply;
  game.start_fen.assign(row.start_fen.begin(), std::find(row.start_fen.begin(), row.start_fen.end(), '\0'));
  game.random_plies = row.random_plies;
  game.result_white = row.result_white;
  game.termination = static_cast<Termination>(row.termination);
  game.game_seed = row.game_seed;
  game.moves.resize(row.plies);
  for (std::size_t i = 0; i < row.plies; ++i) game.moves[i] = Move::from_bits(in.window_moves[begin + i]);
  game.scores_cp_stm.assign(in.window_scores.begin() + static_cast<std::ptrdiff_t>(begin),
                            in.window_scores.begin() + static_cast<std::ptrdiff_t>(begin + row.plies));
  game.exploratory_plies.clear();
  if (!in.window_marks.empty())
    for (std::size_t i = 0; i < row.plies; ++i)
      if ((in.window_marks[begin + i] & kExploratoryMark) != 0)
        game.exploratory_plies.push_back(static_cast<std::uint16_t>(i));
  ++in.next_game;
  return true;
}

void GameReader::seek(std::uint64_t game) {
  assert(game <= games());
  impl_->next_game = game;
}

void GameReader::for_each_header(const std::function<void(const GameHeader&)>& visit) {
  for (hsize_t first = 0; first < impl_->games.size();) {
    std::vector<GameRow> rows;
    {
      const H5Lock lock;
      rows = impl_->rows(first, 4 * kGamesPerChunk);
    }
    first += rows.size();
    for (const GameRow& row : rows) {
      GameHeader header;
      header.first_ply = row.first_ply;
      header.game_seed = row.game_seed;
      header.plies = row.plies;
      header.random_plies = row.random_plies;
      header.result_white = row.result_white;
      header.termination = static_cast<Termination>(row.termination);
      visit(header);
    }
  }
}

}  // namespace farrier
