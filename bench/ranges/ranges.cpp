// Table 1 of the TSG paper, with our figures beside the paper's.
//
// The paper's programs are not to be had; the models are of the same kind and about the same
// size (examples/models/tsg), so columns compare graphs with each other, not row with row.
// Seconds mean something only within one run. Memory is the peak of the process so far.
//
//   build/release/bench/ranges/ranges [NAME...]
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "model/compile.h"
#include "ranges/analysis.h"

namespace heddle {
namespace {

using Fields = std::vector<std::string>;

Fields split(const std::string& line, char separator) {
  Fields fields(1);
  for (const char c : line) {
    c == separator ? void(fields.emplace_back()) : fields.back().push_back(c);
  }
  return fields;
}

std::vector<Fields> read_paper() {
  std::vector<Fields> rows;
  std::ifstream file(HEDDLE_TSG_PAPER);
  for (std::string line; std::getline(file, line);) {
    Fields fields = split(line, ',');
    if (fields.size() == 25 && fields[0] != "name") rows.push_back(std::move(fields));
  }
  return rows;
}

Result<model::Model> load(const Fields& row) {
  model::CompileOptions options;
  for (const std::string& definition : split(row[24], ' ')) {
    TRY(auto parsed, model::parse_definition(definition));
    options.definitions.push_back(std::move(parsed));
  }
  return model::load(fmt::format("{}/tsg/{}.hm", HEDDLE_MODELS, row[23]), options);
}

std::size_t peak_megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) / 1024;
}

// "22 | 18": the paper's figure, then ours.
std::string both(const std::string& paper, const std::string& ours) {
  return fmt::format("{:>6} |{:>7}", paper.empty() ? "-" : paper, ours);
}
std::string short_number(std::uint64_t number) {
  if (number < 10000) return std::to_string(number);
  if (number < 1000000) return fmt::format("{:.1f}K", static_cast<double>(number) / 1e3);
  return fmt::format("{:.2f}M", static_cast<double>(number) / 1e6);
}

void print_graph(const Fields& row, const ranges::Analysis& analysis) {
  const std::size_t kind = static_cast<std::size_t>(analysis.graph->kind());
  const std::size_t first = kind == 0 ? 6 : kind == 1 ? 12 : 18;  // CE, TE, seconds, RB_l, RB_g
  fmt::print("  {:<9}  M {}  CE {}  TE {}  s {}  RB_l {}  RB_g {}  unreachable {:>4}  {:>4} MB\n",
             ranges::name_of(analysis.graph->kind()),
             both(kind == 0 ? "" : row[first - 1], short_number(analysis.graph->mats().size())),
             both(row[first], short_number(analysis.graph->switch_count())),
             both(row[first + 1], short_number(analysis.graph->transactions().size())),
             both(row[first + 2], fmt::format("{:.3f}", analysis.seconds)),
             both(row[first + 3], short_number(analysis.metric.local)),
             both(row[first + 4], short_number(analysis.metric.global)),
             analysis.unreachable.size(), peak_megabytes());
  std::fflush(stdout);
}

int print_row(const Fields& row) {
  const auto model = load(row);
  if (!model.ok()) return fmt::print(stderr, "{}\n", model.error().message), 1;
  const auto program = ranges::make_program(*model, 8);
  if (!program.ok()) return fmt::print(stderr, "{}\n", program.error().message), 1;
  const ranges::Size size = ranges::size_of(**program);
  fmt::print("{:<7}  threads {}  locals {}  globals {}  accesses {}  transitions {}\n", row[0],
             both(row[1], short_number(size.threads)), both(row[2], short_number(size.locals)),
             both(row[3], short_number(size.globals)), both(row[4], short_number(size.accesses)),
             both(row[5], short_number(size.transitions)));
  for (auto kind = ranges::kGraphKinds.rbegin(); kind != ranges::kGraphKinds.rend(); ++kind) {
    print_graph(row, ranges::analyse(**program, *kind));
  }
  return 0;
}

int run(const Fields& names) {
  fmt::print("each figure: the paper's | ours\n");
  int status = 0;
  for (const Fields& row : read_paper()) {
    const bool wanted =
        names.empty() || std::find(names.begin(), names.end(), row[0]) != names.end();
    if (wanted) status |= print_row(row);
  }
  return status;
}

}  // namespace
}  // namespace heddle

int main(int count, char** words) { return heddle::run({words + 1, words + count}); }
