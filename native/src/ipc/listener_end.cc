#include "ipc/listener_end.h"

#include <array>
#include <utility>

#include "ipc/socket_loop.h"
#include "ipc/socket_protocol.h"
#include "ipc/socket_verbs.h"
#include "os/local_socket.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

class Connection final : public ListenerEnd, private SocketLoop::Server {
 public:
  Connection(UniqueFd socket, std::shared_ptr<SocketLoop> loop, std::function<void()> ended)
      : ended_(std::move(ended)),
        loop_(std::move(loop)),
        number_(loop_->next_number()),
        socket_(std::move(socket)) {}

  ~Connection() override { loop_->remove(number_); }

  Result<void> start() {
    loop_->add(number_, *this);
    return loop_->watch(number_, 0, socket_.get(), kReadable);
  }

 private:
  // Reads the greeting or the end of the connection.
  void on_event(uint32_t) override {
    std::array<char, 64> bytes;
    if (!receive_some(socket_.get(), bytes.data(), bytes.size()).is_over()) return;
    socket_ = UniqueFd();
    ended_();
  }
  void on_called() override {}
  SocketLoop::Clock::time_point due() const override {
    return SocketLoop::Clock::time_point::max();
  }
  void on_due() override {}

  const std::function<void()> ended_;
  const std::shared_ptr<SocketLoop> loop_;
  const SocketLoop::ServerNumber number_;
  UniqueFd socket_;  // used only on the loop's thread
};

}  // namespace

Result<std::unique_ptr<ListenerEnd>> ListenerEnd::watch(const std::string& path,
                                                        std::function<void()> ended) {
  RESIDENT_TRY(UniqueFd socket, reach(path));
  RESIDENT_CHECK(send_message(socket.get(), name_of(SocketVerb::kAwaitEnd)));
  RESIDENT_TRY(std::shared_ptr<SocketLoop> loop, SocketLoop::of_process());
  auto connection =
      std::make_unique<Connection>(std::move(socket), std::move(loop), std::move(ended));
  RESIDENT_CHECK(connection->start());
  return std::unique_ptr<ListenerEnd>(std::move(connection));
}

}  // namespace resident
