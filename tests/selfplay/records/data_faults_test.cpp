// Damage, full disks and kills: found and told, never passed on, nothing half-written left.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/selfplay/records/record_testing.h"

namespace farrier {
namespace {

class DataFaults : public RecordsTest {};

/// How reading a damaged file ends.
enum class Reading : char { Same, Refused, Different, Nameless };

Reading read_again(const std::filesystem::path& path, const ShardInfo& info,
                   const std::vector<GameRecord>& games) {
  try {
    GameReader reader(path);
    if (reader.info() != info || reader.games() != games.size()) return Reading::Different;
    GameRecord game;
    for (const GameRecord& expected : games)
      if (!reader.next(game) || game != expected) return Reading::Different;
    return Reading::Same;
  } catch (const UserError& error) {
    return std::string(error.what()).find(path.string()) == 0 ? Reading::Refused : Reading::Nameless;
  } catch (...) {
    return Reading::Nameless;
  }
}

struct Flip {
  off_t place;
  char bits;
};

void flip_byte(int file, Flip flip) {
  char byte = 0;
  if (pread(file, &byte, 1, flip.place) != 1) _exit(9);
  byte = static_cast<char>(byte ^ flip.bits);
  if (pwrite(file, &byte, 1, flip.place) != 1) _exit(9);
}

/// Reads the shard with each byte flipped in turn, in a process of its own, which HDF5 may crash: then the ends told
/// are fewer.
std::string ends_of_flips(const std::filesystem::path& shard, const std::vector<Flip>& flips,
                          const ShardInfo& info, const std::vector<GameRecord>& games) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(shard.c_str(), O_RDWR);
    for (const Flip flip : flips) {
      alarm(60);
      flip_byte(file, flip);
      const auto end = static_cast<char>('0' + static_cast<char>(read_again(shard, info, games)));
      flip_byte(file, flip);
      if (write(ends[1], &end, 1) != 1) break;
    }
    _exit(0);
  }
  close(ends[1]);
  std::string told;
  for (char end; read(ends[0], &end, 1) == 1;) told += end;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return told;
}

// FARRIER_FLIPS sets how many.
TEST_F(DataFaults, AFlippedByteOfAShardIsFoundOrHarmless) {
  std::vector<GameRecord> games = random_games<Crazyhouse>(40, 71);
  games[3].exploratory_plies = {static_cast<std::uint16_t>(games[3].random_plies)};
  const ShardInfo info = run_info(Variant::Crazyhouse, 5);
  const std::filesystem::path shard = folder_ / "shard-000000.h5";
  write_shard(shard, info, games);
  const std::string bytes = file_bytes(shard);

  const char* asked = std::getenv("FARRIER_FLIPS");
  std::vector<Flip> flips(asked ? std::strtoul(asked, nullptr, 10) : 1000);
  Rng rng(72);
  for (Flip& flip : flips)
    flip = {static_cast<off_t>(rng.below(static_cast<std::uint32_t>(bytes.size()))),
            static_cast<char>(1 + rng.below(255))};
  const std::string ends = ends_of_flips(shard, flips, info, games);
  const auto place = [&](std::size_t i) {
    return "byte " + std::to_string(flips[i].place) + " of " + std::to_string(bytes.size()) + " xor " +
           std::to_string(flips[i].bits);
  };
  ASSERT_EQ(ends.size(), flips.size()) << "crashed at " << place(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    EXPECT_NE(ends[i], '2') << "unnoticed: " << place(i);
    EXPECT_NE(ends[i], '3') << "names no file: " << place(i);
  }
  const auto found = static_cast<std::size_t>(std::count(ends.begin(), ends.end(), '1'));
  EXPECT_GT(found, flips.size() / 2);
  EXPECT_EQ(file_bytes(shard), bytes);
  std::cout << flips.size() - found << " harmless, " << found << " found\n";
}

TEST_F(DataFaults, ATruncatedShardNamesItself) {
  write_set(folder_ / "set", random_games<Crazyhouse>(30, 73), run_info(Variant::Crazyhouse, 6), 10);
  const std::filesystem::path cut = folder_ / "set" / shard_name(1);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) * 2 / 3);
  for (const std::string& verb : std::initializer_list<std::string>{
           "stats", "check", "show --game 25", "convert --out " + path("x.pgn"), "merge --out " + path("m"),
           "split --games 3 --out " + path("a") + " --rest " + path("b"),
           "rescore --net material --nodes 10 --out " + path("r")}) {
    const CommandResult result = call("data " + verb + " " + path("set"));
    EXPECT_EQ(result.status, 1) << verb;
    EXPECT_TRUE(contains(result.output, "farrier-selfplay: " + cut.string() + ": ")) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
  EXPECT_EQ(names_in(folder_), std::vector<std::string>{"set"});
}

TEST_F(DataFaults, AFullDiskIsToldAndLeavesNothing) {
  write_set(folder_ / "set", random_games<Crazyhouse>(300, 74), run_info(Variant::Crazyhouse, 7), 100);
  // Files may not grow beyond 8 KiB: the same error as a disk without room, at the same places.
  const std::string limited = "ulimit -f 16; " FARRIER_BIN_DIR "/farrier-selfplay data ";
  for (const std::string& verb : std::initializer_list<std::string>{
           "convert --out " + path("x.pgn"), "convert --out " + path("x.txt"),
           "convert --out " + path("x.epd"), "convert --to positions --out " + path("x.h5"),
           "merge --out " + path("m"), "split --games 150 --out " + path("a") + " --rest " + path("b")}) {
    const CommandResult result = run_command("sh -c '" + limited + verb + " " + path("set") + "'");
    EXPECT_EQ(result.status, 1) << verb << ": " << result.output;
    EXPECT_EQ(result.output.rfind("farrier-selfplay: " + folder_.string(), 0), 0u) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1)
        << verb << ": " << result.output;
    EXPECT_EQ(names_in(folder_), std::vector<std::string>{"set"}) << verb;
  }
}

TEST_F(DataFaults, RescoringGoesOnAfterAFullDisk) {
  write_set(folder_ / "set", random_games<Crazyhouse>(60, 75), run_info(Variant::Crazyhouse, 8), 60);
  const std::string verb = "data rescore --net material --nodes 8 --workers 2 " + path("set") + " --out ";
  ASSERT_EQ(call(verb + path("whole")).status, 0);
  const CommandResult full =
      run_command("sh -c 'ulimit -f 16; " FARRIER_BIN_DIR "/farrier-selfplay " + verb + path("r") + "'");
  EXPECT_EQ(full.status, 1);
  EXPECT_TRUE(contains(full.output, "farrier-selfplay: " + path("r.tmp"))) << full.output;
  EXPECT_FALSE(std::filesystem::exists(path("r")));
  const CommandResult again = call(verb + path("r"));
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_TRUE(contains(again.output, "going on after")) << again.output;
  EXPECT_EQ(folder_bytes(path("r")), folder_bytes(path("whole")));
}

TEST_F(DataFaults, RescoringKilledAtRandomMomentsEndsWithTheSameBytes) {
  write_set(folder_ / "set", random_games<Crazyhouse>(60, 76), run_info(Variant::Crazyhouse, 9), 25);
  const std::string verb = " data rescore --net material --nodes 60 " + path("set") + " --out ";
  ASSERT_EQ(call(verb + path("whole")).status, 0);
  Rng rng(77);
  const char* asked = std::getenv("FARRIER_KILLS");
  int kills = 0;
  for (int i = 0; i < (asked ? std::atoi(asked) : 5); ++i) {
    const std::string milliseconds = std::to_string(5 + rng.below(400));
    run_command("timeout -s KILL 0." + std::string(3 - milliseconds.size(), '0') + milliseconds +
                " " FARRIER_BIN_DIR "/farrier-selfplay" + verb + path("r"));
    if (std::filesystem::exists(path("r"))) {  // it was done: another one
      std::filesystem::remove_all(path("r"));
    } else {
      ++kills;
    }
  }
  EXPECT_GT(kills, 0);
  ASSERT_EQ(call(verb + path("r")).status, 0);
  EXPECT_EQ(folder_bytes(path("r")), folder_bytes(path("whole")));
  EXPECT_EQ(call("data check " + path("r")).status, 0);
  EXPECT_FALSE(std::filesystem::exists(path("r.tmp")));
  EXPECT_TRUE(contains(call(verb + path("r")).output, "already"));
  std::cout << kills << " kills before the end\n";
}

}  // namespace
}  // namespace farrier
