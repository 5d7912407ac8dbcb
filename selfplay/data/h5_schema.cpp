#include "selfplay/data/h5_schema.h"

namespace farrier::h5 {

H5Datatype game_row_type(bool in_file) {
  const std::string place = "game table";
  const H5Datatype fen(H5Tcopy(H5T_C_S1), place, "make a text type");
  h5_require(H5Tset_size(fen.id(), kFenBytes), place, "size a text type");
  h5_require(H5Tset_strpad(fen.id(), H5T_STR_NULLPAD), place, "pad a text type");

  struct Member {
    const char* name;
    std::size_t memory_offset;
    std::size_t size;
    hid_t memory_type;
    hid_t file_type;
  };
  const Member members[] = {
      {"start_fen", offsetof(GameRow, start_fen), kFenBytes, fen.id(), fen.id()},
      {"first_ply", offsetof(GameRow, first_ply), 8, H5T_NATIVE_UINT64, H5T_STD_U64LE},
      {"plies", offsetof(GameRow, plies), 2, H5T_NATIVE_UINT16, H5T_STD_U16LE},
      {"random_plies", offsetof(GameRow, random_plies), 2, H5T_NATIVE_UINT16, H5T_STD_U16LE},
      {"result_white", offsetof(GameRow, result_white), 1, H5T_NATIVE_INT8, H5T_STD_I8LE},
      {"termination", offsetof(GameRow, termination), 1, H5T_NATIVE_UINT8, H5T_STD_U8LE},
      {"game_seed", offsetof(GameRow, game_seed), 8, H5T_NATIVE_UINT64, H5T_STD_U64LE},
  };
  std::size_t packed_size = 0;
  for (const Member& m : members) packed_size += m.size;

  H5Datatype row(H5Tcreate(H5T_COMPOUND, in_file ? packed_size : sizeof(GameRow)), place,
                 "make its row type");
  std::size_t offset = 0;
  for (const Member& m : members) {
    h5_require(H5Tinsert(row.id(), m.name, in_file ? offset : m.memory_offset,
                         in_file ? m.file_type : m.memory_type),
               place, "build its row type");
    offset += m.size;
  }
  return row;
}

}  // namespace farrier::h5
