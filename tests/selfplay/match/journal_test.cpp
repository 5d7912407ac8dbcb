// The journal brings a killed match to the same end, and takes no file that isn't this match's own.
#include "selfplay/match/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "tests/selfplay/match/match_fixtures.h"

namespace farrier {
namespace {

class JournalOfAMatch : public MatchTest {
 protected:
  JournalOfAMatch() {
    settings_.variant = Variant::Crazyhouse;
    settings_.games = 200;
    settings_.workers = 1;
    settings_.journal = folder_ / "match.jsonl";
  }

  MatchResult play(int workers = 1) {
    settings_.workers = workers;
    return schedule_match(settings_, [this] { return counting_player(); });
  }
  PairPlayer counting_player() {
    return [this](std::int64_t index, const std::function<bool()>&) {
      ++pairs_played_;
      return made_up_pair(5, index);
    };
  }
  std::string refusal() {
    return refusal_of([this] { MatchJournal journal(settings_); });
  }

  MatchSettings settings_;
  std::atomic<int> pairs_played_{0};
};

TEST_F(JournalOfAMatch, HoldsWhatWasAppended) {
  {
    MatchJournal journal(settings_);
    EXPECT_TRUE(journal.pairs().empty());
    journal.append(made_up_pair(5, 4));
    journal.append(made_up_pair(5, 0));
  }
  EXPECT_EQ(MatchJournal(settings_).pairs(), (std::vector{made_up_pair(5, 4), made_up_pair(5, 0)}));
}

TEST_F(JournalOfAMatch, AFinishedMatchIsToldAgainWithoutPlaying) {
  const MatchResult first = play();
  EXPECT_EQ(first.end, MatchEnd::AllPlayed);
  EXPECT_EQ(pairs_played_, 100);
  EXPECT_EQ(play(), first);
  EXPECT_EQ(pairs_played_, 100);
}

TEST_F(JournalOfAMatch, AMatchCutAnywhereGoesOnToTheSameCounts) {
  settings_.games = 2000;
  settings_.sprt = SprtSettings{.elo0 = 0, .elo1 = 60};
  const MatchResult whole = play(4);
  ASSERT_EQ(whole.end, MatchEnd::AcceptedH1);
  const std::string bytes = read_file(settings_.journal);
  Rng rng(9);
  for (int trial = 0; trial < 60; ++trial) {
    write_file(settings_.journal, bytes.substr(0, rng.below(static_cast<std::uint32_t>(bytes.size() + 1))));
    ASSERT_EQ(play(trial % 2 == 0 ? 1 : 4), whole);
  }
}

TEST_F(JournalOfAMatch, ALineTornByACrashIsDroppedAndPlayedAgain) {
  const MatchResult whole = play();
  std::string bytes = read_file(settings_.journal);
  for (const std::string& torn : {std::string("{\"pair\":3,"), std::string(40, '\0') + "\n"}) {
    const std::size_t last_line = bytes.rfind('\n', bytes.size() - 2) + 1;
    write_file(settings_.journal, bytes.substr(0, last_line) + torn);
    pairs_played_ = 0;
    EXPECT_EQ(play(), whole);
    EXPECT_EQ(pairs_played_, 1);
    EXPECT_EQ(read_file(settings_.journal), bytes);
  }
}

TEST_F(JournalOfAMatch, OneOfOtherSettingsIsRefusedWithTheDifference) {
  play();
  const std::string bytes = read_file(settings_.journal);
  settings_.b.hard_nodes = 800;
  EXPECT_EQ(refusal(),
            settings_.journal.string() +
                ": belongs to a match with other settings (b/hard_nodes is 1000 there and 800 here); "
                "give another file, or remove it to start anew");
  settings_.b.hard_nodes = 1000;
  settings_.sprt = SprtSettings{};
  EXPECT_NE(refusal().find("other settings (sprt is null there"), std::string::npos) << refusal();
  settings_.sprt.reset();
  settings_.seed = 2;
  EXPECT_NE(refusal().find("other settings (seed is 1 there and 2 here)"), std::string::npos) << refusal();
  EXPECT_EQ(read_file(settings_.journal), bytes);  // untouched by all that
}

TEST_F(JournalOfAMatch, AnotherMatchWithoutAFinishedPairIsWrittenOver) {
  { MatchJournal journal(settings_); }  // as a match leaves it that could not start
  settings_.b.hard_nodes = 800;
  EXPECT_EQ(refusal(), "");
  const std::string bytes = read_file(settings_.journal);
  EXPECT_NE(bytes.find("\"hard_nodes\":800"), std::string::npos);
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), '\n'), 1);
}

TEST_F(JournalOfAMatch, NetsAreKnownByTheirWeightsAndNotByTheirNames) {
  Net net = random_net(Variant::Crazyhouse, 1);
  settings_.a.net = std::make_shared<const Net>(net);
  settings_.a.name = "one.fnn";
  play();
  settings_.a.name = "copy.fnn";
  EXPECT_EQ(refusal(), "");
  net.layers[0].bias[0] += 1;
  settings_.a.net = std::make_shared<const Net>(net);
  EXPECT_NE(refusal().find("a/evaluation"), std::string::npos) << refusal();
}

TEST_F(JournalOfAMatch, AFileThatIsNoJournalIsRefusedAndLeftAlone) {
  for (const std::string bytes : {"my notes", "my notes\n", "{\"a\":1}\n", "[]\n", "\n"}) {
    write_file(settings_.journal, bytes);
    EXPECT_NE(refusal().find("is no match journal"), std::string::npos) << bytes;
    EXPECT_EQ(read_file(settings_.journal), bytes);
  }
}

TEST_F(JournalOfAMatch, ADamagedLineIsNamed) {
  play();
  std::string bytes = read_file(settings_.journal);
  const std::size_t second_line = bytes.find('\n') + 1;
  bytes[second_line] = '#';
  write_file(settings_.journal, bytes);
  EXPECT_NE(refusal().find("line 2 is damaged"), std::string::npos) << refusal();
  EXPECT_EQ(read_file(settings_.journal), bytes);
}

TEST_F(JournalOfAMatch, APairThatStandsTwiceIsDamage) {
  play();
  const std::string bytes = read_file(settings_.journal);
  const std::size_t second_line = bytes.find('\n') + 1;
  const std::size_t third_line = bytes.find('\n', second_line) + 1;
  write_file(settings_.journal, bytes.substr(0, third_line) + bytes.substr(second_line));
  EXPECT_NE(refusal().find("line 3 is damaged"), std::string::npos) << refusal();
}

TEST_F(JournalOfAMatch, TwoMatchesDoNotShareOne) {
  MatchJournal journal(settings_);
  EXPECT_NE(refusal().find("another match is writing this journal"), std::string::npos) << refusal();
}

TEST_F(JournalOfAMatch, AFolderThatIsMissingIsNamed) {
  settings_.journal = folder_ / "absent" / "match.jsonl";
  EXPECT_NE(refusal().find("match.jsonl: cannot be opened (No such file"), std::string::npos) << refusal();
}

}  // namespace
}  // namespace farrier
