/**
 * Mocha's own "spec" reporter, with three additions. It prints a failure at once, in case the run does not
 * end. It writes counts and failures as JSON to the file RESIDENT_COUNTS, for test.mjs. It also ends a run
 * that hangs after its last test. After the option `patience`, in milliseconds, it names and ends leftover
 * processes, and the run fails.
 */
const fs = require('node:fs');
const Mocha = require('mocha');

const patienceMs = 30_000;

async function endWhatIsLeft() {
  const { endFamily } = await import('./within.mjs');
  console.error('error: all tests have ended, and something of theirs has not');
  endFamily(process.pid);
  // Runs after mocha's own handler, which only counts the tests.
  process.once('exit', () => (process.exitCode = 1));
  process.exit();
}

const lineOf = (test, error) => `${test.fullTitle()}: ${String(error?.message ?? error).split('\n', 1)[0]}`;

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const lines = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      Mocha.reporters.Base.list([test]);
      lines.push(lineOf(test, error));
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending, lines };
      if (process.env.RESIDENT_COUNTS) fs.writeFileSync(process.env.RESIDENT_COUNTS, JSON.stringify(counts));
      setTimeout(endWhatIsLeft, Number(options.reporterOptions?.patience ?? patienceMs)).unref();
    });
  }

  epilogue() {
    this.failures = [];
    super.epilogue();
  }
};
