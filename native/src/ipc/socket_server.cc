#include "ipc/socket_server.h"

#include <algorithm>
#include <cerrno>
#include <list>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "ipc/socket_loop.h"
#include "ipc/socket_protocol.h"
#include "os/event_loop.h"
#include "os/file_identity.h"
#include "os/files.h"
#include "os/local_socket.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kReadSize = 64 * 1024;
// Most bytes that one client takes before other clients have their turn.
constexpr size_t kMaxPiece = 256 * 1024;
// Delay of accept() after it failed for lack of descriptors or memory.
constexpr std::chrono::milliseconds kRest(100);

// One connection, from the greeting to the last byte of the answer.
struct Client {
  enum class Step : uint8_t { kAsking, kWaiting, kTaking };

  uint32_t id = 0;  // its tag in the loop
  ProcessId peer = 0;
  UniqueFd socket;
  Step step = Step::kAsking;
  std::string bytes;  // received part of the question
  FramedAnswer answer;
  size_t taken = 0;  // bytes of the answer that were sent
  Clock::time_point moved;

  size_t left() const { return answer.header.size() + answer.rest.size() - taken; }
  // Memory of the answer, which is freed after its last byte. A short answer does not count.
  size_t held() const { return step == Step::kTaking ? answer.rest.capacity() : 0; }
  // The next bytes to send; empty after the last.
  std::string_view next() const {
    const std::string_view header = answer.header;
    if (taken < header.size()) return header.substr(taken);
    return std::string_view(answer.rest).substr(taken - header.size());
  }
};

// Collects answers for waiting clients, from any thread. A question keeps it alive after the
// server's end.
class Answers {
 public:
  struct Item {
    uint32_t client = 0;
    std::string payload;
  };

  Answers(std::shared_ptr<SocketLoop> loop, SocketLoop::ServerNumber server)
      : loop_(std::move(loop)), server_(server) {}

  void expect(uint32_t client) {
    MutexLock lock(mutex_);
    waiting_.insert(client);
  }
  void forget(uint32_t client) {
    MutexLock lock(mutex_);
    waiting_.erase(client);
  }
  bool is_waiting(uint32_t client) const {
    MutexLock lock(mutex_);
    return waiting_.contains(client);
  }
  void give(Item answer) {
    {
      MutexLock lock(mutex_);
      if (waiting_.erase(answer.client) == 0) return;
      given_.push_back(std::move(answer));
    }
    loop_->call(server_);
  }
  std::vector<Item> take() {
    MutexLock lock(mutex_);
    return std::exchange(given_, {});
  }

 private:
  const std::shared_ptr<SocketLoop> loop_;
  const SocketLoop::ServerNumber server_;
  mutable Mutex mutex_;
  std::set<uint32_t> waiting_ GUARDED_BY(mutex_);
  std::vector<Item> given_ GUARDED_BY(mutex_);
};

class ClientQuestion final : public SocketServer::Question {
 public:
  ClientQuestion(std::shared_ptr<Answers> answers, const Client& client, std::string payload)
      : answers_(std::move(answers)),
        client_(client.id),
        peer_(client.peer),
        payload_(std::move(payload)) {
    answers_->expect(client_);
  }
  const std::string& payload() const override { return payload_; }
  ProcessId peer() const override { return peer_; }
  void answer(std::string payload) override { answers_->give({client_, std::move(payload)}); }
  bool is_wanted() const override { return answers_->is_waiting(client_); }

 private:
  const std::shared_ptr<Answers> answers_;
  const uint32_t client_;
  const ProcessId peer_;
  const std::string payload_;
};

// Locks the directory of `path` against other processes that take or leave a path in it. The lock
// is held for a few system calls, so the wait is short.
Result<UniqueFd> lock_directory_of(const std::string& path) {
  return lock_directory(path.substr(0, path.rfind('/')));
}

// The listening socket's tag; the tags of clients follow.
constexpr uint32_t kListening = 0;

class Server final : public SocketServer, private SocketLoop::Server {
 public:
  Server(std::string path, FileIdentity file, UniqueFd socket, std::shared_ptr<SocketLoop> loop,
         Handler handler, Limits limits, const SocketFraming& framing)
      : path_(std::move(path)),
        file_(file),
        limits_(std::move(limits)),
        framing_(framing),
        handler_(std::move(handler)),
        socket_(std::move(socket)),
        loop_(std::move(loop)),
        number_(loop_->next_number()),
        answers_(std::make_shared<Answers>(loop_, number_)) {}

  ~Server() override {
    loop_->remove(number_);
    // If the file remains, it has no listener, and the next process replaces it.
    const Result<UniqueFd> lock = lock_directory_of(path_);
    if (!lock.ok()) return;
    const std::optional<FileIdentity> found = link_identity(path_);
    if (found && is_same_file(*found, file_)) remove_file(path_);
  }

  Result<void> start() {
    loop_->add(number_, *this);
    return loop_->watch(number_, kListening, socket_.get(), kReadable);
  }

 private:
  using Clients = std::list<Client>;

  void on_event(uint32_t tag) override {
    if (tag == kListening) {
      accept();
    } else if (const auto client = find(tag); client != clients_.end() && !move(*client)) {
      drop(client);
    }
    drop_slow();
  }

  void on_called() override {
    give_answers();
    drop_slow();
  }

  // Time at which the first client times out, or the delay of accept() ends.
  Clock::time_point due() const override {
    Clock::time_point first = rests_until_.value_or(Clock::time_point::max());
    for (const Client& client : clients_) {
      if (client.step != Client::Step::kWaiting) {
        first = std::min(first, client.moved + limits_.patience);
      } else if (limits_.late) {
        first = std::min(first, client.moved + limits_.late->after);
      }
    }
    return first;
  }

  void on_due() override {
    if (rests_until_ && *rests_until_ <= Clock::now()) {
      rests_until_.reset();
      loop_->set_events(number_, kListening, socket_.get(), kReadable);
    }
    give_late_answers();
    drop_slow();
  }

  Clients::iterator find(uint32_t id) {
    return std::find_if(clients_.begin(), clients_.end(),
                        [id](const Client& client) { return client.id == id; });
  }

  void set_step(Client& client, Client::Step step) {
    client.step = step;
    // The end of a waiting client is reported without a registered event.
    Events events = 0;
    if (step == Client::Step::kAsking) events = kReadable;
    if (step == Client::Step::kTaking) events = kWritable;
    loop_->set_events(number_, client.id, client.socket.get(), events);
  }

  void accept() {
    AcceptedSocket accepted = accept_local(socket_.get());
    UniqueFd& socket = accepted.socket;
    if (!socket.valid()) {
      if (accepted.lacks_resources) {
        rests_until_ = Clock::now() + kRest;
        loop_->set_events(number_, kListening, socket_.get(), 0);
      }
      return;
    }
    // A new connection has an empty send buffer: the greeting fits.
    const std::optional<ProcessId> peer = peer_of_same_user(socket.get());
    if (!peer || !send_all(socket.get(), framing_.greeting).ok()) return;
    const uint32_t id = ++last_id_;
    if (!loop_->watch(number_, id, socket.get(), kReadable).ok()) return;
    clients_.push_back(
        {id, *peer, std::move(socket), Client::Step::kAsking, {}, {}, 0, Clock::now()});
  }

  // False: the connection is over.
  bool move(Client& client) {
    switch (client.step) {
      case Client::Step::kAsking:
        return hear(client);
      case Client::Step::kWaiting:
        return false;
      case Client::Step::kTaking:
        return tell(client);
    }
    return false;
  }

  bool hear(Client& client) {
    const size_t before = client.bytes.size();
    client.bytes.resize(before + kReadSize);
    const IoResult got = receive_some(client.socket.get(), client.bytes.data() + before, kReadSize);
    client.bytes.resize(before + got.count);
    if (got.state != IoResult::State::kSome) return !got.is_over();
    client.moved = Clock::now();
    Result<std::optional<std::string>> question = framing_.question_in(client.bytes);
    if (!question.ok()) return false;
    if (!*question) return client.bytes.size() <= framing_.longest_question;
    client.bytes = {};
    set_step(client, Client::Step::kWaiting);
    handler_(std::make_shared<ClientQuestion>(answers_, client, *std::move(*question)));
    return true;
  }

  // Sends one piece.
  bool tell(Client& client) {
    bool is_full = false;  // the client's receive buffer
    for (size_t piece = kMaxPiece; piece > 0 && client.left() > 0 && !is_full;) {
      const std::string_view next = client.next().substr(0, piece);
      const IoResult sent = send_some(client.socket.get(), next.data(), next.size());
      if (sent.state != IoResult::State::kSome) return !sent.is_over();
      client.moved = Clock::now();
      client.taken += sent.count;
      piece -= sent.count;
      is_full = sent.count < next.size();
    }
    return client.left() > 0;
  }

  void give_answers() {
    for (Answers::Item& answer : answers_->take()) {
      if (const auto client = find(answer.client); client != clients_.end()) {
        give(client, std::move(answer.payload));
      }
    }
  }

  void give_late_answers() {
    if (!limits_.late) return;
    const auto end = Clock::now() - limits_.late->after;
    for (auto client = clients_.begin(); client != clients_.end();) {
      const auto next = std::next(client);
      if (client->step == Client::Step::kWaiting && client->moved <= end) {
        answers_->forget(client->id);
        give(client, limits_.late->payload);
      }
      client = next;
    }
  }

  void give(Clients::iterator client, std::string payload) {
    std::optional<FramedAnswer> framed = framing_.framed(std::move(payload));
    if (!framed) return drop(client);
    client->answer = *std::move(framed);
    set_step(*client, Client::Step::kTaking);
    client->moved = Clock::now();
    if (!tell(*client)) drop(client);
  }

  void drop_slow() {
    const auto end = Clock::now() - limits_.patience;
    size_t bytes = 0;
    for (auto client = clients_.begin(); client != clients_.end();) {
      const auto next = std::next(client);
      if (client->step != Client::Step::kWaiting && client->moved <= end) {
        drop(client);
      } else {
        bytes += client->held();
      }
      client = next;
    }
    while (clients_.size() > limits_.clients) drop(slowest(Client::Step::kAsking));
    while (bytes > limits_.bytes) {
      const auto client = slowest(Client::Step::kTaking);
      if (client->held() == bytes) break;
      bytes -= client->held();
      drop(client);
    }
  }

  // The slowest client at `step`; of all clients if none is at `step`.
  Clients::iterator slowest(Client::Step step) {
    return std::min_element(clients_.begin(), clients_.end(),
                            [step](const Client& one, const Client& other) {
                              return std::pair(one.step != step, one.moved) <
                                     std::pair(other.step != step, other.moved);
                            });
  }

  void drop(Clients::iterator client) {
    if (client->step == Client::Step::kWaiting) answers_->forget(client->id);
    clients_.erase(client);
  }

  const std::string path_;
  const FileIdentity file_;  // at path_, unless somebody replaced it
  const Limits limits_;
  const SocketFraming& framing_;
  const Handler handler_;
  const UniqueFd socket_;
  const std::shared_ptr<SocketLoop> loop_;
  const SocketLoop::ServerNumber number_;
  const std::shared_ptr<Answers> answers_;
  // Used only on the loop's thread.
  Clients clients_;
  uint32_t last_id_ = kListening;
  std::optional<Clock::time_point> rests_until_;
};

}  // namespace

Result<std::unique_ptr<SocketServer>> SocketServer::listen(const std::string& path, Handler handler,
                                                           Limits limits,
                                                           const SocketFraming& framing) {
  if (!fits_socket_address(path)) {
    return Error{ErrorCode::kInvalid, path + ": the path is too long for a socket"};
  }
  // First the loop: its failure must not leave a socket without a listener.
  RESIDENT_TRY(std::shared_ptr<SocketLoop> loop, SocketLoop::of_process());
  RESIDENT_TRY(const UniqueFd lock, lock_directory_of(path));
  // A listener keeps its socket, even if it misbehaves.
  const Result<UniqueFd> other = reach(path);
  if (other.ok() || other.error().code != ErrorCode::kNotFound) {
    return Error{ErrorCode::kInvalid, path + ": another process already listens on this socket"};
  }
  RESIDENT_TRY(UniqueFd socket, listen_local(path));
  const std::optional<FileIdentity> file = link_identity(path);
  if (!file) return error_from_errno(errno, path);
  auto server = std::make_unique<Server>(path, *file, std::move(socket), std::move(loop),
                                         std::move(handler), std::move(limits), framing);
  RESIDENT_CHECK(server->start());
  return std::unique_ptr<SocketServer>(std::move(server));
}

}  // namespace resident
