/** The git on PATH: its version is asked once, and again if the program changes. */
import { strict as assert } from 'node:assert';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { oracleGit } from '../../support/oracle';
import { Repository } from '../../support/repository';
import { ServerError } from '../../support/server';
import { withSandbox } from '../case';
import { question } from '../questions';
import { Subject } from '../subject';

/** Puts a git on PATH that claims another version, and otherwise is the oracle. */
function pretend({ sandbox }: Subject, version: string): void {
  const script = [
    '#!/bin/sh',
    `echo "$*" >>'${sandbox.spyLog}'`,
    `[ "$1" = version ] && echo 'git version ${version}' && exit`,
    `exec '${oracleGit()}' "$@"`,
  ];
  writeFileSync(sandbox.path('bin/git'), `${script.join('\n')}\n`);
  chmodSync(sandbox.path('bin/git'), 0o755);
}

/** Number of version queries to git during `body`. */
function versionsAsked({ sandbox }: Subject, body: () => void): number {
  const before = readFileSync(sandbox.spyLog, 'latin1').length;
  body();
  const calls = readFileSync(sandbox.spyLog, 'latin1').slice(before).split('\n');
  return calls.filter((call) => call === 'version').length;
}

describe('the git on PATH', () => {
  async function withDiverged(body: (subject: Subject) => void | Promise<void>): Promise<void> {
    await withSandbox(async (sandbox) => {
      const repo = Repository.init(sandbox, 'w');
      repo.commit('first');
      repo.git('branch', 'upstream');
      repo.commit('ours');
      repo.git('branch', '-q', '--set-upstream-to=upstream');
      repo.git(
        'update-ref',
        'refs/heads/upstream',
        repo.git('commit-tree', '-m', 'theirs', 'HEAD^{tree}').trim(),
      );
      const subject = new Subject(sandbox, repo.root);
      try {
        await body(subject);
      } finally {
        subject.kill();
      }
    });
  }
  const advice = (subject: Subject, source: 'scan' | 'resident'): string =>
    /\(use "git pull" (.*)\)/.exec(subject.ask(source, question()).stdout.toString('latin1'))?.[1] ?? '';
  const older = 'to merge the remote branch into yours';
  const newer = 'if you want to integrate the remote branch with yours';

  it('is followed in what it says, and asked again when it is another one', async () => {
    await withDiverged(async (subject) => {
      pretend(subject, '2.41.3');
      await subject.serve();
      assert.equal(advice(subject, 'scan'), older);
      assert.equal(advice(subject, 'resident'), older);
      pretend(subject, '2.42.0 (another vendor)');
      assert.equal(advice(subject, 'scan'), newer);
      assert.equal(advice(subject, 'resident'), newer);
      pretend(subject, '2.41.3');
      assert.equal(advice(subject, 'resident'), older);
      await subject.stop();
    });
  });

  it('is asked for its version once', async () => {
    await withDiverged(async (subject) => {
      assert.equal(
        versionsAsked(subject, () => subject.ask('scan', question())),
        1,
      );
      await subject.serve();
      assert.equal(
        versionsAsked(subject, () => {
          for (let i = 0; i < 3; i++) subject.ask('resident', question());
        }),
        0,
      );
      await subject.stop();
    });
  });

  it('is named with the one needed where it is too old, and answers itself', async () => {
    await withDiverged(async (subject) => {
      pretend(subject, '2.20.5');
      const message = /git 2\.20\.5 is too old: git 2\.\d+\.0 or newer is needed/;
      const answer = subject.ask('scan', question());
      assert.match(answer.stderr.toString(), message);
      assert.deepEqual(answer.stdout, subject.askGit(question()).stdout);
      await assert.rejects(
        subject.serve(),
        (error) => error instanceof ServerError && message.test(error.message),
      );
      pretend(subject, '2.40.0');
      await subject.serve();
      pretend(subject, '2.20.5');
      const asked = subject.ask('auto', question());
      assert.deepEqual(asked.stdout, subject.askGit(question()).stdout);
      await subject.stop();
    });
  });
});
