#include "trainer/export.h"

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "selfplay/data/file_hash.h"
#include "tests/support/random_net.h"
#include "tests/trainer/training_testing.h"
#include "trainer/checkpoint_folder.h"

namespace farrier {
namespace {

class Export : public FolderTest {
 protected:
  std::filesystem::path trained(Variant variant) {
    std::atomic<bool> stop{false};
    TrainSettings settings = small_settings(variant, folder_ / "gen-000" / "train");
    settings.config.epochs = 2;
    train(settings, random_dataset(variant, 100), stop);
    return settings.out;
  }
};

TEST_F(Export, WritesANetNamedByVariantAndHashThatTellsItsOrigin) {
  const std::filesystem::path source = trained(Variant::Crazyhouse);
  const ExportSummary summary = export_net({source, folder_ / "nets", {{"licence", "CC0-1.0"}}});
  const std::string sha256 = sha256_hex(read_file(summary.file));
  EXPECT_EQ(summary.sha256, sha256);
  EXPECT_EQ(summary.file, folder_ / "nets" / ("crazyhouse-" + sha256.substr(0, 12) + ".fnn"));
  const Net net = read_net(summary.file);
  EXPECT_EQ(net.architecture.hidden, 16);
  EXPECT_EQ(net.scale_cp, load_checkpoint(source / kCheckpointName).scale_cp);
  EXPECT_EQ(net.notes.at("licence"), "CC0-1.0");
  EXPECT_EQ(net.notes.count("float_error_cp_worst"), 1U);
  EXPECT_EQ(net.notes.count("training"), 1U);
  EXPECT_GT(summary.error.positions, 100U);
  EXPECT_LT(summary.error.mean_cp, 20);
  EXPECT_GE(summary.proved_positions, 10'000);
  EXPECT_EQ(net.notes.at("engine_proof_positions"), std::to_string(summary.proved_positions));
}

TEST_F(Export, WhateverCanBeTrainedCanBeExported) {
  for (Variant variant : {Variant::Crazyhouse, Variant::Knightmate})
    for (const Architecture& architecture : various_architectures(variant)) {
      std::atomic<bool> stop{false};
      TrainSettings settings = small_settings(variant, folder_ / "any");
      settings.net.hidden = architecture.hidden;
      settings.net.shape = architecture;
      settings.config.epochs = 1;
      train(settings, random_dataset(variant, 40), stop);
      const ExportSummary summary = export_net({settings.out, folder_ / "any.fnn", {}});
      EXPECT_EQ(read_net(folder_ / "any.fnn").architecture, architecture);
      EXPECT_LT(summary.error.mean_cp, 20) << describe(architecture);
      std::filesystem::remove_all(settings.out);
    }
}

TEST_F(Export, TakesTheBestEpochOfARunsLastGeneration) {
  const std::filesystem::path source = trained(Variant::Chess);
  EXPECT_EQ(find_checkpoint(folder_).path, source / kCheckpointName);
  const ExportSummary summary = export_net({folder_, folder_ / "a.fnn", {}});
  EXPECT_EQ(summary.file, folder_ / "a.fnn");
  EXPECT_EQ(read_net(summary.file).variant, Variant::Chess);
}

TEST_F(Export, AFolderWithoutACheckpointIsNamed) {
  const std::string error = error_of([&] { export_net({folder_, folder_ / "nets", {}}); });
  EXPECT_NE(error.find(folder_.string()), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nets"));
}

TEST_F(Export, APlaceOrSourceOfTheWrongKindIsToldWithTheRemedy) {
  const std::filesystem::path source = trained(Variant::Chess);
  write_file_whole(folder_ / "thesis.txt", "text");
  const auto fault = [&](const std::filesystem::path& from, const std::filesystem::path& to) {
    return error_of([&] { export_net({from, to, {}}); });
  };
  EXPECT_NE(fault(source, folder_ / "thesis.txt").find("does not end in .fnn"), std::string::npos);
  EXPECT_NE(fault(source, folder_ / "a" / "b" / "x.fnn").find("make its folder first"), std::string::npos);
  const std::filesystem::path net = export_net({source, folder_ / "x.fnn", {}}).file;
  EXPECT_NE(fault(net, folder_ / "y.fnn").find("is a net file already"), std::string::npos);
  EXPECT_NE(fault("/dev/null", folder_ / "y.fnn").find("neither a file nor a folder"), std::string::npos);
}

TEST_F(Export, AnUnwritablePlaceIsNamedAndNothingIsLeft) {
  const std::filesystem::path source = trained(Variant::Chess);
  write_file_whole(folder_ / "file", "x");
  const std::string error = error_of([&] { export_net({source, folder_ / "file" / "net.fnn", {}}); });
  EXPECT_NE(error.find("file"), std::string::npos);
}

}  // namespace
}  // namespace farrier
