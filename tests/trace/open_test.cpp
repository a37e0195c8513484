#include "trace/open.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/trace/same_trace.h"
#include "trace/generate.h"

namespace heddle {
namespace {

// A folder of its own for each test.
class OpenTrace : public testing::Test {
 protected:
  OpenTrace() { std::filesystem::create_directories(folder_); }
  ~OpenTrace() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      fmt::format("heddle-open-{}-{}", ::getpid(),
                  testing::UnitTest::GetInstance()->current_test_info()->name());
};

std::string file_head(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4, '\0');
  file.read(head.data(), 4);
  return head;
}

void write_trace(const Trace& trace, const std::string& path) {
  auto sink = create_trace(path);
  ASSERT_TRUE(sink.ok()) << sink.error().message;
  const Result<void> written = write_all(trace, **sink);
  ASSERT_TRUE(written.ok()) << written.error().message;
}

Result<Trace> read_trace(const std::string& path) {
  TRY(auto source, open_trace(path));
  return collect(*source);
}

TEST_F(OpenTrace, TellsTheFormatByTheContentAndNotByTheName) {
  const Trace trace = generate_trace(lock_only_options(), 1);
  for (const std::string name : {"a.std", "a.jsonl", "a.heddle", "a.std.gz", "a.jsonl.zst"}) {
    write_trace(trace, path(name));
    std::filesystem::rename(path(name), path("misnamed.png"));
    const Result<Trace> read = read_trace(path("misnamed.png"));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(what_std_carries(*read), what_std_carries(trace));
  }
}

TEST_F(OpenTrace, CompressesWhereTheNameSaysSo) {
  const Trace trace = generate_trace({}, 2);
  write_trace(trace, path("a.std.gz"));
  write_trace(trace, path("a.jsonl.zst"));
  EXPECT_TRUE(file_head(path("a.std.gz")).starts_with("\x1f\x8b"));
  EXPECT_TRUE(file_head(path("a.jsonl.zst")).starts_with("\x28\xb5\x2f\xfd"));
}

TEST_F(OpenTrace, LeavesNoFileBehindThatWasNotFinished) {
  const Trace trace = generate_trace({}, 3);
  write_trace(trace, path("a.std"));
  {
    auto sink = create_trace(path("a.std"));
    ASSERT_TRUE(sink.ok());
    const EventRecord event{.kind = EventKind::begin};
    ASSERT_TRUE((*sink)->append(trace.tables, {&event, 1}).ok());
  }
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(what_std_carries(*read_trace(path("a.std"))), what_std_carries(trace));
}

TEST_F(OpenTrace, MayWriteOverTheFileThatItReads) {
  const Trace trace = generate_trace({}, 4);
  write_trace(trace, path("a.std"));
  auto source = open_trace(path("a.std"));
  ASSERT_TRUE(source.ok());
  auto sink = create_trace(path("a.std"));
  ASSERT_TRUE(sink.ok());
  std::vector<EventRecord> batch;
  do {
    ASSERT_TRUE((*source)->next(batch).ok());
    ASSERT_TRUE((*sink)->append((*source)->tables(), batch).ok());
  } while (!batch.empty());
  ASSERT_TRUE((*sink)->finish((*source)->tables(), (*source)->metadata()).ok());
  EXPECT_EQ(what_std_carries(*read_trace(path("a.std"))), what_std_carries(trace));
}

TEST_F(OpenTrace, NamesTheFileThatItCannotOpenOrCreate) {
  EXPECT_EQ(open_trace(path("none.std")).error().message,
            path("none.std") + ": No such file or directory");
  EXPECT_EQ(create_trace(path("no/such/folder.std")).error().message,
            path("no/such/folder.std") + ": No such file or directory");
}

TEST_F(OpenTrace, WantsToKnowTheFormatToWrite) {
  EXPECT_TRUE(create_trace("-").error().message.starts_with("standard output: its name does not"));
  EXPECT_FALSE(create_trace(path("trace")).ok());
  EXPECT_TRUE(create_trace(path("trace"), TraceFormat::std_text).ok());
}

TEST(OpenTraceContent, RefusesWhatIsNoTrace) {
  const Result<std::unique_ptr<EventSource>> source =
      open_trace(input_of(std::string_view("\x7f"
                                           "ELF\0\0",
                                           6),
                          "a.out"));
  EXPECT_EQ(source.error().message,
            "a.out: not a trace: neither a .heddle file, nor STD text, nor JSON lines");
}

TEST(OpenTraceContent, TakesAnEmptyFileAsAnEmptyTrace) {
  auto source = open_trace(input_of("", "empty"));
  ASSERT_TRUE(source.ok());
  EXPECT_TRUE((*collect(**source)).empty());
}

TEST(TraceFormat, IsToldByTheExtension) {
  EXPECT_EQ(trace_format_of_path("a.b/c.heddle"), TraceFormat::binary);
  EXPECT_EQ(trace_format_of_path("c.std"), TraceFormat::std_text);
  EXPECT_EQ(trace_format_of_path("c.txt.gz"), TraceFormat::std_text);
  EXPECT_EQ(trace_format_of_path("c.ndjson.zst"), TraceFormat::json_lines);
  EXPECT_EQ(trace_format_of_path("c.png"), std::nullopt);
  EXPECT_EQ(trace_format_of_path("std"), std::nullopt);
  for (const auto format : {TraceFormat::binary, TraceFormat::std_text, TraceFormat::json_lines}) {
    EXPECT_EQ(trace_format_named(name_of(format)), format);
  }
}

}  // namespace
}  // namespace heddle
