/** Filters that die at once: a scan says what git says, and starts them no more often. */
import { strict as assert } from 'node:assert';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { Bytes } from '../../support/bytes';
import { residentBinary } from '../../support/binary';
import { Repository } from '../../support/repository';
import type { Sandbox } from '../../support/sandbox';
import { withSandbox } from '../case';
import { question } from '../questions';
import { Subject } from '../subject';

/** More than are named to git at once. */
const kFiles = 60;
/** What git writes to a filter before it reads. A filter that ends earlier makes git fail at another place each time. */
const kWelcomeBytes = 40;

describe('a filter that dies at once', function () {
  this.timeout(120_000);

  /** Notes each start in a file of its own. */
  function writeFilter(sandbox: Sandbox, name: string): string {
    const program = sandbox.path(name);
    const log = sandbox.path(`${name}.starts`);
    const lines = ['#!/bin/sh', `echo x >>'${log}'`, `head -c ${kWelcomeBytes} >/dev/null`, 'exit 1', ''];
    writeFileSync(program, lines.join('\n'));
    chmodSync(program, 0o755);
    return program;
  }

  interface Case {
    filters: readonly string[];
    isRequired?: boolean;
    pathspec?: Bytes[];
    /** The files that are changed: with the same size, so that only the filter can tell. */
    changed?: number;
  }
  const cases: Record<string, Case> = {
    'for many files': { filters: ['a'] },
    'for some files': { filters: ['a'], changed: 5 },
    'for one file': { filters: ['a'], changed: 1 },
    'that is required': { filters: ['a'], isRequired: true },
    'beside another one': { filters: ['a', 'b'] },
    'for some files of a pathspec': { filters: ['a'], pathspec: ['f1*'] },
  };

  for (const [title, { filters, isRequired = false, pathspec = [], changed = kFiles }] of Object.entries(
    cases,
  ))
    it(title, () =>
      withSandbox((sandbox) => {
        const repo = Repository.init(sandbox, 'w');
        const nameOf = (i: number): string => `f${i}.${filters[i % filters.length]}`;
        for (let i = 0; i < kFiles; i++) repo.write(nameOf(i), `one ${i}\n`);
        repo.commit();
        repo.write('.gitattributes', filters.map((name) => `*.${name} filter=${name}\n`).join(''));
        for (const name of filters) {
          repo.config(`filter.${name}.process`, writeFilter(sandbox, name));
          if (isRequired) repo.config(`filter.${name}.required`, 'true');
        }
        for (let i = 0; i < changed; i++) repo.write(nameOf(i), `two ${i}\n`);
        const subject = new Subject(sandbox, repo.root, { binary: residentBinary() });
        const logs = filters.map((name) => sandbox.path(`${name}.starts`));
        const starts = <T>(ask: () => T): [T, number[]] => {
          for (const log of logs) writeFileSync(log, '');
          const said = ask();
          return [said, logs.map((log) => readFileSync(log).length / 'x\n'.length)];
        };
        for (const words of [['-s'], ['--porcelain=v2', '-z'], []]) {
          const asked = question(...words, '--', ...pathspec);
          const [expected, byGit] = starts(() => subject.askGit(asked));
          assert.ok(
            byGit.some((count) => count > 0),
            'git starts no filter: the case does not reach its state',
          );
          const [said, byUs] = starts(() => subject.ask('scan', asked));
          assert.deepEqual(
            [said.code, said.stdout.toString(), said.stderr.toString()],
            [expected.code, expected.stdout.toString(), expected.stderr.toString()],
          );
          byUs.forEach((count, i) => {
            assert.ok(count <= (byGit[i] ?? 0), `${filters[i]}: git ${byGit.join()}, we ${byUs.join()}`);
          });
        }
      }),
    );
});
