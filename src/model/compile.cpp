#include "model/compile.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/input.h"
#include "model/compile_thread.h"
#include "model/finish.h"
#include "model/parser.h"

namespace heddle::model {
namespace {

using syntax::Declaration;
using syntax::DeclarationKind;

SyncKind sync_kind(DeclarationKind kind) {
  switch (kind) {
    case DeclarationKind::recursive_lock: return SyncKind::recursive_lock;
    case DeclarationKind::rwlock: return SyncKind::rwlock;
    case DeclarationKind::condition: return SyncKind::condition;
    case DeclarationKind::semaphore: return SyncKind::semaphore;
    default: return SyncKind::lock;
  }
}

class Compiler {
 public:
  Compiler(Model& model, Diagnostics& diagnostics, const CompileOptions& options)
      : builder_(model, diagnostics), model_(model), expressions_(builder_), options_(options) {}

  void run(const syntax::Program& program) {
    for (const Declaration& declaration : program.declarations) declare(declaration);
    for (const syntax::Thread& thread : program.threads) declare_threads(thread);
    if (model_.threads.empty() && ok()) {
      builder_.diagnostics.add({}, "a model needs a thread: thread NAME { ... }");
    }
    if (model_.threads.empty() || model_.templates.size() != program.threads.size()) return;
    lay_out();
    for (std::size_t i = 0; i < program.threads.size(); ++i) compile_threads(program.threads[i], i);
    if (ok()) finish(builder_);
  }

 private:
  bool ok() const { return builder_.diagnostics.empty(); }
  void complain(SourceRange range, std::string message) {
    builder_.diagnostics.add(range, std::move(message));
  }
  void add_name(const Declaration& declaration, Symbol symbol) {
    if (builder_.names.add(declaration.name, symbol)) return;
    complain(declaration.range, fmt::format("'{}' is declared already", declaration.name));
  }

  void declare(const Declaration& declaration) {
    switch (declaration.kind) {
      case DeclarationKind::parameter:
      case DeclarationKind::constant: return declare_constant(declaration);
      case DeclarationKind::variable: return declare_variable(declaration);
      default: return declare_sync(declaration);
    }
  }

  void declare_constant(const Declaration& declaration) {
    if (declaration.initial.size() != 1 || declaration.initial_list || declaration.length) {
      add_name(declaration, {});
      return complain(declaration.range, fmt::format("'{}' needs one value", declaration.name));
    }
    const syntax::Expression& initial = *declaration.initial.front();
    const TypedExpression value = expressions_.compile(initial);
    const bool is_bool = value.type == ValueType::boolean;
    auto known = model_.expressions.constant_value(value.id);
    if (!known) complain(initial.range, "this value must be known before the model runs");
    if (declaration.kind == DeclarationKind::parameter) {
      for (const auto& [name, given] : options_.definitions) {
        if (name == declaration.name) known = is_bool ? (given != 0 ? 1 : 0) : given;
      }
      model_.parameters.push_back({std::string(declaration.name), known.value_or(0), is_bool});
    }
    add_name(declaration, {.value = known.value_or(0), .is_bool = is_bool});
  }

  bool has_room(const Declaration& declaration, std::size_t words) {
    if (model_.layout.words + words <= kMaxWords) return true;
    complain(declaration.range, "the model has too many variables");
    return false;
  }

  void declare_variable(const Declaration& declaration) {
    Variable made;
    made.name = std::string(declaration.name);
    made.is_bool = declaration.type.is_bool;
    made.is_array = declaration.length != nullptr;
    made.atomic = declaration.atomic;
    made.bounds = declared_bounds(expressions_, builder_, declaration.type);
    made.declared = declaration.range;
    made.length = array_length(expressions_, builder_, declaration, kMaxLength).value_or(1);
    if (!has_room(declaration, made.length)) return;
    const VariableId id = builder_.add_variable(std::move(made));
    model_.layout.shared_words = model_.layout.words;
    initialise(declaration, model_.variables[id]);
    add_name(declaration, {.kind = SymbolKind::variable, .variable = id});
  }

  void initialise(const Declaration& declaration, const Variable& variable) {
    for (std::uint32_t i = 0; i < variable.length; ++i) {
      const auto value = initial_value(declaration, i, variable.length, variable.is_bool);
      if (!value) return;
      if (!variable.bounds.contains(*value)) {
        return complain(declaration.range,
                        fmt::format("the initial value {} is outside {}..{}", *value,
                                    variable.bounds.low, variable.bounds.high));
      }
      model_.initial_words[variable.first_word + i] = *value;
    }
  }

  // Of element i; nothing when there is none or after a mistake.
  std::optional<std::int64_t> initial_value(const Declaration& declaration, std::uint32_t i,
                                            std::uint32_t length, bool is_bool) {
    const std::size_t given = declaration.initial.size();
    if (given == 0) return std::nullopt;
    if (declaration.initial_list && (declaration.length == nullptr || given != length)) {
      complain(declaration.range, fmt::format("{} initial values for '{}', which has {}", given,
                                              declaration.name, length));
      return std::nullopt;
    }
    const syntax::Expression& initial = *declaration.initial[declaration.initial_list ? i : 0];
    builder_.names.open_scope();
    if (!declaration.index_name.empty()) builder_.names.add(declaration.index_name, {.value = i});
    const ExpressionId value = expressions_.of_type(
        initial, is_bool ? ValueType::boolean : ValueType::number, "the initial value");
    builder_.names.close_scope();
    const auto known = model_.expressions.constant_value(value);
    if (!known) complain(initial.range, "an initial value must be known before the model runs");
    return known;
  }

  void declare_sync(const Declaration& declaration) {
    SyncDeclaration made;
    made.name = std::string(declaration.name);
    made.kind = sync_kind(declaration.kind);
    made.is_array = declaration.length != nullptr;
    made.length = array_length(expressions_, builder_, declaration, kMaxLength).value_or(1);
    const auto index = static_cast<std::uint32_t>(model_.sync_declarations.size());
    for (std::uint32_t i = 0; i < made.length; ++i) {
      SyncObject object{.kind = made.kind, .declaration = index};
      object.initial = initial_value(declaration, i, made.length, false).value_or(0);
      model_.sync_objects.push_back(object);
    }
    check_sync_initial(declaration, made.kind);
    model_.sync_declarations.push_back(std::move(made));
    add_name(declaration, {.kind = SymbolKind::sync, .index = index});
  }

  void check_sync_initial(const Declaration& declaration, SyncKind kind) {
    if (!declaration.initial.empty() && kind != SyncKind::semaphore) {
      return complain(declaration.range, "only variables and semaphores have an initial value");
    }
    for (const SyncObject& object : model_.sync_objects) {
      const bool fits = object.initial >= 0 && object.initial <= kMaxLength;
      if (!fits) complain(declaration.range, "the count of a semaphore starts at 0 or more");
    }
  }

  void declare_threads(const syntax::Thread& thread) {
    ThreadTemplate made;
    made.name = std::string(thread.name);
    made.has_parameter = !thread.parameter.empty();
    made.first = model_.threads.end_index();
    if (made.has_parameter && !set_range(thread, made)) return;
    const auto index = static_cast<std::uint32_t>(model_.templates.size());
    for (std::uint32_t i = 0; i < made.count; ++i) {
      const std::string name =
          made.has_parameter ? fmt::format("{}({})", made.name, made.low + i) : made.name;
      model_.threads.add({.name = name, .thread_template = index, .forked = thread.forked});
    }
    if (!builder_.names.add(thread.name, {.kind = SymbolKind::thread, .index = index})) {
      complain(thread.range, fmt::format("'{}' is declared already", thread.name));
    }
    model_.templates.push_back(std::move(made));
  }

  bool set_range(const syntax::Thread& thread, ThreadTemplate& made) {
    const auto low = expressions_.constant(*thread.low, "the range of a thread");
    const auto high = expressions_.constant(*thread.high, "the range of a thread");
    if (!low || !high) return false;
    made.low = *low;
    const auto span = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
    const std::size_t room = kMaxThreads - model_.threads.size();
    if (*high >= *low && span >= room) {
      complain(thread.range, fmt::format("more than {} threads", kMaxThreads));
      return false;
    }
    made.count = *high < *low ? 0 : static_cast<std::uint32_t>(span + 1);
    return true;
  }

  // Shared variables have their words; synchronisation and control come behind them.
  void lay_out() {
    Layout& layout = model_.layout;
    const auto threads = static_cast<std::uint32_t>(model_.threads.size());
    layout.first_sync_object = layout.shared_words;
    for (SyncObject& object : model_.sync_objects) {
      object.word = layout.words;
      layout.words += object.kind == SyncKind::semaphore   ? 1
                      : object.kind == SyncKind::condition ? 1 + 2 * threads
                      : object.kind == SyncKind::rwlock    ? 2 + threads
                                                           : 2;
    }
    std::uint32_t next = layout.first_sync_object;
    for (SyncDeclaration& declaration : model_.sync_declarations) {
      declaration.first = SystemObject(next);
      next += declaration.length;
    }
    layout.first_thread_object = next;
    layout.objects = next + threads;
    layout.first_control = layout.words;
    layout.first_status = layout.words + threads;
    layout.words += 2 * threads;
    model_.initial_words.resize(layout.words, 0);
    for (const SyncObject& object : model_.sync_objects) {
      if (object.kind == SyncKind::semaphore) model_.initial_words[object.word] = object.initial;
    }
  }

  // The threads of a template make the same mistakes, so the first one with some is enough.
  void compile_threads(const syntax::Thread& thread, std::size_t index) {
    const ThreadTemplate made = model_.templates[index];
    for (std::uint32_t i = 0; i < made.count; ++i) {
      const std::size_t before = model_.states.size();
      const ThreadId id(made.first.value() + i);
      builder_.names.open_scope();
      if (made.has_parameter) builder_.names.add(thread.parameter, {.value = made.low + i});
      ThreadCompiler(builder_, options_.granularity, id).compile(thread.body);
      builder_.names.close_scope();
      if (model_.states.size() > kMaxStates || model_.layout.words > kMaxWords) {
        complain(thread.range, fmt::format("the model is too large: {} control states for '{}'",
                                           model_.states.size() - before, made.name));
      }
      if (!ok()) return;
    }
  }

  Builder builder_;
  Model& model_;
  ExpressionCompiler expressions_;
  const CompileOptions& options_;
};

Result<void> check_definitions(const Model& model, const CompileOptions& options) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : options.definitions) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto similar = nearest(name, names);
    return make_error("{}: there is no parameter '{}'{}", model.source.name(), name,
                      similar         ? fmt::format("; did you mean '{}'?", *similar)
                      : names.empty() ? "; the model has none"
                                      : fmt::format("; there is {}", fmt::join(names, ", ")));
  }
  return {};
}

Result<std::string> read_all(const std::string& path) {
  TRY(const std::unique_ptr<Input> input, Input::open(path));
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (true) {
    TRY(const std::size_t got, input->read(buffer));
    text.append(buffer.data(), got);
    if (got < buffer.size() || text.size() > SourceText::kMaxLength) return text;
  }
}

}  // namespace

Result<Model> compile(std::string name, std::string text, const CompileOptions& options) {
  if (text.size() > SourceText::kMaxLength) {
    return make_error("{}: longer than {} bytes; that is no model", name, SourceText::kMaxLength);
  }
  Model model(SourceText(std::move(name), std::move(text)));
  Diagnostics diagnostics(model.source);
  const syntax::Program program = parse(model.source, diagnostics);
  if (!diagnostics.empty()) return diagnostics.error();
  Compiler(model, diagnostics, options).run(program);
  if (!diagnostics.empty()) return diagnostics.error();
  TRY_VOID(check_definitions(model, options));
  return model;
}

Result<Model> load(const std::string& path, const CompileOptions& options) {
  TRY(std::string text, read_all(path));
  return compile(path, std::move(text), options);
}

Result<std::pair<std::string, std::int64_t>> parse_definition(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  std::int64_t number = value == "true" ? 1 : 0;
  const char* const end = value.data() + value.size();
  const bool word = value == "true" || value == "false";
  const auto [stop, code] = std::from_chars(value.data(), end, number);
  if (equals != std::string::npos && equals > 0 && (word || (code == std::errc() && stop == end))) {
    return std::pair(text.substr(0, equals), word ? std::int64_t{value == "true"} : number);
  }
  return make_error("'{}' is no definition; write NAME=NUMBER, such as N=4", text);
}

}  // namespace heddle::model
