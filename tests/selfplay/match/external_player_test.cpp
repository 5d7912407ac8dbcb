// Engines that break: the right verdict for each, nothing left running, and the next game starts.
#include "selfplay/match/external_player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <thread>

#include "selfplay/match/journal.h"
#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Whether the group has a process that isn't a zombie; an orphan is one until init reaps it.
bool lives_in_group(pid_t group) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string().front())) == 0) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos) continue;
    std::istringstream fields(text.substr(name_end + 1));
    char state = 0;
    pid_t parent = 0, its_group = 0;
    if (fields >> state >> parent >> its_group && its_group == group && state != 'Z') return true;
  }
  return false;
}

class EngineMatch : public MatchTest {
 protected:
  /// Two pairs between the test engine, which is A, and material.
  EngineMatch() {
    settings_.variant = Variant::Chess;
    settings_.b.hard_nodes = 20;
    settings_.b.hash_mib = 1;
    settings_.openings.check_nodes = 50;
    settings_.adjudication.max_plies = 24;
    settings_.games = 4;
    settings_.workers = 1;
    settings_.stall = milliseconds(600);
    settings_.journal = folder_ / "match.jsonl";
    settings_.log = folder_ / "match.log";
  }

  /// A breaks once, at its second move of the match.
  void let_break(const std::string& fault, const std::vector<std::string>& more = {}) {
    let_always_break(fault, {"at=2", "once=" + (folder_ / "broke").string()});
    settings_.a.engine->child.args.insert(settings_.a.engine->child.args.end(), more.begin(), more.end());
  }
  void let_always_break(const std::string& fault, const std::vector<std::string>& more = {}) {
    settings_.a.name = "faulty";
    settings_.a.hard_nodes = 100;
    settings_.a.engine.emplace();
    settings_.a.engine->child.program = std::string(FARRIER_BIN_DIR) + "/faulty_engine";
    settings_.a.engine->child.args = {fault, "pids=" + pids().string()};
    settings_.a.engine->child.args.insert(settings_.a.engine->child.args.end(), more.begin(), more.end());
  }
  std::filesystem::path pids() const { return folder_ / "pids"; }

  void expect_nothing_left_running() const {
    std::ifstream file(pids());
    int engines = 0;
    for (pid_t pid; file >> pid; ++engines) {
      const auto deadline = steady_clock::now() + std::chrono::seconds(2);
      while (lives_in_group(pid) && steady_clock::now() < deadline)
        std::this_thread::sleep_for(milliseconds(5));
      EXPECT_FALSE(lives_in_group(pid)) << "a process of group " << pid << " lives";
    }
    EXPECT_GE(engines, 1);
  }

  /// The first game ends so, and all others are played without a fault.
  void expect_one_fault(Termination verdict, const std::string& what) {
    const MatchResult result = run_match(settings_);
    EXPECT_EQ(result.end, MatchEnd::AllPlayed);
    EXPECT_EQ(result.games.games(), 4);
    EXPECT_EQ(result.faults[0][static_cast<std::size_t>(verdict)], 1);
    EXPECT_EQ(result.faults[1], TerminationCounts{});
    const MatchGame broken = MatchJournal(settings_).pairs().at(0).games[0];
    EXPECT_EQ(broken.termination, verdict);
    EXPECT_EQ(broken.result_a, -1);
    EXPECT_NE(broken.fault.find(what), std::string::npos) << broken.fault;
    std::int64_t faults = 0;
    for (const std::int64_t count : result.faults[0]) faults += count;
    EXPECT_EQ(faults, 1);
    const std::string log = read_file(settings_.log);
    EXPECT_NE(log.find("Pair 0, game 1: faulty (A) loses by " + std::string(termination_name(verdict))),
              std::string::npos)
        << log;
    EXPECT_NE(log.find("> go nodes 100\n"), std::string::npos) << log;
    expect_nothing_left_running();
  }

  /// No fault at all.
  void expect_clean() {
    const MatchResult result = run_match(settings_);
    EXPECT_EQ(result.end, MatchEnd::AllPlayed);
    EXPECT_FALSE(result.has_faults()) << read_file(settings_.log);
    expect_nothing_left_running();
  }

  MatchSettings settings_;
};

TEST_F(EngineMatch, ASoundEnginePlaysWithoutAFaultAndItsWordsAreKept) {
  let_always_break("none");
  expect_clean();
  const MatchGame game = MatchJournal(settings_).pairs().at(0).games[0];
  ASSERT_GE(game.notes.size(), 2u);
  bool found = false;
  for (const MoveNote& note : game.notes) {
    EXPECT_GT(note.time_us, 0);
    found = found || (note.score_cp_stm == 12 && note.depth == 1 && note.nodes == 20);
  }
  EXPECT_TRUE(found);
  EXPECT_NE(read_file(settings_.log).find("until the referee knew"), std::string::npos);
}

TEST_F(EngineMatch, AnEngineThatCrashesLosesByIt) {
  let_break("crash");
  expect_one_fault(Termination::Crash, "killed by signal 6");
}

TEST_F(EngineMatch, AnEngineThatLeavesLosesByIt) {
  let_break("exit");
  expect_one_fault(Termination::Crash, "exit status 4");
}

TEST_F(EngineMatch, AnEngineThatHangsLosesByAStall) {
  settings_.a.move_time = milliseconds(50);
  let_break("hang");
  settings_.a.hard_nodes = 100;
  const MatchResult result = run_match(settings_);
  EXPECT_EQ(result.faults[0][static_cast<std::size_t>(Termination::Stall)], 1);
  EXPECT_EQ(result.games.games(), 4);
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AnEngineThatDoesNotEvenListenLosesByAStall) {
  settings_.a.move_time = milliseconds(50);
  let_break("deaf");
  const MatchResult result = run_match(settings_);
  EXPECT_EQ(result.faults[0][static_cast<std::size_t>(Termination::Stall)], 1);
  EXPECT_EQ(result.games.games(), 4);
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AnIllegalMoveLoses) {
  let_break("illegal");
  expect_one_fault(Termination::IllegalMove, "a1h8");
}

TEST_F(EngineMatch, ToSeeNoMoveWhereThereIsOneIsIllegal) {
  let_break("resign");
  expect_one_fault(Termination::IllegalMove, "(none)");
}

TEST_F(EngineMatch, ABestmoveThatIsNoMoveIsAProtocolError) {
  let_break("rubbish-move");
  expect_one_fault(Termination::ProtocolError, "\"bestmove tomorrow ??\" names no move");
}

TEST_F(EngineMatch, RubbishInsteadOfABestmoveIsAProtocolError) {
  settings_.a.move_time = milliseconds(50);
  let_break("rubbish");
  const MatchResult result = run_match(settings_);
  EXPECT_EQ(result.faults[0][static_cast<std::size_t>(Termination::ProtocolError)], 1);
  EXPECT_EQ(MatchJournal(settings_).pairs().at(0).games[0].fault,
            "\"Segmentation of the market\" instead of a bestmove");
  expect_nothing_left_running();
}

TEST_F(EngineMatch, ASecondBestmoveIsAProtocolError) {
  let_break("two-moves");
  expect_one_fault(Termination::ProtocolError, "without being asked");
}

TEST_F(EngineMatch, ALateAnswerLosesByTimeAndNotByAStall) {
  settings_.a.clock = parse_time_control("0.2+0.2").value_or_throw("tc");
  let_break("late", {"ms=500"});
  const MatchResult result = run_match(settings_);
  EXPECT_EQ(result.faults[0][static_cast<std::size_t>(Termination::TimeForfeit)], 1);
  EXPECT_EQ(result.games.games(), 4);
  const MatchGame game = MatchJournal(settings_).pairs().at(0).games[0];
  EXPECT_EQ(game.termination, Termination::TimeForfeit);
  EXPECT_TRUE(game.fault.starts_with("took 5")) << game.fault;
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AnEngineThatIgnoresQuitIsEnded) {
  let_always_break("ignore-quit");
  expect_clean();
}

TEST_F(EngineMatch, ChildrenOfAnEngineEndWithIt) {
  let_always_break("fork");
  expect_clean();
}

TEST_F(EngineMatch, ACrashIsSeenThoughAChildKeepsThePipeOpen) {
  let_break("fork-and-crash");
  const auto start = steady_clock::now();
  expect_one_fault(Termination::Crash, "killed by signal 6");
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(EngineMatch, AFloodOfLinesIsTaken) {
  let_break("flood");
  expect_clean();
}

TEST_F(EngineMatch, AFloodWithoutEndIsAStall) {
  settings_.a.move_time = milliseconds(50);
  let_break("flood-forever");
  const MatchResult result = run_match(settings_);
  EXPECT_EQ(result.faults[0][static_cast<std::size_t>(Termination::Stall)], 1);
  EXPECT_EQ(result.games.games(), 4);
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AVeryLongLineIsTaken) {
  let_break("long-line");
  expect_clean();
}

TEST_F(EngineMatch, AnEngineThatCannotBeStartedIsToldBeforeTheFirstGame) {
  let_always_break("crash-at-start");
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }),
            "faulty: ended before uciok (exit status 3); does it speak UCI?");
  let_always_break("silent-at-start");
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }), "faulty: gives no uciok; does it speak UCI?");
  settings_.a.engine->child.program = "/nowhere/engine";
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }),
            "/nowhere/engine: cannot be started (No such file or directory)");
  settings_.a.engine->child.program = "no-such-engine";
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }),
            "no-such-engine: cannot be started (No such file or directory)");
  let_always_break("none");
  settings_.a.engine->child.folder = folder_ / "absent";
  EXPECT_NE(refusal_of([this] { run_match(settings_); }).find("absent"), std::string::npos);
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AnEngineIsRefusedForAGameOrAnOptionThatItDoesNotKnow) {
  let_always_break("none");
  settings_.a.engine->options = {{"style", "3"}};  // names don't distinguish case
  expect_clean();
  std::filesystem::remove(settings_.journal);
  settings_.a.engine->options = {{"Hsh", "3"}};
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }),
            "faulty: has no option \"Hsh\"; ask it by typing uci");
  settings_.a.engine->options.clear();
  std::filesystem::remove(settings_.journal);
  settings_.variant = Variant::Knightmate;
  EXPECT_EQ(refusal_of([this] { run_match(settings_); }),
            "faulty: does not play knightmate, as its UCI_Variant says");
  expect_nothing_left_running();
}

TEST_F(EngineMatch, AMatchCanEndAtTheFirstFaultAndGoesOnBeforeIt) {
  let_break("crash");
  settings_.stop_on_fault = true;
  const MatchResult stopped = run_match(settings_);
  EXPECT_EQ(stopped.end, MatchEnd::Faulty);
  EXPECT_EQ(stopped.games.games(), 0);
  expect_nothing_left_running();
  const MatchResult resumed = run_match(settings_);
  EXPECT_EQ(resumed.end, MatchEnd::AllPlayed);
  EXPECT_EQ(resumed.games.games(), 4);
}

TEST_F(EngineMatch, AnInterruptedMatchLeavesNothingRunningAndGoesOn) {
  let_break("hang");
  settings_.stall = milliseconds(60000);
  std::atomic<bool> stop{false};
  settings_.stop = &stop;
  std::thread interrupter([&] {
    std::this_thread::sleep_for(milliseconds(700));
    stop = true;
  });
  const MatchResult part = run_match(settings_);
  interrupter.join();
  EXPECT_EQ(part.end, MatchEnd::Interrupted);
  expect_nothing_left_running();
  stop = false;
  expect_clean();
}

TEST_F(EngineMatch, AnEngineCanBeStartedAnewForEveryGame) {
  let_always_break("none");
  settings_.a.engine->restart_every_game = true;
  expect_clean();
  const std::string text = read_file(pids());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);  // at first, and before each of four games
}

TEST_F(EngineMatch, TwoWorkersHaveEnginesOfTheirOwn) {
  let_always_break("none");
  settings_.workers = 2;
  settings_.affinity = true;
  settings_.games = 8;
  expect_clean();
}

}  // namespace
}  // namespace farrier
