import { strict as assert } from 'node:assert';
import { explain } from '../../../extension/helper/loadAddon';
import { toDidChange } from '../../../extension/helper/translate';

const path = '/ext/dist/resident_git.node';

describe('what is said when the addon cannot be loaded', () => {
  const cases: [name: string, message: string, code: string | undefined, expected: RegExp][] = [
    ['it is missing', `Cannot find module '${path}'`, 'MODULE_NOT_FOUND', /the native module is missing/],
    [
      'the system is too old',
      `/lib/x86_64-linux-gnu/libc.so.6: version \`GLIBC_2.34' not found (required by ${path})`,
      'ERR_DLOPEN_FAILED',
      /needs glibc 2\.34 or newer; this system has/,
    ],
    [
      'a library is missing',
      'libatomic.so.1: cannot open shared object file: No such file or directory',
      'ERR_DLOPEN_FAILED',
      /Resident Git needs libatomic\.so\.1/,
    ],
    [
      'it was built for another system',
      `${path}: invalid ELF header`,
      'ERR_DLOPEN_FAILED',
      /not built for the platform/,
    ],
    [
      'it was built for glibc and this is musl',
      'Error loading shared library ld-linux-x86-64.so.2: No such file or directory',
      'ERR_DLOPEN_FAILED',
      /not built for the platform/,
    ],
    [
      'of anything else',
      `${path}: file too short`,
      'ERR_DLOPEN_FAILED',
      /cannot be loaded \(.*file too short\)/,
    ],
  ];
  for (const [name, message, code, expected] of cases) {
    it(`says that ${name}`, () => {
      const text = explain(path, { message, ...(code !== undefined && { code }) });
      assert.match(text, expected);
      assert.ok(text.startsWith(path), text);
    });
  }
});

describe('translation of deltas', () => {
  const delta = { baseVersion: 3, version: 4, upserted: [], removed: ['a'], removedUntracked: [] };

  it('adds the root and leaves the rest', () => {
    assert.deepEqual(toDidChange('/r', { ...delta, contentChanged: true, latencyMs: 0.5 }), {
      root: '/r',
      ...delta,
      contentChanged: true,
      latencyMs: 0.5,
    });
  });
});
