#include "compile/option_values.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

// Sorted, for the binary search below.
constexpr std::array<std::string_view, 75> kOptions = {
    "--assert",
    "--config",
    "--define-macro",
    "--dependent-libraries",
    "--dumpbase",
    "--dumpdir",
    "--entry",
    "--for-linker",
    "--force-link",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--language",
    "--library-directory",
    "--output",
    "--param",
    "--prefix",
    "--sysroot",
    "--undefine-macro",
    "-A",
    "-B",
    "-D",
    "-F",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-cxx-isystem",
    "-dependency-file",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-e",
    "-framework",
    "-gcc-toolchain",
    "-h",
    "-idirafter",
    "-imacros",
    "-imultiarch",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-mllvm",
    "-o",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-target",
    "-u",
    "-working-directory",
    "-wrapper",
    "-x",
    "-z",
};
static_assert(std::is_sorted(kOptions.begin(), kOptions.end()));

}  // namespace

bool takes_next_word(std::string_view option) {
  return std::binary_search(kOptions.begin(), kOptions.end(), option);
}

}  // namespace heddle
