/**
 * Mocha's own "spec" reporter, which tells of a failure at once, for a run that may not come to its end, and leaves its
 * counts, and a line for each failure, as JSON in the file that RESIDENT_COUNTS names: how test.mjs learns them.
 *
 * What is left running by tests that have all ended, a server of one that failed, would keep the run waiting: after
 * the reporter's option `patience`, in milliseconds, it is named and ended, and the run fails.
 */
const fs = require('node:fs');
const Mocha = require('mocha');

const patienceMs = 30_000;

async function endWhatIsLeft() {
  const { endFamily } = await import('./within.mjs');
  console.error('error: all tests have ended, and something of theirs has not');
  endFamily(process.pid);
  // After mocha's own, which takes the tests' word for it.
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
