// Arguments and environment are there; main may return a status.
// expect: 5
#include <cstdlib>
#include <string>
#include <thread>

int main(int count, char** arguments, char** environment) {
  if (count != 1 || arguments[1] != nullptr || environment[0] == nullptr) return 1;
  if (std::getenv("PATH") == nullptr) return 2;
  if (std::getenv("HEDDLE_CHANNEL") != nullptr) return 3;
  std::string name(arguments[0]);
  int status = 0;
  std::thread([&] { status = name.find("arguments") == std::string::npos ? 4 : 5; }).join();
  return status;
}
