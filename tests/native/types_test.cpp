// Paths inside types that the tests make by hand.
#include "native/types.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

class TypeNames : public testing::Test {
 protected:
  TypeId scalar(std::uint64_t size) {
    return types.add({Type::Kind::scalar, StringId::none(), size, TypeId::none(), {}});
  }
  TypeId array(TypeId element, std::uint64_t count) {
    return types.add(
        {Type::Kind::array, StringId::none(), count * types[element].size, element, {}});
  }
  TypeId structure(std::uint64_t size, std::vector<Member> members) {
    return types.add(
        {Type::Kind::structure, StringId::none(), size, TypeId::none(), std::move(members)});
  }
  StringId text(const char* name) { return types.intern(name); }

  TypeTable types;
};

TEST_F(TypeNames, WalkThroughArraysAndMembers) {
  const TypeId account =
      structure(16, {{text("id"), 0, scalar(4)}, {text("balance"), 8, scalar(8)}});
  const TypeId accounts = array(account, 4);
  EXPECT_EQ(name_of(types, accounts, 3 * 16 + 8, 8), "[3].balance");
  EXPECT_EQ(name_of(types, accounts, 0, 4), "[0].id");
  EXPECT_EQ(name_of(types, array(accounts, 2), 64 + 16, 4), "[1][1].id");
}

TEST_F(TypeNames, StopAtTheSmallestPartThatHoldsTheAccess) {
  const TypeId account =
      structure(16, {{text("id"), 0, scalar(4)}, {text("balance"), 8, scalar(8)}});
  EXPECT_EQ(name_of(types, account, 0, 16), "");
  EXPECT_EQ(name_of(types, array(account, 2), 16, 16), "[1]");
  EXPECT_EQ(name_of(types, array(account, 2), 0, 32), "");
  EXPECT_EQ(name_of(types, account, 10, 2), ".balance +2");
  EXPECT_EQ(name_of(types, account, 4, 4), " +4") << "padding";
  EXPECT_EQ(name_of(types, account, 4, 8), " +4") << "across members";
}

TEST_F(TypeNames, ChooseTheMemberOfTheRightSizeInAUnion) {
  const TypeId either =
      structure(8, {{text("text"), 0, array(scalar(1), 8)}, {text("word"), 0, scalar(4)}});
  EXPECT_EQ(name_of(types, either, 0, 4), ".word");
  EXPECT_EQ(name_of(types, either, 3, 1), ".text[3]");
  EXPECT_EQ(name_of(types, either, 4, 2), ".text +4");
}

TEST_F(TypeNames, LeaveOutBaseClassesAndAnonymousParts) {
  const TypeId base = structure(4, {{text("count"), 0, scalar(4)}});
  const TypeId derived = structure(8, {{StringId::none(), 0, base}, {text("own"), 4, scalar(4)}});
  EXPECT_EQ(name_of(types, derived, 0, 4), ".count");
  EXPECT_EQ(name_of(types, derived, 4, 4), ".own");
}

TEST_F(TypeNames, LeaveOutWhatALibraryWrapsAroundOneThing) {
  const TypeId atomic = structure(4, {{text("_M_i"), 0, scalar(4)}});
  EXPECT_EQ(name_of(types, structure(8, {{text("hits"), 4, atomic}}), 4, 4), ".hits");
  const TypeId list =
      structure(16, {{text("_M_head"), 0, scalar(8)}, {text("_M_tail"), 8, scalar(8)}});
  EXPECT_EQ(name_of(types, list, 8, 8), "._M_tail");
}

TEST_F(TypeNames, GoIntoAStructOfOneMemberForAnAccessOfItsSize) {
  const TypeId wrapped = structure(4, {{text("value"), 0, scalar(4)}});
  EXPECT_EQ(name_of(types, wrapped, 0, 4), ".value");
  EXPECT_EQ(name_of(types, array(scalar(4), 1), 0, 4), "[0]");
}

}  // namespace
}  // namespace heddle
