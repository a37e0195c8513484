// The folder of findings: a subcommand replaces its own ones, and only those.
#include "finding/output_folder.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include "finding/finding_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class OutputFolder : public ::testing::Test {
 protected:
  OutputFolder() : folder_(fs::temp_directory_path() / fmt::format("heddle-out-{}", ::getpid())) {}
  ~OutputFolder() override { fs::remove_all(folder_); }

  std::vector<std::string> write(const std::string& found_by, std::size_t count) {
    Finding finding;
    finding.found_by = found_by;
    return write_findings(folder_.string(), std::vector<Finding>(count, finding)).value();
  }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  fs::path folder_;
};

TEST_F(OutputFolder, IsRefusedBeforehandWhereItCannotBeMade) {
  EXPECT_TRUE(check_output_folder(folder_.string()).ok());
  EXPECT_TRUE(check_output_folder((folder_ / "deeper" / "still").string()).ok());
  EXPECT_FALSE(fs::exists(folder_));
  fs::create_directory(folder_);
  std::ofstream(folder_ / "file") << "text";
  const std::string in_file = (folder_ / "file" / "out").string();
  const auto refused = check_output_folder(in_file);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, fmt::format("cannot put findings into '{}': {} is no folder",
                                                 in_file, (folder_ / "file").string()));
}

TEST_F(OutputFolder, IsNotMadeForNothing) {
  EXPECT_TRUE(write("explore", 0).empty());
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(OutputFolder, HasNoFindingsOfTheTimeBefore) {
  write("explore", 3);
  const auto paths = write("explore", 1);
  EXPECT_EQ(names(), (std::set<std::string>{"finding-1.json"}));
  EXPECT_EQ(paths, (std::vector<std::string>{(folder_ / "finding-1.json").string()}));
}

TEST_F(OutputFolder, KeepsWhatIsNotOurs) {
  write("predict", 1);
  std::ofstream(folder_ / "finding-2.json") << "a note of mine";
  std::ofstream(folder_ / "finding-x.json") << "another";
  write("explore", 2);
  EXPECT_EQ(names(), (std::set<std::string>{"finding-1.json", "finding-2.json", "finding-3.json",
                                            "finding-4.json", "finding-x.json"}));
  EXPECT_EQ(read_finding((folder_ / "finding-1.json").string())->found_by, "predict");
}

TEST_F(OutputFolder, SaysWhyItCannotBeMade) {
  std::ofstream(folder_.string()) << "a file";
  const auto result = write_findings((folder_ / "below").string(), std::vector<Finding>(1));
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("cannot make folder"), std::string::npos);
}

}  // namespace
}  // namespace heddle
