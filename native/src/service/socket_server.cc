#include "service/socket_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/thread_annotations.h"
#include "base/unique_fd.h"
#include "service/socket_protocol.h"

namespace resident {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMaxQuestion = 1 << 20;
constexpr size_t kReadSize = 64 * 1024;
// Where a connection cannot be taken for want of descriptors or memory, it waits that long.
constexpr std::chrono::milliseconds kRest(100);

// One connection, from the greeting to the last byte of the answer.
struct Client {
  enum class Step : uint8_t { kAsking, kWaiting, kTaking };

  uint64_t id = 0;
  UniqueFd socket;
  Step step = Step::kAsking;
  std::string bytes;  // of the question that came so far, or of the answer
  size_t taken = 0;   // of the answer
  Clock::time_point moved;

  size_t left() const { return step == Step::kTaking ? bytes.size() - taken : 0; }
};

// What comes back for the clients that wait, from any thread. It outlives the server where a
// question does.
class Answers {
 public:
  struct Item {
    uint64_t client = 0;
    std::string payload;
  };

  explicit Answers(UniqueFd wake) : wake_(std::move(wake)) {}

  void expect(uint64_t client) {
    MutexLock lock(mutex_);
    waiting_.insert(client);
  }
  void forget(uint64_t client) {
    MutexLock lock(mutex_);
    waiting_.erase(client);
  }
  bool is_waiting(uint64_t client) const {
    MutexLock lock(mutex_);
    return waiting_.contains(client);
  }
  void give(Item answer) {
    {
      MutexLock lock(mutex_);
      if (waiting_.erase(answer.client) == 0) return;
      given_.push_back(std::move(answer));
    }
    wake();
  }
  std::vector<Item> take() {
    uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
    MutexLock lock(mutex_);
    return std::exchange(given_, {});
  }

  // To be polled: readable after wake().
  int descriptor() const { return wake_.get(); }
  void wake() {
    const uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
  }

 private:
  const UniqueFd wake_;
  mutable Mutex mutex_;
  std::set<uint64_t> waiting_ GUARDED_BY(mutex_);
  std::vector<Item> given_ GUARDED_BY(mutex_);
};

class ClientQuestion final : public SocketServer::Question {
 public:
  ClientQuestion(std::shared_ptr<Answers> answers, uint64_t client, std::string payload)
      : answers_(std::move(answers)), client_(client), payload_(std::move(payload)) {
    answers_->expect(client_);
  }
  const std::string& payload() const override { return payload_; }
  void answer(std::string payload) override { answers_->give({client_, std::move(payload)}); }
  bool is_wanted() const override { return answers_->is_waiting(client_); }

 private:
  const std::shared_ptr<Answers> answers_;
  const uint64_t client_;
  const std::string payload_;
};

class Server final : public SocketServer {
 public:
  Server(std::string path, UniqueFd socket, UniqueFd wake, Handler handler, Limits limits)
      : path_(std::move(path)),
        limits_(limits),
        handler_(std::move(handler)),
        socket_(std::move(socket)),
        answers_(std::make_shared<Answers>(std::move(wake))),
        thread_([this] { run(); }) {}

  ~Server() override {
    stopped_ = true;
    answers_->wake();
    thread_.join();
    ::unlink(path_.c_str());
  }

 private:
  using Clients = std::list<Client>;

  void run() {
    std::vector<pollfd> fds;
    while (!stopped_) {
      const bool rests = Clock::now() < rests_until_;
      fds = {{socket_.get(), static_cast<int16_t>(rests ? 0 : POLLIN), 0},
             {answers_->descriptor(), POLLIN, 0}};
      for (const Client& client : clients_) fds.push_back({client.socket.get(), events(client), 0});
      if (::poll(fds.data(), fds.size(), time_left()) < 0 && errno != EINTR) return;
      size_t at = 2;
      for (auto client = clients_.begin(); client != clients_.end(); ++at) {
        const auto next = std::next(client);
        if (fds[at].revents != 0 && !move(*client)) drop(client);
        client = next;
      }
      if (fds[1].revents != 0) give_answers();
      if (fds[0].revents != 0) accept();
      drop_slow();
    }
  }

  static int16_t events(const Client& client) {
    switch (client.step) {
      case Client::Step::kAsking:
        return POLLIN;
      case Client::Step::kWaiting:
        return 0;  // but for its end, which always counts
      case Client::Step::kTaking:
        return POLLOUT;
    }
    return 0;
  }

  // In milliseconds until the first client runs out of it, or a rest ends; -1: for ever.
  int time_left() const {
    const auto now = Clock::now();
    auto first = Clock::time_point::max();
    if (now < rests_until_) first = rests_until_;
    for (const Client& client : clients_) {
      if (client.step == Client::Step::kWaiting) continue;
      first = std::min(first, client.moved + limits_.patience);
    }
    if (first == Clock::time_point::max()) return -1;
    const auto left = first - now;
    return static_cast<int>(
        std::max<int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
  }

  void accept() {
    UniqueFd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.valid()) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
        rests_until_ = Clock::now() + kRest;
      }
      return;
    }
    // A new connection has room for a greeting.
    if (!peer_is_same_user(socket.get())) return;
    if (!send_all(socket.get(), kGreeting).ok()) return;
    clients_.push_back({++last_id_, std::move(socket), Client::Step::kAsking, {}, 0, Clock::now()});
  }

  // False where the connection is over.
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
    const ssize_t count = ::recv(client.socket.get(), client.bytes.data() + before, kReadSize, 0);
    client.bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    client.moved = Clock::now();
    if (client.bytes.size() < 4) return true;
    const uint32_t size = load_be32(as_bytes(client.bytes).data());
    if (size > kMaxQuestion || client.bytes.size() > 4 + size_t{size}) return false;
    if (client.bytes.size() < 4 + size_t{size}) return true;
    client.step = Client::Step::kWaiting;
    handler_(std::make_shared<ClientQuestion>(answers_, client.id,
                                              std::exchange(client.bytes, {}).substr(4)));
    return true;
  }

  bool tell(Client& client) {
    const ssize_t count = ::send(client.socket.get(), client.bytes.data() + client.taken,
                                 client.left(), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    client.moved = Clock::now();
    client.taken += static_cast<size_t>(count);
    return client.left() > 0;
  }

  void give_answers() {
    for (const Answers::Item& answer : answers_->take()) {
      const auto client = std::find_if(clients_.begin(), clients_.end(), [&](const Client& other) {
        return other.id == answer.client;
      });
      if (client == clients_.end()) continue;
      if (answer.payload.size() > kMaxMessage) {
        drop(client);
        continue;
      }
      client->bytes = message_header(answer.payload.size());
      client->bytes += answer.payload;
      client->step = Client::Step::kTaking;
      client->moved = Clock::now();
      if (!tell(*client)) drop(client);
    }
  }

  void drop_slow() {
    const auto end = Clock::now() - limits_.patience;
    size_t bytes = 0;
    for (auto client = clients_.begin(); client != clients_.end();) {
      const auto next = std::next(client);
      if (client->step != Client::Step::kWaiting && client->moved <= end) {
        drop(client);
      } else {
        bytes += client->left();
      }
      client = next;
    }
    while (clients_.size() > limits_.clients) drop(slowest(Client::Step::kAsking));
    while (bytes > limits_.bytes) {
      const auto client = slowest(Client::Step::kTaking);
      if (client->left() == bytes) break;
      bytes -= client->left();
      drop(client);
    }
  }

  // Of those at `step`, or of all where there is none.
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
  const Limits limits_;
  const Handler handler_;
  const UniqueFd socket_;
  const std::shared_ptr<Answers> answers_;
  std::atomic<bool> stopped_ = false;
  // The moving thread's.
  Clients clients_;
  uint64_t last_id_ = 0;
  Clock::time_point rests_until_{};

  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<SocketServer>> SocketServer::listen(const std::string& path, Handler handler,
                                                           Limits limits) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{ErrorCode::kInvalid, path + ": too long"};
  // Whoever listens keeps its socket, however it behaves.
  Result<UniqueFd> other = connect_to(path);
  if (other.ok() || other.error().code != ErrorCode::kNotFound) {
    return Error{ErrorCode::kInvalid, path + ": another process listens there already"};
  }
  ::unlink(path.c_str());
  std::memcpy(address.sun_path, path.data(), path.size());
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  UniqueFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!socket.valid() || !wake.valid()) return error_from_errno(errno, path);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path.c_str(), 0600) != 0 || ::listen(socket.get(), 64) != 0) {
    return error_from_errno(errno, path);
  }
  return std::unique_ptr<SocketServer>(
      new Server(path, std::move(socket), std::move(wake), std::move(handler), limits));
}

}  // namespace resident
