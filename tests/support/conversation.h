// A talk with a program that reads lines and answers, in one process: sends a line, waits for the answer to it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <istream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace farrier {

/// Runs the program on a thread of its own; the end closes its input and waits for it.
class Conversation {
 public:
  using Program = std::function<void(std::istream&, std::ostream&)>;

  explicit Conversation(Program program)
      : thread_([this, program = std::move(program)] {
          std::istream in(&source_);
          std::ostream out(&sink_);
          program(in, out);
        }) {}
  ~Conversation() {
    source_.close();
    thread_.join();
  }

  void send(const std::string& line) { source_.put(line + '\n'); }

  /// The next line that begins so, of those not passed yet; empty if none comes within 20 seconds.
  std::string expect(std::string_view beginning) {
    for (;;) {
      std::string line;
      if (!sink_.take(line)) return {};
      passed_.push_back(line);
      if (line.starts_with(beginning)) return line;
    }
  }
  std::string ask(const std::string& line, std::string_view beginning) {
    send(line);
    return expect(beginning);
  }
  /// The lines that came before the last one expected, and after the one expected before.
  std::vector<std::string> take_passed() { return std::exchange(passed_, {}); }

 private:
  /// Input that waits for what is put into it.
  class Source : public std::streambuf {
   public:
    void put(std::string text) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(text));
      changed_.notify_one();
    }
    void close() {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      changed_.notify_one();
    }

   private:
    int_type underflow() override {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
      if (waiting_.empty()) return traits_type::eof();
      present_ = std::move(waiting_.front());
      waiting_.pop_front();
      setg(present_.data(), present_.data(), present_.data() + present_.size());
      return traits_type::to_int_type(present_[0]);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> waiting_;
    std::string present_;
    bool closed_ = false;
  };

  /// Output cut into lines. The program writes whole lines under a lock of its own.
  class Sink : public std::streambuf {
   public:
    bool take(std::string& line) {
      std::unique_lock lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::seconds(20), [this] { return !lines_.empty(); }))
        return false;
      line = std::move(lines_.front());
      lines_.pop_front();
      return true;
    }

   private:
    int_type overflow(int_type c) override {
      if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
      if (traits_type::to_char_type(c) != '\n') {
        line_ += traits_type::to_char_type(c);
        return c;
      }
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::exchange(line_, {}));
      changed_.notify_one();
      return c;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    std::string line_;
  };

  Source source_;
  Sink sink_;
  std::vector<std::string> passed_;
  std::thread thread_;
};

}  // namespace farrier
