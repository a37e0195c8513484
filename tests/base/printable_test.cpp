#include "base/printable.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Printable, ShowsControlCharactersAndBrokenTextAsNumbers) {
  EXPECT_EQ(printable("plain"), "'plain'");
  EXPECT_EQ(printable("Käse"), "'Käse'");
  EXPECT_EQ(printable(std::string_view("\0\x1b\x7f\xff", 4)), "'\\x00\\x1b\\x7f\\xff'");
  EXPECT_EQ(printable(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Utf8, IsCheckedByTheUnicodeStandard) {
  for (const char* good : {"", "a", "\u00e4", "\uffff", "\U0010ffff", "a\u20acb"}) {
    EXPECT_TRUE(is_utf8(good)) << printable(good);
  }
  for (const char* bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3", "\xe2\x82", "a\xe2\x82z", "\xff"}) {
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
  }
}

}  // namespace
}  // namespace heddle
