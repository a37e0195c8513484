// Blocks that are written in the background.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace/binary_writer.h"

namespace heddle {
namespace {

using testing::HasSubstr;

// Enough for several blocks.
std::vector<EventRecord> many_events(std::size_t count) {
  std::vector<EventRecord> events(count);
  for (std::size_t i = 0; i < count; ++i) {
    events[i].kind = i % 3 == 0 ? EventKind::write : EventKind::read;
    events[i].has_value = true;
    events[i].value = i * i % 1001;
  }
  return events;
}

Tables one_of_each() {
  Tables tables;
  tables.threads.add({});
  tables.locations.add({});
  return tables;
}

TEST(BinaryFile, IsTheSameWhenWrittenInTheBackground) {
  const std::vector<EventRecord> events = many_events(700'000);
  std::string bytes[2];
  for (const auto when : {BinaryWriter::Blocks::at_once, BinaryWriter::Blocks::in_background}) {
    std::string& written = bytes[static_cast<int>(when)];
    Tables tables = one_of_each();
    auto writer = *BinaryWriter::to(Output::to_memory(written), when);
    for (std::size_t at = 0; at < events.size(); at += 1000) {
      tables.locations.add({.offset = at});
      ASSERT_TRUE(writer->append(tables, std::span(events).subspan(at, 1000)).ok());
      ASSERT_TRUE(at != 333'000 || writer->flush(tables).ok());
    }
    ASSERT_TRUE(writer->finish(tables, {}).ok());
    EXPECT_EQ(writer->bytes_written(), written.size());
  }
  EXPECT_TRUE(bytes[0] == bytes[1]);
}

// Takes the header of the file and nothing more.
class FullOutput final : public Output {
 public:
  Result<void> write(std::string_view) override {
    if (++writes_ > 1) return make_error("no space left");
    return {};
  }
  Result<void> close() override { return {}; }

 private:
  int writes_ = 0;
};

TEST(BinaryFile, ThatCannotBeWrittenInTheBackgroundSaysSoLater) {
  const std::vector<EventRecord> events = many_events(200'000);
  const Tables tables = one_of_each();
  auto writer =
      *BinaryWriter::to(std::make_unique<FullOutput>(), BinaryWriter::Blocks::in_background);
  Result<void> result = writer->append(tables, events);
  if (result.ok()) result = writer->finish(tables, {});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("no space left"));
}

}  // namespace
}  // namespace heddle
