// A heap block that one thread may free while another one still writes to it.
#include <mutex>
#include <thread>

struct Job {
  int result = 0;
};
std::mutex lock;
Job* job = nullptr;
bool done = false;

void work() {
  Job* mine = nullptr;
  {
    const std::lock_guard guard(lock);
    mine = job;
  }
  if (mine != nullptr) mine->result = 1;
  const std::lock_guard guard(lock);
  done = true;
}

int main() {
  job = new Job;
  std::thread worker(work);
  {
    const std::lock_guard guard(lock);
    Job* old = job;
    if (done) {
      delete old;
      job = nullptr;
    }
  }
  worker.join();
  delete job;
}
