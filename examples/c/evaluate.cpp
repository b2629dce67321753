// The objective of a file and its gradient, from C++.
#include <cqopt/cqopt.h>

#include <iostream>
#include <memory>
#include <vector>

int main() {
  std::unique_ptr<cq_ctx, decltype(&cq_ctx_destroy)> ctx(cq_ctx_create(0, 1), cq_ctx_destroy);
  cq_file *loaded = nullptr;
  const char *const sets[] = {"simulation.steps=100"};
  cq_status status = cq_file_load(ctx.get(), "velocity_2d", sets, 1, &loaded);
  std::unique_ptr<cq_file, decltype(&cq_file_destroy)> file(loaded, cq_file_destroy);
  cq_about_file about{};
  about.struct_size = sizeof about;
  if (status == CQ_OK) {
    status = cq_file_info(file.get(), &about);
  }
  std::vector<double> gradient(static_cast<std::size_t>(about.variables));
  cq_answer answer{};
  answer.struct_size = sizeof answer;
  answer.grad = gradient.data();
  answer.n_grad = about.variables;
  if (status == CQ_OK) {
    status = cq_file_evaluate(file.get(), nullptr, 0, &answer);
  }
  if (status != CQ_OK) {
    std::cerr << cq_ctx_error(ctx.get()) << '\n';
    return 1;
  }
  std::cout << "f = " << answer.f << ", df/dx0 = " << gradient[0] << '\n';
}
