/**
 * Mocha's own "spec" reporter, which tells of a failure at once, for a run that may not come to its end, and leaves its
 * counts as JSON in the file that RESIDENT_COUNTS names: how test.mjs learns them.
 */
const fs = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test) => Mocha.reporters.Base.list([test]));
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      if (process.env.RESIDENT_COUNTS) fs.writeFileSync(process.env.RESIDENT_COUNTS, JSON.stringify(counts));
    });
  }

  epilogue() {
    this.failures = [];
    super.epilogue();
  }
};
