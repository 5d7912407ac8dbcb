#include "selfplay/data/game_writer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "selfplay/data/h5_schema.h"

namespace farrier {
namespace {

using namespace h5;

/// A one-dimensional dataset that grows at its end, compressed by chunks.
class Column {
 public:
  /// The first `size` items are zeros, which take no room.
  Column(const H5File& file, const std::string& place, const char* name, hid_t file_type, hsize_t chunk,
         hsize_t size = 0)
      : place_(place), name_(name), size_(size) {
    const hsize_t unlimited = H5S_UNLIMITED;
    const H5Dataspace space(H5Screate_simple(1, &size_, &unlimited), place, "shape a dataset");
    const H5Properties creation(H5Pcreate(H5P_DATASET_CREATE), place, "make dataset properties");
    h5_require(H5Pset_chunk(creation.id(), 1, &chunk), place, "set the chunk size");
    h5_require(H5Pset_shuffle(creation.id()), place, "set the shuffle filter");
    h5_require(H5Pset_deflate(creation.id(), 6), place, "set the deflate filter");
    h5_require(H5Pset_fletcher32(creation.id()), place, "set the checksum filter");
    // No time stamps: equal games must give equal files.
    h5_require(H5Pset_obj_track_times(creation.id(), false), place, "turn time stamps off");
    dataset_ =
        H5Dataset(H5Dcreate2(file.id(), name, file_type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                  place, std::string("create ") + name);
  }

  void append(const void* items, std::size_t count, hid_t memory_type) {
    if (count == 0) return;
    const std::string action = std::string("write ") + name_;
    const hsize_t start = size_, added = count, grown = size_ + count;
    h5_require(H5Dset_extent(dataset_.id(), &grown), place_, action);
    const H5Dataspace file_space(H5Dget_space(dataset_.id()), place_, action);
    h5_require(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &start, nullptr, &added, nullptr), place_,
               action);
    const H5Dataspace memory_space(H5Screate_simple(1, &added, nullptr), place_, action);
    h5_require(H5Dwrite(dataset_.id(), memory_type, memory_space.id(), file_space.id(), H5P_DEFAULT, items),
               place_, action);
    size_ = grown;
  }

  void close() { dataset_.close(place_, std::string("write ") + name_); }

 private:
  std::string place_;
  const char* name_;
  H5Dataset dataset_;
  hsize_t size_;
};

void write_attribute(const H5File& file, const std::string& place, const char* name, hid_t file_type,
                     hid_t memory_type, const void* value) {
  const std::string action = std::string("write attribute ") + name;
  const H5Dataspace scalar(H5Screate(H5S_SCALAR), place, action);
  const H5Attribute attribute(H5Acreate2(file.id(), name, file_type, scalar.id(), H5P_DEFAULT, H5P_DEFAULT),
                              place, action);
  h5_require(H5Awrite(attribute.id(), memory_type, value), place, action);
}

void write_attribute(const H5File& file, const std::string& place, const char* name, std::uint64_t value) {
  write_attribute(file, place, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

void write_attribute(const H5File& file, const std::string& place, const char* name,
                     const std::string& value) {
  // Of fixed length: texts of variable length lie in a heap without checksums, where a flipped bit crashes HDF5.
  const H5Datatype text(H5Tcopy(H5T_C_S1), place, "make a text type");
  h5_require(H5Tset_size(text.id(), std::max<std::size_t>(value.size(), 1)), place, "size a text type");
  h5_require(H5Tset_strpad(text.id(), H5T_STR_NULLPAD), place, "pad a text type");
  h5_require(H5Tset_cset(text.id(), H5T_CSET_UTF8), place, "make a UTF-8 text type");
  write_attribute(file, place, name, text.id(), text.id(), value.c_str());
}

/// The file format of HDF5 1.10, whose own structures carry checksums, too.
H5Properties checksummed_format(const std::string& place) {
  H5Properties access(H5Pcreate(H5P_FILE_ACCESS), place, "make file properties");
  h5_require(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), place,
             "choose a file format");
  return access;
}

/// Properties of a new file or group that keep it free of time stamps, so that equal games give equal bytes.
H5Properties timeless(hid_t kind, const std::string& place) {
  H5Properties creation(H5Pcreate(kind), place, "make creation properties");
  h5_require(H5Pset_obj_track_times(creation.id(), false), place, "turn time stamps off");
  // All attributes in the object's header: more than 8 would else get a heap and a tree of 10 KB.
  h5_require(H5Pset_attr_phase_change(creation.id(), 64, 0), place, "keep attributes compact");
  return creation;
}

}  // namespace

struct GameWriter::Impl {
  Impl(const std::filesystem::path& path, const ShardInfo& info)
      : pending(path),
        place(pending.temporary().string()),
        file(H5Fcreate(place.c_str(), H5F_ACC_TRUNC, timeless(H5P_FILE_CREATE, place).id(),
                       checksummed_format(place).id()),
             place, "create this file; choose a folder that exists and that you may write to"),
        plies_group(H5Gcreate2(file.id(), kPliesGroup, H5P_DEFAULT, timeless(H5P_GROUP_CREATE, place).id(),
                               H5P_DEFAULT),
                    place, "create its groups"),
        file_row(game_row_type(true)),
        memory_row(game_row_type(false)),
        games(file, place, kGamesTable, file_row.id(), kGamesPerChunk),
        moves(file, place, kMoveColumn, H5T_STD_U16LE, kPliesPerChunk),
        scores(file, place, kScoreColumn, H5T_STD_I16LE, kPliesPerChunk) {
    write_attribute(file, place, "format", std::string(kFormatName));
    write_attribute(file, place, "schema_version", kShardSchemaVersion);
    write_attribute(file, place, "variant", std::string(variant_name(info.variant)));
    write_attribute(file, place, "program", info.program);
    write_attribute(file, place, "commit", info.commit);
    write_attribute(file, place, "net", info.net);
    write_attribute(file, place, "seed", info.seed);
    write_attribute(file, place, "generation", info.generation);
    write_attribute(file, place, "first_game", info.first_game);
    write_attribute(file, place, "settings", info.settings);
  }

  void flush() {
    games.append(rows_waiting.data(), rows_waiting.size(), memory_row.id());
    moves.append(moves_waiting.data(), moves_waiting.size(), H5T_NATIVE_UINT16);
    scores.append(scores_waiting.data(), scores_waiting.size(), H5T_NATIVE_INT16);
    flush_marks();
    plies_flushed += moves_waiting.size();
    rows_waiting.clear();
    moves_waiting.clear();
    scores_waiting.clear();
  }

  /// The column appears with the first mark, so that games without any cost nothing.
  void flush_marks() {
    const bool any = std::find_if(marks_waiting.begin(), marks_waiting.end(),
                                  [](std::uint8_t mark) { return mark != 0; }) != marks_waiting.end();
    if (any && !marks) marks.emplace(file, place, kMarkColumn, H5T_STD_U8LE, kPliesPerChunk, plies_flushed);
    if (marks) marks->append(marks_waiting.data(), marks_waiting.size(), H5T_NATIVE_UINT8);
    marks_waiting.clear();
  }

  PendingFile pending;
  std::string place;
  H5File file;
  H5Group plies_group;
  H5Datatype file_row, memory_row;
  Column games, moves, scores;
  std::optional<Column> marks;
  std::uint64_t plies = 0, plies_flushed = 0;
  std::vector<GameRow> rows_waiting;
  std::vector<std::uint16_t> moves_waiting;
  std::vector<std::int16_t> scores_waiting;
  std::vector<std::uint8_t> marks_waiting;
};

GameWriter::GameWriter(const std::filesystem::path& path, const ShardInfo& info) {
  const H5Lock lock;
  impl_ = std::make_unique<Impl>(path, info);
}

GameWriter::~GameWriter() {
  const H5Lock lock;
  impl_.reset();
}

void GameWriter::add(const GameRecord& game) {
  const std::string place = impl_->place;
  if (game.scores_cp_stm.size() != game.moves.size() || game.random_plies > game.moves.size() ||
      (!game.exploratory_plies.empty() && game.exploratory_plies.back() >= game.moves.size()))
    throw UserError(place, "a game with unequal columns cannot be stored; this is a fault of the program");
  if (game.start_fen.size() >= kFenBytes || game.moves.size() > kMaxGamePlies)
    throw UserError(place,
                    "a game with a start FEN beyond 127 characters or more than 2000 plies cannot be stored");
  GameRow row{};
  std::copy(game.start_fen.begin(), game.start_fen.end(), row.start_fen.begin());
  row.first_ply = impl_->plies;
  row.game_seed = game.game_seed;
  row.plies = static_cast<std::uint16_t>(game.moves.size());
  row.random_plies = game.random_plies;
  row.result_white = static_cast<std::int8_t>(game.result_white);
  row.termination = static_cast<std::uint8_t>(game.termination);
  impl_->plies += game.moves.size();
  impl_->rows_waiting.push_back(row);
  for (Move move : game.moves) impl_->moves_waiting.push_back(move.bits());
  impl_->scores_waiting.insert(impl_->scores_waiting.end(), game.scores_cp_stm.begin(),
                               game.scores_cp_stm.end());
  impl_->marks_waiting.resize(impl_->moves_waiting.size(), 0);
  for (const std::uint16_t ply : game.exploratory_plies)
    impl_->marks_waiting[impl_->moves_waiting.size() - game.moves.size() + ply] = kExploratoryMark;
  if (impl_->moves_waiting.size() < kPliesPerChunk) return;
  const H5Lock lock;
  impl_->flush();
}

void GameWriter::finish() {
  const H5Lock lock;
  impl_->flush();
  impl_->games.close();
  impl_->moves.close();
  impl_->scores.close();
  if (impl_->marks) impl_->marks->close();
  impl_->plies_group.close(impl_->place, "write its groups");
  impl_->file.close(impl_->place, "write this file to its end");
  impl_->pending.publish();
  impl_.reset();
}

}  // namespace farrier
