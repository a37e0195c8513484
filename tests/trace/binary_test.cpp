#include <csignal>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "trace/binary_payload.h"
#include "trace/binary_reader.h"
#include "trace/binary_writer.h"
#include "trace/generate.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

std::string to_bytes(const Trace& trace) {
  std::string bytes;
  auto writer = BinaryWriter::to(Output::to_memory(bytes));
  const auto written = write_all(trace, **writer);
  CHECK(written.ok(), "{}", written.error().message);
  return bytes;
}

struct Recovered {
  Trace trace;
  std::optional<Damage> damage;
};

Result<Recovered> from_input(std::unique_ptr<Input> input) {
  TRY(auto reader, BinaryReader::open(std::move(input)));
  TRY(Trace trace, collect(*reader));
  return Recovered{std::move(trace), reader->damage()};
}

Result<Recovered> from_bytes(std::string_view bytes) {
  TRY(auto input, Input::from_memory(bytes, "test.heddle"));
  return from_input(std::move(input));
}

// The trace of an undamaged file.
Trace whole_trace(std::string_view bytes) {
  auto recovered = from_bytes(bytes);
  CHECK(recovered.ok(), "{}", recovered.error().message);
  CHECK(!recovered->damage, "{}", recovered->damage->message);
  return std::move(recovered->trace);
}

std::string error_of(std::string_view bytes) {
  const auto recovered = from_bytes(bytes);
  return recovered.ok() ? "no error" : recovered.error().message;
}

std::string damage_of(std::string_view bytes) {
  const auto recovered = from_bytes(bytes);
  if (!recovered.ok()) return "an error: " + recovered.error().message;
  return recovered->damage ? recovered->damage->message : "no damage";
}

bool is_prefix(const Trace& part, const Trace& whole) {
  if (part.size() > whole.size()) return false;
  for (EventId e : part.events()) {
    if (part.record(e) != whole.record(e)) return false;
  }
  return true;
}

GenerateOptions everything(std::size_t events) {
  GenerateOptions options;
  options.events = events;
  options.values = true;
  options.mixed_sizes = true;
  return options;
}

// Nothing in it can block for ever, so it gets as long as it is asked to.
Trace long_trace(std::size_t events, std::uint64_t seed) {
  GenerateOptions options = everything(events);
  options.threads = 20;
  options.locations = 5000;
  options.locks = 0;
  options.conditions = 0;
  options.semaphores = 0;
  options.barriers = 0;
  options.onces = 0;
  options.fork_join = false;
  options.begin_end = false;
  options.exit = false;
  return generate_trace(options, seed);
}

Metadata full_metadata() {
  Metadata metadata;
  metadata.command_line = {"./bank", "--fast", ""};
  metadata.exit_status = -1;
  metadata.seed = 0xffff'ffff'ffff'ffff;
  metadata.clock = "virtual";
  metadata.started_nanoseconds = -5;
  metadata.duration_nanoseconds = 1'000'000'007;
  metadata.notes = {{"build id", "4a5b"}, {"", "no name"}, {"empty", ""}};
  return metadata;
}

// One of every kind of event, on tables with more than one entry each, with the
// largest and the smallest numbers.
Trace trace_of_every_kind() {
  Trace trace;
  Tables& tables = trace.tables;
  const StringId name = tables.strings.intern("name");
  const StringId file = tables.strings.intern("bank.cpp");
  tables.strings.intern("");
  const SiteId outer = tables.sites.add({.file = file, .line = 1, .address = ~0ull});
  const SiteId inner = tables.sites.add({.file = file,
                                         .line = 0xffffffff,
                                         .column = 7,
                                         .function = name,
                                         .address = 1,
                                         .caller = outer});
  for (int i = 0; i < 2; ++i) {
    tables.threads.add({name});
    tables.regions.add(
        {.name = name, .size = ~0ull, .allocated_at = inner, .number = i == 0 ? ~0ull : 0});
    tables.locations.add({.name = name, .region = RegionId(0), .offset = ~0ull - 8, .size = 8});
    tables.locations.add({});
    tables.locks.add({.name = name, .kind = LockKind::readers_writer});
    tables.conditions.add({name});
    tables.semaphores.add({.name = name, .initial = 0xffffffff});
    tables.barriers.add({.name = StringId::none(), .parties = 3});
    tables.onces.add({});
    tables.descriptors.add({name});
  }
  trace.metadata = full_metadata();
  for (const EventKindInfo& row : kEventKinds) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      EventRecord event{.kind = row.kind, .thread = ThreadId(i)};
      event.object = row.object == ObjectType::none ? 0 : i;
      event.detail = valid_detail(row.kind, 1) ? 1 : 0;
      event.site = i == 0 ? SiteId::none() : inner;
      event.has_value = is_access(row.kind);
      if (event.has_value) event.value = i == 0 ? ~0ull : 1ull << 63;
      if (row.kind == EventKind::atomic_rmw) event.old_value = 12345;
      if (row.kind == EventKind::wait && i == 1) event.lock = LockId(1);
      trace.append(event);
    }
  }
  return trace;
}

TEST(BinaryFile, GivesBackEveryKindOfEventAndTable) {
  const Trace trace = trace_of_every_kind();
  EXPECT_EQ(whole_trace(to_bytes(trace)), trace);
}

TEST(BinaryFile, GivesBackAnEmptyTrace) { EXPECT_EQ(whole_trace(to_bytes(Trace())), Trace()); }

RC_GTEST_PROP(BinaryFile, GivesBackAnyTrace, (std::uint64_t seed)) {
  GenerateOptions options = everything(*rc::gen::inRange(0, 400));
  options.values = *rc::gen::arbitrary<bool>();
  options.threads = *rc::gen::inRange(1u, 12u);
  options.locations = *rc::gen::inRange(1u, 30u);
  Trace trace = generate_trace(options, seed);
  trace.metadata.seed = seed;
  RC_ASSERT(whole_trace(to_bytes(trace)) == trace);
}

// As a recorder does: tables grow between batches, and forget what is written.
std::string to_bytes_forgetting(const Trace& trace, std::size_t batch, std::size_t latest) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  Tables tables;
  for (std::size_t i = 0; i < trace.tables.strings.size(); ++i) {
    tables.strings.intern(trace.tables.strings[StringId(static_cast<std::uint32_t>(i))]);
  }
  tables.sites = trace.tables.sites;
  tables.threads = trace.tables.threads;
  for (std::size_t i = 0; i < trace.tables.locations.size(); ++i) {
    if (i < trace.tables.regions.size()) {
      tables.regions.add(trace.tables.regions[RegionId(static_cast<std::uint32_t>(i))]);
    }
    tables.locations.add(trace.tables.locations[LocationId(static_cast<std::uint32_t>(i))]);
    if (i % batch != 0) continue;
    CHECK(writer->flush(tables).ok());
    writer->forget_written(tables, latest);
  }
  CHECK(writer->finish(tables, trace.metadata).ok());
  return bytes;
}

RC_GTEST_PROP(BinaryFile, HoldsWhatItsTablesHaveForgotten, ()) {
  Trace trace;
  const StringId name = trace.tables.strings.intern("block #");
  const auto locations = *rc::gen::inRange<std::uint32_t>(1, 60);
  for (std::uint32_t i = 0; i < locations; ++i) {
    trace.tables.regions.add({.name = name, .size = i, .number = *rc::gen::arbitrary<unsigned>()});
    const RegionId region(*rc::gen::inRange<std::uint32_t>(0, i + 1));
    trace.tables.locations.add({.region = region, .offset = *rc::gen::arbitrary<unsigned>()});
  }
  const auto batch = *rc::gen::inRange<std::size_t>(1, 10);
  const auto latest = *rc::gen::inRange<std::size_t>(0, 10);
  RC_ASSERT(whole_trace(to_bytes_forgetting(trace, batch, latest)) == trace);
}

TEST(BinaryFile, NamesRegionsByTheirNumbers) {
  Tables tables;
  const StringId block = tables.strings.intern("heap block # of main");
  EXPECT_EQ(tables.given_name(RegionInfo{.name = block, .number = 7}), "heap block #7 of main");
  EXPECT_EQ(tables.given_name(RegionInfo{.name = block}), "heap block # of main");
  const StringId other = tables.strings.intern("other");
  EXPECT_EQ(tables.given_name(RegionInfo{.name = other, .number = 7}), "other#7");
}

TEST(BinaryFile, GivesBackATraceOfSeveralBlocks) {
  const Trace trace = long_trace(3 * binary::kBlockEvents + 17, 1);
  ASSERT_GT(trace.size(), 2 * binary::kBlockEvents);
  EXPECT_EQ(whole_trace(to_bytes(trace)), trace);
}

TEST(BinaryFile, GivesBackTablesOfSeveralBlocks) {
  Trace trace;
  for (int i = 0; i < 100'000; ++i) {
    const StringId name = trace.tables.strings.intern(fmt::format("variable number {}", i));
    trace.tables.locations.add({.name = name, .offset = static_cast<std::uint64_t>(i)});
  }
  EXPECT_EQ(whole_trace(to_bytes(trace)), trace);
}

// A recorder sees new threads and places while it runs.
// Rows of locations, longer than what a block defines, with gaps and other sizes in between.
TEST(BinaryFile, GivesBackLocationsThatLieSideBySide) {
  Trace trace;
  trace.tables.regions.add({.size = 1 << 20});
  trace.tables.regions.add({.size = 1 << 20});
  for (std::uint64_t i = 0; i < 3 * binary::kBlockLocations; ++i) {
    const std::uint32_t size = i % 1000 < 900 ? 4 : 8;
    const std::uint64_t gap = i % 7001 == 0 ? 1 : 0;
    trace.tables.locations.add({.region = RegionId(i % 9000 < 5000 ? 0 : 1),
                                .offset = (i % 20'000) * 4 + gap,
                                .size = size});
  }
  trace.tables.locations.add({.offset = ~std::uint64_t{0} - 8, .size = 4});
  trace.tables.locations.add({.offset = ~std::uint64_t{0} - 4, .size = 4});
  trace.tables.locations.add({.offset = 0, .size = 4});
  EXPECT_EQ(whole_trace(to_bytes(trace)), trace);
}

TEST(BinaryFile, GivesBackTablesThatGrewWhileItWasWritten) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  Trace trace;
  for (std::uint32_t i = 0; i < 50; ++i) {
    trace.tables.threads.add({trace.tables.strings.intern(fmt::format("worker {}", i))});
    const EventRecord event{.kind = EventKind::begin, .thread = ThreadId(i)};
    trace.append(event);
    ASSERT_TRUE(writer->append(trace.tables, {&event, 1}).ok());
    if (i % 7 == 0) {
      ASSERT_TRUE(writer->flush(trace.tables).ok());
    }
  }
  ASSERT_TRUE(writer->finish(trace.tables, trace.metadata).ok());
  EXPECT_EQ(whole_trace(bytes), trace);
}

TEST(BinaryFile, LetsLaterMetadataOverrideAndCompleteEarlier) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  Metadata early;
  early.command_line = {"./bank"};
  early.clock = "real";
  early.notes = {{"host", "loom"}, {"state", "running"}};
  Metadata late;
  late.exit_status = 3;
  late.clock = "virtual";
  late.notes = {{"state", "done"}};
  ASSERT_TRUE(writer->write_metadata(early).ok());
  ASSERT_TRUE(writer->finish(Tables(), late).ok());

  Metadata both = early;
  both.exit_status = 3;
  both.clock = "virtual";
  both.notes["state"] = "done";
  EXPECT_EQ(whole_trace(bytes).metadata, both);
}

TEST(BinaryFile, RefusesToWriteWhatCouldNotBeReadAgain) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  Tables tables;
  tables.threads.add({});
  const EventRecord event{.kind = EventKind::acquire, .thread = ThreadId(0), .object = 4};
  EXPECT_EQ(writer->append(tables, {&event, 1}).error().message,
            "cannot write event 0: it (acquire) names the undefined lock 4");
  tables.sites.add({.caller = SiteId(1)});
  tables.sites.add({});
  EXPECT_EQ(writer->finish(tables, {}).error().message,
            "site 0 refers to something that is not defined before it");
}

TEST(BinaryFile, ReportsAFullDisk) {
  const auto writer = BinaryWriter::create("/dev/full");
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().message, "/dev/full: cannot write: No space left on device");
}

TEST(BinaryFile, IsReadThroughGzip) {
  const Trace trace = trace_of_every_kind();
  const std::string bytes = to_bytes(trace);
  std::string path = testing::TempDir() + "/binary_test.heddle.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  gzclose(file);
  const auto recovered = from_input(*Input::open(path));
  EXPECT_EQ(recovered->trace, trace);
  EXPECT_FALSE(recovered->damage);
}

// --- Versions.

std::string with_version(std::uint16_t major_version, std::uint16_t minor_version) {
  std::string bytes = to_bytes(trace_of_every_kind());
  const auto header = binary::encode_file_header(major_version, minor_version);
  return bytes.replace(0, header.size(), reinterpret_cast<const char*>(header.data()),
                       header.size());
}

TEST(BinaryVersion, ThatIsNewerIsRefusedInOneLine) {
  EXPECT_EQ(
      error_of(with_version(binary::kMajorVersion + 1, 3)),
      "test.heddle: written in version 4.3 of the trace format; this Heddle reads 1.x to 3.x: "
      "use a newer Heddle");
}

// A file of some version: a block of definitions, and one of events if there are any.
std::string file_of(std::uint16_t version, std::span<const std::uint8_t> definitions,
                    std::span<const std::uint8_t> events = {}, std::size_t count = 0) {
  std::string bytes;
  auto output = Output::to_memory(bytes);
  const auto header = binary::encode_file_header(version, 0);
  EXPECT_TRUE(
      output->write(std::string_view(reinterpret_cast<const char*>(header.data()), header.size()))
          .ok());
  binary::BlockWriter blocks(std::move(output));
  EXPECT_TRUE(blocks.write(binary::BlockType::definitions, definitions).ok());
  if (count > 0) {
    EXPECT_TRUE(blocks.write(binary::BlockType::events, events, count).ok());
  }
  EXPECT_TRUE(blocks.write(binary::BlockType::end, {}).ok());
  EXPECT_TRUE(blocks.close().ok());
  return bytes;
}

// Two regions, the second without a name, as version 1 wrote them: without numbers.
TEST(BinaryVersion, OneHadRegionsWithoutNumbers) {
  constexpr std::uint8_t kDefinitions[] = {
      1, 0, 1, 4, 'h', 'e', 'a', 'p',     // one string
      4, 0, 2, 1, 16,  0,   0,   8,   0,  // two regions
  };
  Trace trace;
  trace.tables.regions.add({.name = trace.tables.strings.intern("heap"), .size = 16});
  trace.tables.regions.add({.size = 8});
  EXPECT_EQ(whole_trace(file_of(1, kDefinitions)), trace);
}

// Two locations, 0 and 1024, which share a slot of the predictions. Version 2 has an entry for
// each location, and expects of a new object what the one before it in its slot had.
TEST(BinaryVersion, TwoHadLocationsOneByOneAndValuesOfObjectsAlone) {
  std::vector<std::uint8_t> definitions = {
      2, 0, 2,    0,    7, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0,  // two sites
      3, 0, 1,    0,                                      // a thread
      5, 0, 0x81, 0x08,                                   // 1025 locations
  };
  Trace trace;
  trace.tables.sites.add({.line = 7});
  trace.tables.sites.add({.line = 8});
  trace.tables.threads.add({});
  for (std::uint64_t i = 0; i < 1025; ++i) {
    const std::uint8_t distance = i == 0 ? 0 : 8;
    definitions.insert(definitions.end(), {0, 0, distance, 4});
    trace.tables.locations.add({.offset = 4 * i, .size = 4});
  }
  constexpr std::uint8_t kEvents[] = {
      2,    2,    2,    0, 3, 2, 0,  // sizes of the columns
      0,    1,                       // two events of thread 0
      2,    4,                       // at sites 0 and 1
      0x41, 0x41,                    // writes
      0,    0x80, 0x10,              // to location 0, and 1024 behind it
      10,   2,                       // the value 5, and one more
  };
  for (const std::uint32_t i : {0u, 1u}) {
    EventRecord event{.kind = EventKind::write, .has_value = true};
    event.object = 1024 * i;
    event.site = SiteId(i);
    event.value = 5 + i;
    trace.append(event);
  }
  EXPECT_EQ(whole_trace(file_of(2, definitions, kEvents, 2)), trace);
}

TEST(BinaryVersion, ThatIsNewerInItsMinorPartIsRead) {
  EXPECT_EQ(whole_trace(with_version(binary::kMajorVersion, binary::kMinorVersion + 1)),
            trace_of_every_kind());
}

TEST(BinaryVersion, BeforeTheFirstIsRefusedInOneLine) {
  EXPECT_EQ(error_of(with_version(0, 9)),
            "test.heddle: written in version 0.9 of the trace format; this Heddle reads 1.x to "
            "3.x");
}

// A few bytes must not define any number of locations.
TEST(BinaryVersion, ThreeHasRowsOfLocationsThatEnd) {
  const auto row_of = [](std::uint64_t count, std::uint64_t more) {
    std::vector<std::uint8_t> definitions = {5, 0};
    binary::PayloadWriter out(definitions);
    for (const std::uint64_t number :
         {count, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{4}, more}) {
      out.number(number);
    }
    return file_of(3, definitions);
  };
  const std::uint64_t most = binary::kBlockLocations;
  EXPECT_EQ(whole_trace(row_of(most, most - 1)).tables.locations.size(), most);
  EXPECT_THAT(damage_of(row_of(most + 1, most)), HasSubstr("defines more than 65536 locations"));
  EXPECT_THAT(damage_of(row_of(~std::uint64_t{0}, 1)), HasSubstr("more than 65536 locations"));
  EXPECT_THAT(damage_of(row_of(3, 3)), HasSubstr("its entry for location 0 breaks off"));
  EXPECT_THAT(damage_of(row_of(3, 1)), HasSubstr("its entry for location 2 breaks off"));
}

// A trace with one more block, of the given type, before its end block.
std::string with_extra_block(std::uint8_t type) {
  std::string bytes;
  binary::BlockWriter blocks(Output::to_memory(bytes));
  const std::vector<std::uint8_t> payload = {1, 2, 3};
  EXPECT_TRUE(blocks.write_file_header().ok());
  EXPECT_TRUE(blocks.write(static_cast<binary::BlockType>(type), payload).ok());
  EXPECT_TRUE(blocks.write(binary::BlockType::end, {}).ok());
  return bytes;
}

TEST(BinaryVersion, SkipsUnknownBlocksThatMayBeSkippedAndNoOthers) {
  EXPECT_EQ(damage_of(with_extra_block(binary::kFirstSkippableType)), "no damage");
  EXPECT_THAT(damage_of(with_extra_block(binary::kFirstSkippableType - 1)),
              HasSubstr("it is of the unknown type 127"));
}

// --- Damage.

TEST(BinaryDamage, IsAnErrorWhereNothingCanBeRecovered) {
  EXPECT_EQ(error_of(""), "test.heddle: the file is empty");
  EXPECT_EQ(error_of("T1|r(x)|1\n"), "test.heddle: not a binary Heddle trace");
  EXPECT_EQ(error_of(binary::kMagic),
            "test.heddle: cut off inside the file header; nothing to recover");
}

// Some blocks of events, so that there is something to recover.
std::string bytes_of_small_blocks(const Trace& trace) {
  std::string bytes;
  auto writer = *BinaryWriter::to(Output::to_memory(bytes));
  EXPECT_TRUE(writer->write_metadata(trace.metadata).ok());
  for (EventId e : trace.events()) {
    const EventRecord event = trace.record(e);
    EXPECT_TRUE(writer->append(trace.tables, {&event, 1}).ok());
    if (e.value() % 10 == 9) {
      EXPECT_TRUE(writer->flush(trace.tables).ok());
    }
  }
  EXPECT_TRUE(writer->finish(trace.tables, trace.metadata).ok());
  return bytes;
}

TEST(BinaryDamage, ByTruncationAnywhereLeavesAPrefix) {
  const Trace trace = trace_of_every_kind();
  const std::string bytes = bytes_of_small_blocks(trace);
  std::size_t most = 0;
  for (std::size_t size = binary::kFileHeaderSize; size < bytes.size(); ++size) {
    const auto recovered = from_bytes(std::string_view(bytes).substr(0, size));
    ASSERT_TRUE(recovered.ok()) << recovered.error().message;
    ASSERT_TRUE(recovered->damage) << "cut off at " << size << " without a word";
    EXPECT_THAT(recovered->damage->message, HasSubstr("truncated"));
    EXPECT_EQ(recovered->damage->events_kept, recovered->trace.size());
    EXPECT_TRUE(is_prefix(recovered->trace, trace)) << size;
    EXPECT_GE(recovered->trace.size(), most) << size;
    most = recovered->trace.size();
  }
  EXPECT_EQ(most, trace.size()) << "only the end block was cut off";
}

TEST(BinaryDamage, ByOneFlippedByteAnywhereIsNoticed) {
  const Trace trace = trace_of_every_kind();
  const std::string bytes = bytes_of_small_blocks(trace);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      const auto recovered = from_bytes(damaged);
      if (!recovered.ok()) {
        EXPECT_LT(i, binary::kFileHeaderSize) << recovered.error().message;
        continue;
      }
      EXPECT_TRUE(recovered->damage) << "flipped byte " << i << " goes unnoticed";
      EXPECT_TRUE(is_prefix(recovered->trace, trace)) << i;
    }
  }
}

TEST(BinaryDamage, SaysWhereItIsAndWhatIsLost) {
  Trace trace;
  trace.tables.threads.add({});
  for (int i = 0; i < 25; ++i) {
    trace.append({.kind = EventKind::branch, .thread = ThreadId(0)});
  }
  const std::string bytes = bytes_of_small_blocks(trace);
  const std::size_t second = bytes.find("\xb1HB\n\x03", bytes.find("\xb1HB\n\x03") + 1);
  ASSERT_NE(second, std::string::npos);
  std::string damaged = bytes;
  damaged[second + binary::kBlockHeaderSize] ^= 1;
  EXPECT_EQ(damage_of(damaged),
            fmt::format("test.heddle: the block at byte {} is not right: its checksum is wrong: "
                        "truncated after event 9 (10 events kept); 15 or more events that follow "
                        "cannot be used",
                        second));
  EXPECT_EQ(damage_of(std::string_view(bytes).substr(0, second)),
            "test.heddle: ends without an end block: truncated after event 9 (10 events kept)");
  EXPECT_EQ(damage_of(std::string_view(bytes).substr(0, second + 50)),
            fmt::format("test.heddle: the block at byte {} is not right: it is cut off after 2 of "
                        "{} bytes: truncated after event 9 (10 events kept); 10 or more events "
                        "that follow cannot be used",
                        second, static_cast<unsigned char>(bytes[second + 16])));
  EXPECT_EQ(damage_of(bytes + "x"),
            "test.heddle: more bytes follow the end block: all 25 events kept; 1 bytes that "
            "follow are not used");
}

TEST(BinaryDamage, ByALostOrDoubledBlockIsNoticed) {
  const std::string bytes = bytes_of_small_blocks(trace_of_every_kind());
  const std::string block_start = std::string(binary::kMarker) + '\x03';
  const std::size_t first = bytes.find(block_start);
  const std::size_t second = bytes.find(block_start, first + 1);
  std::string lost = bytes;
  lost.erase(first, second - first);
  EXPECT_THAT(damage_of(lost), HasSubstr("where block"));
  std::string doubled = bytes;
  doubled.insert(second, bytes.substr(first, second - first));
  EXPECT_THAT(damage_of(doubled), HasSubstr("where block"));
}

// --- A writer that dies.

constexpr std::size_t kFlushed = 1000;

[[noreturn]] void write_and_die(const std::string& path, const Trace& trace) {
  auto writer = *BinaryWriter::create(path);
  for (EventId e : trace.events()) {
    const EventRecord event = trace.record(e);
    if (!writer->append(trace.tables, {&event, 1}).ok()) std::_Exit(1);
    if (e.value() + 1 == kFlushed && !writer->flush(trace.tables).ok()) std::_Exit(1);
  }
  ::kill(::getpid(), SIGKILL);
  std::_Exit(1);
}

TEST(BinaryDamage, ByTheDeathOfTheWriterTakesOnlyWhatWasNotFlushed) {
  const Trace trace = long_trace(2000, 7);
  ASSERT_GT(trace.size(), kFlushed);
  const std::string path = testing::TempDir() + "/killed.heddle";
  const pid_t child = ::fork();
  if (child == 0) write_and_die(path, trace);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const auto recovered = from_input(*Input::open(path));
  ASSERT_TRUE(recovered.ok());
  EXPECT_EQ(recovered->trace.size(), kFlushed);
  EXPECT_TRUE(is_prefix(recovered->trace, trace));
  EXPECT_EQ(recovered->trace.tables, trace.tables);
  EXPECT_EQ(recovered->damage->message,
            path + ": ends without an end block: truncated after event 999 (1000 events kept)");
}

}  // namespace
}  // namespace heddle
