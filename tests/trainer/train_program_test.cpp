// `farrier train` and `farrier export` as programs, killed at moments that chance decides.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <torch/cuda.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "engine/base/files.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint_folder.h"

namespace farrier {
namespace {

class TrainProgram : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    ShardInfo info;
    info.variant = Variant::Crazyhouse;
    std::filesystem::create_directories(folder_ / "data");
    write_shard(folder_ / "data" / shard_name(0), info, random_games_of(Variant::Crazyhouse, 300));
  }

  std::filesystem::path write_config(const std::string& more, int epochs = 16) {
    const std::filesystem::path path = folder_ / "config.toml";
    write_file_whole(path, "variant = 'crazyhouse'\nseed = 5\n[train]\nepochs = " + std::to_string(epochs) +
                               "\nbatch = 128\nvalidation_share = 0.2\nthreads = 1\n" + more);
    return path;
  }

  /// Starts `farrier ARGUMENTS`, its output going to log.txt.
  pid_t start(const std::vector<std::string>& arguments) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const std::string log = log_path().string();
    std::ignore = freopen(log.c_str(), "a", stdout);
    std::ignore = freopen(log.c_str(), "a", stderr);
    const std::string program = std::string(FARRIER_BIN_DIR) + "/farrier";
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  static int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
  }
  std::filesystem::path log_path() const { return folder_ / "log.txt"; }

  std::vector<std::string> train_call(const std::filesystem::path& config, const std::string& out) const {
    return {"train", config.string(),         "--data", (folder_ / "data").string(),
            "--out", (folder_ / out).string()};
  }
  std::filesystem::file_time_type last_written(const std::string& out) const {
    std::error_code error;
    return std::filesystem::last_write_time(folder_ / out / kCheckpointName, error);
  }
  std::string exported(const std::string& out) {
    const std::filesystem::path net = folder_ / (out + ".fnn");
    EXPECT_EQ(wait_for(start({"export", (folder_ / out).string(), "--out", net.string()})), 0)
        << read_file(log_path());
    return read_file(net);
  }
};

TEST_F(TrainProgram, KilledAtAnyMomentAndResumedEndsWithTheSameBytes) {
  const auto config = write_config(
      "loss = 'power'\nresult_weight = 0.5\nresult_weight_end = 0.1\n"
      "[[train.lr_schedule]]\nkind = 'linear'\nsteps = 10\nstart = 1e-4\nend = 3e-3\n"
      "[[train.lr_schedule]]\nkind = 'step'\nfactor = 0.5\nevery = 3\n");
  ASSERT_EQ(wait_for(start(train_call(config, "whole"))), 0) << read_file(log_path());

  // Each time some while after it has written a checkpoint, often amid the next one.
  Rng rng(11);
  int kills = 0;
  for (; kills < 6; ++kills) {
    const auto before = last_written("broken");
    const pid_t pid = start(train_call(config, "broken"));
    bool ended = false;
    while (!ended && last_written("broken") == before) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ended = waitpid(pid, nullptr, WNOHANG) != 0;
    }
    if (ended) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(200)));
    kill(pid, SIGKILL);
    if (wait_for(pid) == 0) break;
  }
  EXPECT_GE(kills, 3);
  ASSERT_EQ(wait_for(start(train_call(config, "broken"))), 0) << read_file(log_path());
  EXPECT_EQ(exported("broken"), exported("whole"));
  const Checkpoint whole = find_checkpoint(folder_ / "whole").checkpoint;
  const Checkpoint broken = find_checkpoint(folder_ / "broken").checkpoint;
  EXPECT_EQ(whole.net.feature_weights, broken.net.feature_weights);
  EXPECT_EQ(whole.progress.best_loss, broken.progress.best_loss);
  EXPECT_EQ(load_checkpoint(folder_ / "whole" / kBestCheckpointName).net.feature_weights,
            load_checkpoint(folder_ / "broken" / kBestCheckpointName).net.feature_weights);
}

TEST_F(TrainProgram, AnInterruptedTrainingKeepsItsPlaceAndIsNoSuccess) {
  // So many epochs that it can't end by itself meanwhile.
  const auto config = write_config("", 100'000);
  for (const char* told : {"the same command goes on from it", "going on after epoch"}) {
    const auto before = last_written("out");
    const pid_t pid = start(train_call(config, "out"));
    while (last_written("out") == before) {
      ASSERT_EQ(waitpid(pid, nullptr, WNOHANG), 0) << read_file(log_path());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(pid, SIGINT);
    const int status = wait_for(pid);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_NE(read_file(log_path()).find(told), std::string::npos) << read_file(log_path());
  }
}

TEST_F(TrainProgram, BeginsWithANetGivenOnTheCommandLine) {
  const auto config = write_config("");
  ASSERT_EQ(wait_for(start(train_call(config, "teacher"))), 0) << read_file(log_path());
  exported("teacher");
  auto call = train_call(config, "out");
  call.insert(call.end(), {"--from", (folder_ / "teacher.fnn").string()});
  EXPECT_EQ(wait_for(start(call)), 0) << read_file(log_path());
  EXPECT_NE(read_file(log_path()).find("begins with teacher.fnn, sha256 "), std::string::npos);
  call.push_back("--keep-optimizer");
  const int status = wait_for(start(call));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read_file(log_path()).find("teacher.fnn: is a net file, which holds no state"),
            std::string::npos);
}

TEST_F(TrainProgram, AnExportedNetCarriesTheNotesOfItsPublisher) {
  ASSERT_EQ(wait_for(start(train_call(write_config(""), "out"))), 0) << read_file(log_path());
  const std::string net = (folder_ / "noted.fnn").string();
  const auto export_with = [&](const std::string& note) {
    return WEXITSTATUS(wait_for(start({"export", (folder_ / "out").string(), "--out", net, "--note", note})));
  };
  EXPECT_EQ(export_with("licence"), 2);
  EXPECT_EQ(export_with("Licence: x=1"), 2);
  EXPECT_EQ(export_with("licence=one\nhidden: 8"), 2);
  for (const char* own :
       {"hidden=8", "validation_loss=0", "seed=1", "training=much", "float_error_cp_worst=0.00",
        "engine_proof_positions=1000000", "largest_accumulator=1", "mirror=1", "king_buckets=0", "device=x",
        "started_from=x"}) {
    EXPECT_EQ(export_with(own), 2) << own;
    EXPECT_NE(read_file(log_path()).find("is what the net itself says"), std::string::npos) << own;
  }
  EXPECT_FALSE(std::filesystem::exists(net));
  EXPECT_EQ(export_with("licence=CC0-1.0 = free"), 0);
  EXPECT_EQ(read_net(net).notes.at("licence"), "CC0-1.0 = free");
}

TEST_F(TrainProgram, ComparesTwoTrainingsAndNothingElse) {
  const std::string out = (folder_ / "out").string();
  ASSERT_EQ(wait_for(start(train_call(write_config(""), "out"))), 0) << read_file(log_path());
  EXPECT_EQ(WEXITSTATUS(wait_for(start({"train", "--compare", out, out}))), 0);
  for (const char* option : {"--from", "--generation", "--device", "--data"})
    EXPECT_EQ(WEXITSTATUS(wait_for(start({"train", "--compare", out, out, option, "1"}))), 2) << option;
}

TEST_F(TrainProgram, AFileThatMayGrowNoFurtherIsToldNotFatal) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 8192;
  setrlimit(RLIMIT_FSIZE, &small);  // of the program too, which is started under it
  const auto handler = std::signal(SIGXFSZ, SIG_DFL);
  const int status = wait_for(start(train_call(write_config(""), "out")));
  std::signal(SIGXFSZ, handler);
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_TRUE(WIFEXITED(status)) << "by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read_file(log_path()).find("can't be written: File too large"), std::string::npos)
      << read_file(log_path());
}

TEST_F(TrainProgram, KeepingAnOptimiserOfNothingIsAWrongCall) {
  auto call = train_call(write_config(""), "out");
  call.push_back("--keep-optimizer");
  EXPECT_EQ(WEXITSTATUS(wait_for(start(call))), 2);
}

TEST_F(TrainProgram, AGpuThatIsNotThereIsRefusedBeforeAnythingIsDone) {
  const std::string device = torch::cuda::is_available() ? "cuda:99" : "cuda";
  const std::string config = write_config("").string(), data = (folder_ / "data").string();
  const std::string out = (folder_ / "out").string();
  for (std::vector<std::string> call :
       {std::vector<std::string>{"train", config, "--data", data, "--out", out},
        {"sweep", config, "--data", data, "--out", out, "--set", "train.lr=1e-3,2e-3"},
        {"run", config, "--runs", out}}) {
    call.insert(call.end(), {"--device", device});
    std::filesystem::remove(log_path());
    EXPECT_EQ(WEXITSTATUS(wait_for(start(call))), 1);
    EXPECT_NE(read_file(log_path()).find("farrier-trainer: --device " + device + ": "), std::string::npos)
        << read_file(log_path());
    EXPECT_FALSE(std::filesystem::exists(out)) << call[0];
  }
}

TEST_F(TrainProgram, TrainsOnTheDeviceThatIsAskedFor) {
  auto call = train_call(write_config(""), "out");
  call.insert(call.end(), {"--device", "cpu-operators"});
  EXPECT_EQ(wait_for(start(call)), 0) << read_file(log_path());
  EXPECT_EQ(load_checkpoint(folder_ / "out" / kCheckpointName).notes.at("device"), "cpu-operators");
}

TEST_F(TrainProgram, ADeviceOfNoKnownNameIsAWrongCall) {
  auto call = train_call(write_config(""), "out");
  call.insert(call.end(), {"--device", "gpu"});
  EXPECT_EQ(WEXITSTATUS(wait_for(start(call))), 2);
  EXPECT_NE(read_file(log_path()).find("'gpu' is no device; there are cpu, cuda"), std::string::npos)
      << read_file(log_path());
}

}  // namespace
}  // namespace farrier
