import assert from 'node:assert/strict';
import { cppClassesOf, faultsOf, kMaxLines, kMaxMethods, tsClassesOf } from './check-sizes.mjs';

describe('check-sizes', () => {
  const methodsOf = (...lines) =>
    Object.fromEntries(cppClassesOf(lines.join('\n')).map(({ name, methods }) => [name, methods]));
  const many = (count, method) => Array.from({ length: count }, (_, i) => method(i)).join('\n');

  it('accepts a file and a class at the limits', () => {
    const methods = many(kMaxMethods, (i) => `  void f${i}();`);
    assert.deepEqual(faultsOf('a.h', `class A {\n${methods}\n};\n`), []);
    assert.deepEqual(faultsOf('a.ts', 'x();\n'.repeat(kMaxLines)), []);
  });

  it('finds a file that is too long', () => {
    assert.deepEqual(faultsOf('a_test.cc', 'int a;\n'.repeat(kMaxLines + 1)), [
      'a_test.cc: 501 lines; the limit is 500',
    ]);
  });

  it('finds a class with too many methods in both languages', () => {
    const fault = 'A has 41 methods; the limit is 40';
    const declared = many(kMaxMethods + 1, (i) => `  void f${i}();`);
    assert.deepEqual(faultsOf('a.h', `class A {\n${declared}\n};`), [`a.h: ${fault}`]);
    const defined = many(kMaxMethods + 1, (i) => `  f${i}() {}`);
    assert.deepEqual(faultsOf('a.ts', `class A {\n${defined}\n}`), [`a.ts: ${fault}`]);
  });

  it('counts functions of every form', () => {
    const methods = [
      'explicit A(int a) : a_{a}, b_(a), c_{{1}, 2} {}',
      '~A();',
      'A& operator=(A&& other) noexcept { return *this; }',
      'bool operator<(const A& other) const;',
      'explicit operator bool() const { return a_ < 1; }',
      'template <typename T = std::vector<int>> void put(T&& value) { if (value) { a_ = 1; } }',
      'virtual Result<std::vector<int>> list(int limit = f(1)) const = 0;',
      'int get() const REQUIRES(mutex_) { return a_; }',
      'static auto now() -> std::chrono::nanoseconds;',
    ];
    assert.deepEqual(methodsOf('class A final : public B<int> {', ' public:', ...methods, '};'), {
      A: methods.length,
    });
  });

  it('counts nothing else', () => {
    const members = [
      'A(const A&) = delete;',
      'A& operator=(A&&) = default;',
      'friend void swap(A& a, A& b) { a.swap(b); }',
      'friend bool operator==(const A&, const A&) = default;',
      'using Take = std::function<void(int)>;',
      'std::function<bool(std::string_view)> take_ = [](auto) { return f(1); };',
      'std::map<int, Result<int>> found_ GUARDED_BY(mutex_);',
      'alignas(64) std::atomic<int> count_{0};',
      'int sum_ = f(1) + g(2);',
      'static_assert(sizeof(int) == 4);',
      '// int commented() { return 1; }',
      "char quoted_ = '(';  /* int b(); */",
      '#define CALL(a) \\\n  f(a)',
      'enum class Kind : uint8_t { kOne, kTwo };',
    ];
    assert.deepEqual(methodsOf('struct A {', ...members, '};'), { A: 0 });
  });

  it('counts for the class that declares the function', () => {
    const source = [
      'namespace a {',
      'class CAPABILITY("mutex") Outer {',
      '  struct Inner { int one(); int two(); };',
      '  int own();',
      '};',
      'struct Outer::Later { void f() { struct Local { int g(); }; } };',
      'int Outer::own() { return 1; }',
      '}',
    ];
    assert.deepEqual(methodsOf(...source), { Outer: 1, Inner: 2, Later: 1 });
  });

  it('counts constructors, accessors and arrow functions of TypeScript', () => {
    const source = 'class A { a = 1; b = () => 1; constructor() {} get c() { return 1; } static d() {} }';
    assert.deepEqual(tsClassesOf(source), [{ name: 'A', methods: 4 }]);
  });
});
