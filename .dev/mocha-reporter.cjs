/**
 * Mocha's own "spec" reporter, which also leaves its counts as JSON in the file that RESIDENT_COUNTS names:
 * how test.mjs learns them.
 */
const fs = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      if (process.env.RESIDENT_COUNTS) fs.writeFileSync(process.env.RESIDENT_COUNTS, JSON.stringify(counts));
    });
  }
};
