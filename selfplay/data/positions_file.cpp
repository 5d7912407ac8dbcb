#include "selfplay/data/positions_file.h"

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include "engine/base/files.h"
#include "selfplay/data/h5_handle.h"

namespace farrier {
namespace {

constexpr hsize_t kRowsPerChunk = 1024;
/// Seven kinds of men of each colour, then the mark of promoted men.
constexpr std::size_t kPlanes = 2 * kPieceTypeCount + 1;

H5Properties timeless(hid_t kind, const std::string& place) {
  H5Properties creation(H5Pcreate(kind), place, "make creation properties");
  h5_require(H5Pset_obj_track_times(creation.id(), false), place, "turn time stamps off");
  return creation;
}

H5Properties checksummed_format(const std::string& place) {
  H5Properties access(H5Pcreate(H5P_FILE_ACCESS), place, "make file properties");
  h5_require(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), place,
             "choose a file format");
  return access;
}

/// A dataset of rows of one shape, filled in chunks.
template <class T>
class Rows {
 public:
  Rows(const H5File& file, const std::string& place, const char* name, hid_t file_type, hid_t memory_type,
       std::vector<hsize_t> row_shape)
      : place_(place), action_(std::string("write ") + name), memory_type_(memory_type), extent_(1, 0) {
    extent_.insert(extent_.end(), row_shape.begin(), row_shape.end());
    std::vector<hsize_t> most = extent_, chunk = extent_;
    most[0] = H5S_UNLIMITED;
    chunk[0] = kRowsPerChunk;
    for (const hsize_t n : row_shape) row_items_ *= n;
    const H5Dataspace space(H5Screate_simple(rank(), extent_.data(), most.data()), place, "shape a dataset");
    const H5Properties creation = timeless(H5P_DATASET_CREATE, place);
    h5_require(H5Pset_chunk(creation.id(), rank(), chunk.data()), place, "set the chunk size");
    h5_require(H5Pset_shuffle(creation.id()), place, "set the shuffle filter");
    h5_require(H5Pset_deflate(creation.id(), 4), place, "set the deflate filter");
    h5_require(H5Pset_fletcher32(creation.id()), place, "set the checksum filter");
    dataset_ =
        H5Dataset(H5Dcreate2(file.id(), name, file_type, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                  place, std::string("create ") + name);
  }

  /// Room for one more row, zeros.
  T* add_row() {
    waiting_.resize(waiting_.size() + row_items_);
    return waiting_.data() + waiting_.size() - row_items_;
  }
  void add_item(T item) { *add_row() = item; }

  void flush() {
    if (waiting_.empty()) return;
    std::vector<hsize_t> start(extent_.size(), 0), count = extent_;
    start[0] = extent_[0];
    count[0] = waiting_.size() / row_items_;
    extent_[0] += count[0];
    h5_require(H5Dset_extent(dataset_.id(), extent_.data()), place_, action_);
    const H5Dataspace file_space(H5Dget_space(dataset_.id()), place_, action_);
    h5_require(
        H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        place_, action_);
    const H5Dataspace memory_space(H5Screate_simple(rank(), count.data(), nullptr), place_, action_);
    h5_require(H5Dwrite(dataset_.id(), memory_type_, memory_space.id(), file_space.id(), H5P_DEFAULT,
                        waiting_.data()),
               place_, action_);
    waiting_.clear();
  }

  void close() { dataset_.close(place_, action_); }

 private:
  int rank() const { return static_cast<int>(extent_.size()); }

  std::string place_, action_;
  hid_t memory_type_;
  std::vector<hsize_t> extent_;
  hsize_t row_items_ = 1;
  H5Dataset dataset_;
  std::vector<T> waiting_;
};

void write_text(const H5File& file, const std::string& place, const char* name, const std::string& value) {
  const std::string action = std::string("write attribute ") + name;
  const H5Datatype text(H5Tcopy(H5T_C_S1), place, action);
  h5_require(H5Tset_size(text.id(), value.size()), place, action);
  h5_require(H5Tset_strpad(text.id(), H5T_STR_NULLPAD), place, action);
  h5_require(H5Tset_cset(text.id(), H5T_CSET_UTF8), place, action);
  const H5Dataspace scalar(H5Screate(H5S_SCALAR), place, action);
  const H5Attribute attribute(H5Acreate2(file.id(), name, text.id(), scalar.id(), H5P_DEFAULT, H5P_DEFAULT),
                              place, action);
  h5_require(H5Awrite(attribute.id(), text.id(), value.c_str()), place, action);
}

}  // namespace

struct PositionsFile::Impl {
  Impl(const std::filesystem::path& path, Variant variant)
      : pending(path),
        place(path.string()),
        file(H5Fcreate(pending.temporary().c_str(), H5F_ACC_TRUNC, timeless(H5P_FILE_CREATE, place).id(),
                       checksummed_format(place).id()),
             place, "create this file; choose a folder that exists and that you may write to"),
        planes(file, place, "planes", H5T_STD_U8LE, H5T_NATIVE_UINT8, {kPlanes, 8, 8}),
        hands(file, place, "hands", H5T_STD_U8LE, H5T_NATIVE_UINT8, {kColorCount, kHandTypeCount}),
        black_to_move(file, place, "black_to_move", H5T_STD_U8LE, H5T_NATIVE_UINT8, {}),
        castling(file, place, "castling", H5T_STD_U8LE, H5T_NATIVE_UINT8, {}),
        en_passant(file, place, "en_passant", H5T_STD_I8LE, H5T_NATIVE_INT8, {}),
        halfmove_clock(file, place, "halfmove_clock", H5T_STD_U16LE, H5T_NATIVE_UINT16, {}),
        move(file, place, "move", H5T_STD_U16LE, H5T_NATIVE_UINT16, {}),
        score(file, place, "score_cp_stm", H5T_STD_I16LE, H5T_NATIVE_INT16, {}),
        result(file, place, "result_stm", H5T_STD_I8LE, H5T_NATIVE_INT8, {}),
        game(file, place, "game", H5T_STD_U64LE, H5T_NATIVE_UINT64, {}) {
    write_text(file, place, "format", "farrier positions");
    write_text(file, place, "variant", std::string(variant_name(variant)));
    write_text(file, place, "planes", "P N B R Q K M p n b r q k m promoted");
    write_text(file, place, "hands", "P N B R Q");
  }

  template <class F>
  void for_each_column(F&& f) {
    f(planes), f(hands), f(black_to_move), f(castling), f(en_passant), f(halfmove_clock), f(move), f(score);
    f(result), f(game);
  }

  void flush() {
    for_each_column([](auto& column) { column.flush(); });
    rows_waiting = 0;
  }

  PendingFile pending;
  std::string place;
  H5File file;
  Rows<std::uint8_t> planes, hands, black_to_move, castling;
  Rows<std::int8_t> en_passant;
  Rows<std::uint16_t> halfmove_clock, move;
  Rows<std::int16_t> score;
  Rows<std::int8_t> result;
  Rows<std::uint64_t> game;
  hsize_t rows_waiting = 0;
};

PositionsFile::PositionsFile(const std::filesystem::path& path, Variant variant) {
  const H5Lock lock;
  impl_ = std::make_unique<Impl>(path, variant);
}

PositionsFile::~PositionsFile() {
  const H5Lock lock;
  impl_.reset();
}

void PositionsFile::add(const Board& board, const PositionLabels& labels) {
  Impl& out = *impl_;
  std::uint8_t* planes = out.planes.add_row();
  for (const Square s : board.occupied()) {
    const Piece piece = board.at(s);
    const int plane = index(piece.type()) + kPieceTypeCount * index(piece.color());
    planes[64 * plane + index(s)] = 1;
  }
  for (const Square s : board.promoted) planes[64 * (kPlanes - 1) + static_cast<std::size_t>(index(s))] = 1;
  std::uint8_t* hands = out.hands.add_row();
  for (std::size_t c = 0; c < board.hands.size(); ++c)
    for (std::size_t t = 0; t < board.hands[c].size(); ++t) hands[c * kHandTypeCount + t] = board.hands[c][t];
  out.black_to_move.add_item(static_cast<std::uint8_t>(index(board.side_to_move)));
  out.castling.add_item(board.castling);
  out.en_passant.add_item(
      board.en_passant == Square::None ? std::int8_t{-1} : static_cast<std::int8_t>(index(board.en_passant)));
  out.halfmove_clock.add_item(board.halfmove_clock);
  out.move.add_item(labels.move.bits());
  out.score.add_item(labels.score_cp_stm);
  out.result.add_item(labels.result_stm);
  out.game.add_item(labels.game);
  if (++out.rows_waiting < kRowsPerChunk) return;
  const H5Lock lock;
  out.flush();
}

void PositionsFile::finish() {
  const H5Lock lock;
  impl_->flush();
  impl_->for_each_column([](auto& column) { column.close(); });
  impl_->file.close(impl_->place, "write this file to its end");
  impl_->pending.publish();
  impl_.reset();
}

}  // namespace farrier
