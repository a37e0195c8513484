#include "base/input.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "base/output.h"

namespace heddle {
namespace {

enum class Compression { none, gzip, zstd };

std::string compressed(std::string_view text, Compression compression) {
  std::string bytes;
  std::unique_ptr<Output> output = Output::to_memory(bytes);
  if (compression == Compression::gzip) output = Output::gzip(std::move(output));
  if (compression == Compression::zstd) output = Output::zstd(std::move(output));
  CHECK(output->write(text).ok() && output->close().ok());
  return bytes;
}

// Reads to the end in pieces of the given size.
Result<std::string> read_all(std::string_view bytes, std::size_t piece = 1000) {
  TRY(auto input, Input::from_memory(bytes, "test"));
  std::string text;
  std::string buffer(piece, '\0');
  for (;;) {
    TRY(const std::size_t got, input->read(buffer));
    text.append(buffer, 0, got);
    if (got < piece) return text;
  }
}

Result<std::vector<std::string>> lines_of(std::string_view bytes) {
  TRY(auto input, Input::from_memory(bytes, "test"));
  LineReader reader(std::move(input));
  std::vector<std::string> lines;
  std::string_view line;
  for (;;) {
    TRY(const bool more, reader.next(line));
    if (!more) return lines;
    lines.emplace_back(line);
    CHECK(reader.line_number() == lines.size());
  }
}

std::string long_text() {
  std::string text;
  for (std::uint64_t i = 0; i < 100'000; ++i) text += fmt::format("line {} of many\n", i * i);
  return text;
}

using Lines = std::vector<std::string>;

class CompressedInput : public testing::TestWithParam<Compression> {};
INSTANTIATE_TEST_SUITE_P(Each, CompressedInput,
                         testing::Values(Compression::none, Compression::gzip, Compression::zstd));

TEST_P(CompressedInput, GivesBackTheText) {
  for (const std::string& text : {std::string(), std::string("a"), long_text()}) {
    const std::string bytes = compressed(text, GetParam());
    for (const std::size_t piece : {std::size_t{7}, std::size_t{65536}, std::size_t{10'000'000}}) {
      const Result<std::string> read = read_all(bytes, piece);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_TRUE(*read == text);
    }
  }
}

TEST_P(CompressedInput, JoinsPartsThatWereCompressedOneByOne) {
  const std::string bytes = compressed("first\n", GetParam()) + compressed("", GetParam()) +
                            compressed("second\n", GetParam());
  EXPECT_EQ(*read_all(bytes), "first\nsecond\n");
  EXPECT_EQ(*lines_of(bytes), (Lines{"first", "second"}));
}

TEST_P(CompressedInput, IsReadFromAFileToo) {
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("heddle-input-{}", ::getpid());
  const std::string text = long_text();
  std::ofstream(path, std::ios::binary) << compressed(text, GetParam());
  auto input = Input::open(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(input.ok());
  std::string buffer(text.size() + 1, '\0');
  EXPECT_EQ(*(*input)->read(buffer), text.size());
  EXPECT_TRUE(buffer.starts_with(text));
}

TEST(Input, SaysThatCompressedDataIsCutOff) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string bytes = compressed(long_text(), compression);
    const std::string name = compression == Compression::gzip ? "gzip" : "zstd";
    for (const std::size_t size : {std::size_t{4}, bytes.size() / 2, bytes.size() - 1}) {
      const Result<std::string> read = read_all(std::string_view(bytes).substr(0, size));
      ASSERT_FALSE(read.ok());
      EXPECT_EQ(read.error().message, fmt::format("test: the {} data is cut off", name));
    }
  }
}

TEST(Input, SaysThatCompressedDataIsDamaged) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    std::string bytes = compressed(long_text(), compression);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
    const Result<std::string> read = read_all(bytes);
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().message.find("is damaged"), std::string::npos) << read.error().message;
  }
}

TEST(Input, RefusesRubbishBehindAGzipMember) {
  EXPECT_FALSE(read_all(compressed("text", Compression::gzip) + "rubbish").ok());
  EXPECT_FALSE(read_all(compressed("text", Compression::zstd) + "rubbish").ok());
}

TEST(Input, NamesTheFileThatItCannotOpen) {
  EXPECT_EQ(Input::open("/no/such/file").error().message,
            "/no/such/file: No such file or directory");
  auto folder = Input::open("/");
  EXPECT_EQ(folder.error().message, "/: Is a directory");
}

TEST(Peek, LeavesTheInputAsItWas) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{100}}) {
    auto input = *Input::from_memory("abcdef", "test");
    EXPECT_EQ(*peek(input, size), std::string("abcdef").substr(0, size));
    std::string buffer(10, '\0');
    EXPECT_EQ(*input->read(buffer), 6u);
    EXPECT_TRUE(buffer.starts_with("abcdef"));
    EXPECT_EQ(input->name(), "test");
  }
}

TEST(LineReader, CutsAtEitherLineEnd) {
  EXPECT_EQ(*lines_of(""), Lines{});
  EXPECT_EQ(*lines_of("\n"), Lines{""});
  EXPECT_EQ(*lines_of("a\nb\r\n\r\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(*lines_of("a\rb\n\r"), (Lines{"a\rb", ""}));
}

TEST(LineReader, TakesALineOfAnyOrdinaryLength) {
  const std::string longest(LineReader::kMaxLine, 'x');
  EXPECT_EQ(*lines_of("a\n" + longest + "\nb\n"), (Lines{"a", longest, "b"}));
}

TEST(LineReader, RefusesALineThatIsTooLongOrNeverEnds) {
  const std::string message =
      fmt::format("test:2: a line of more than {} bytes", LineReader::kMaxLine);
  const std::string too_long(LineReader::kMaxLine + 1, 'x');
  EXPECT_EQ(lines_of("a\n" + too_long + "\n").error().message, message);
  EXPECT_EQ(lines_of("a\n" + too_long).error().message, message);
  const std::string endless(4 * LineReader::kMaxLine, 'x');
  EXPECT_EQ(lines_of("a\n" + endless).error().message, message);
}

RC_GTEST_PROP(LineReaderProperty, JoiningTheLinesGivesTheTextBack, ()) {
  const auto lines = *rc::gen::container<Lines>(
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\t |"))));
  std::string text;
  for (const std::string& line : lines) text += line + *rc::gen::element("\n", "\r\n");
  RC_ASSERT(*lines_of(text) == lines);
}

RC_GTEST_PROP(InputProperty, MangledCompressedDataGivesTextOrAnError, ()) {
  const auto compression = *rc::gen::element(Compression::gzip, Compression::zstd);
  std::string bytes = compressed("some text to be compressed, some text", compression);
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 1));
  const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, 60), rc::gen::arbitrary<char>()));
  for (const auto& [place, byte] : changes) {
    if (place < bytes.size()) bytes[place] = byte;
  }
  const Result<std::string> read = read_all(bytes);
  if (!read.ok()) RC_ASSERT(read.error().message.starts_with("test: "));
}

}  // namespace
}  // namespace heddle
