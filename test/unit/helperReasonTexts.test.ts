/** Every reason text in the helper's sources is translated, or is listed here as never shown. */
import { strict as assert } from 'node:assert';
import { resolve } from 'node:path';
import * as texts from '../../extension/model/helperReasonTexts';
import { nativeTexts, scriptTexts, SourceText } from './support/sourceTexts';

const root = resolve(__dirname, '../..');

/**
 * Folders, files and texts of native/src that the editor never shows. The test does not check new texts of a listed
 * file. List a whole file only if none of its texts can reach the editor.
 */
const kNotShown: { why: string; of: string[] }[] = [
  {
    why: 'what the programs of the terminal say, and git status in the words of git',
    of: ['cli/', 'os/linux/terminal.cc', 'porcelain/', 'prompt/', 'pattern/', 'diff/path_limit.cc'],
  },
  {
    why: 'whoever asks by the socket: git itself answers there, or the program says it',
    of: [
      'verbs/client_identity.cc',
      'verbs/git_socket_framing.cc',
      'ipc/message_fields.h',
      'ipc/socket_framing.cc',
      'ipc/socket_path.cc',
      'ipc/socket_protocol.cc',
      'ipc/socket_server.cc',
      'ipc/socket_verbs.cc',
      'os/linux/local_socket.cc',
      'os/linux/process.cc',
      'os/posix/user.cc',
      'verbs/status_question.cc',
      'model/answer_checks.cc',
      'git has to answer a question with a pathspec',
      'git warns about files that it cannot read',
      'git warns about the settings of the upstream',
      '{0}: the push destination depends on refspecs',
    ],
  },
  {
    why: 'prompts alone, or a detail of the branch, which is left out then',
    of: [
      'git_fallback/prompt_by_git.cc',
      'model/prompt_facts.cc',
      'before the first commit, HEAD can be the name of another ref',
      'history/tag_names.cc',
      'history/remote_branch.cc',
    ],
  },
  {
    why: 'problems, for the log',
    of: [
      'verbs/git_socket.cc',
      'ipc/worktree_socket.cc',
      'more than {0} problems: further problems are not reported for now',
      ': raise ',
      'fs.inotify.max_user_instances, or the limit on open files',
      'the limit on open files',
      'the limit on processes and threads',
    ],
  },
  {
    why: 'bitmaps: commits are counted without them',
    of: [
      'odb/bitmap_count.cc',
      'odb/bitmap_file.cc',
      'odb/bitmap_file.h',
      'odb/ewah_bitmap.cc',
      'odb/pack_order.cc',
    ],
  },
  {
    why: 'what is left out of the object database: only git status in a terminal looks at it',
    of: [
      'odb/alternates.cc',
      'odb/chunk_file.cc',
      'odb/multi_pack_index.cc',
      'odb/multi_pack_index_chain.cc',
      '{0} {1}',
      '{0}: too small',
      'too small',
      'too small for its chunks',
      'no commit-graph',
      'of another version',
      'a chunk is missing',
      'its fan-out table has another size',
      'its fan-out table is out of order',
      'its fan-out table counts other commits',
      'not as many commits as ids',
      'not as many dates as commits',
      'filters without settings',
      'does not name what is below',
      'is not made for what is below',
      'more commits than can be numbered',
      'a line that is no hash',
      'a file of it is missing',
    ],
  },
  {
    why: 'arguments that no caller gives',
    of: ['napi/addon.cc', 'napi/js_path.cc', 'napi/worktree_object.cc'],
  },
  { why: 'tests', of: ['napi/testing/'] },
  {
    why: 'commands of git, which are the same in every language',
    of: [
      'git config',
      'git version',
      'git status',
      'git check-ignore',
      'git cat-file',
      'git describe',
      'git rev-parse',
      '{0} version: {1}{2}',
      'git config: {0}',
      'git: poll',
    ],
  },
  { why: 'a command for the terminal', of: ['sudo sysctl -w {0}={1}'] },
  {
    why: 'what is read, and not said',
    of: [
      'checkout: moving from ',
      'detached HEAD',
      '# pack-refs with:',
      'dubious ownership',
      'unsafe repository',
      'not a git repository',
      'cannot change to',
      'must be run in a work tree',
      'Permission denied',
    ],
  },
  {
    why: 'parts of others, and reasons of which only the subject is new',
    of: [
      '',
      '{0}: {1}',
      'commit-graph: {0}: {1}',
      '{0}/.gitmodules: {1}',
      '{0}: {1} at byte {2}',
      '{0}: waiting for {1}',
      '{0}, {1} s',
    ],
  },
];

/** Texts that the sources build from parts. The value lists the parts. */
const kOfParts: Record<string, string[]> = {
  'waiting for {0}, {1} s': ['{0}: waiting for {1}', '{0}, {1} s'],
  'waiting for {0}, 1 file, {1} s': ['{0}: waiting for {1}', ' file', '{0}, {1} s'],
  'waiting for {0}, {1} files, {2} s': ['{0}: waiting for {1}', ' files', '{0}, {1} s'],
  '{0} at byte {1}': ['{0}: {1} at byte {2}'],
};
const kOfScriptParts: [start: string, parts: string[]][] = [
  [
    'Resident Git needs glibc ',
    [
      '{0}: Resident Git needs {1} or newer; {2}',
      'this system has an older version or another C library',
      'this system has glibc {0}',
    ],
  ],
  ['not built for the platform ', ['{0}: not built for the platform {1}-{2} ({3})']],
  ...['The extension ', 'The background process '].map((start): [string, string[]] => [
    start,
    [
      'The {0} uses {1}, but the {2} uses version {3}. Reload the window or reinstall Resident Git.',
      'an unknown protocol version',
    ],
  ]),
];

/** Texts that the helper's TypeScript searches in the system loader's message, or only logs. */
const kNotShownOfScripts = ['cannot open shared object file', '{0}: opened'];

const lists = Object.entries(texts).filter(([name]) => name !== 'kSystem');
/** Excludes the system's texts: they differ between C libraries. */
const known = [...new Set(lists.flatMap(([, list]) => Object.values(list)))];

/** Drops the numbers of placeholders, so texts can be compared. */
const plain = (text: string) => text.replace(/\{\d+\}/g, '{}');
const knownPlain = new Set(known.map(plain));
const isWord = (part: string) => /^\S+$/.test(part);
/** Patterns of known texts with placeholders. A source may have filled a placeholder with a word. */
const expressions = known
  .filter((text) => text.includes('{0}'))
  .map((text) => {
    const parts = text.split(/\{\d+\}/).map((part) => part.replace(/[.*+?^$()[\]|\\/{}]/g, '\\$&'));
    return new RegExp(`^${parts.join('(\\S+)')}$`);
  });

/** The text, then the text without its first subjects ("subject: "). */
function ends(text: string): string[] {
  const parts = text.split(': ');
  return parts.map((_, index) => parts.slice(index).join(': '));
}

function isKnown(text: string): boolean {
  return ends(text).some(
    (end) =>
      knownPlain.has(plain(end)) ||
      (!end.includes('{') &&
        expressions.some((expression) => (expression.exec(end) ?? []).slice(1).some(isWord))),
  );
}

const isProse = (text: string) =>
  /[a-z]{2,}[,:;]? [a-z]|: [a-z]/i.test(text.replace(/\{\d+\}/g, '\0').replace(/\\n/g, ' '));

const sources = nativeTexts(resolve(root, 'native/src'));
const notShown = kNotShown.flatMap(({ of }) => of);

function isNotShown({ file, text }: Pick<SourceText, 'file' | 'text'>): boolean {
  return notShown.some((of) => of === text || of === file || (of.endsWith('/') && file.startsWith(of)));
}

function unknown(of: SourceText[]): string[] {
  return of
    .filter((source) => source.isReason || isProse(source.text))
    .filter((source) => !isNotShown(source) && !isKnown(source.text))
    .map(({ file, line, text }) => `native/src/${file}:${line}: ${text}`);
}

describe('reasons of the helper', () => {
  it('are translated wherever the native sources give one that a person is shown', () => {
    assert.ok(sources.filter(({ isReason }) => isReason).length > 300, 'the sources are not read any more');
    assert.deepEqual(unknown(sources), []);
  });

  it('are translated wherever the scripts of the helper give one', () => {
    const files = ['extension/helper/loadAddon.ts', 'extension/helper/Worktrees.ts'];
    const found = files.flatMap((file) => scriptTexts(resolve(root, file)));
    const parts = [...kOfScriptParts.flatMap(([, of]) => of), ...kNotShownOfScripts];
    assert.deepEqual(
      found.filter((text) => isProse(text) && !isKnown(text) && !parts.includes(text)),
      [],
    );
  });

  it('are translated for nothing that no source says any more', () => {
    const scripts = ['helper/loadAddon', 'helper/Worktrees', 'helper/server', 'protocol'].flatMap((name) =>
      scriptTexts(resolve(root, `extension/${name}.ts`)),
    );
    const said = new Set(
      [...sources.map(({ text }) => text), ...scripts].flatMap((text) => ends(plain(text))),
    );
    const isSaid = (text: string) => said.has(plain(text));
    for (const text of known) {
      const parts = kOfParts[text] ?? kOfScriptParts.find(([start]) => text.startsWith(start))?.[1] ?? [text];
      assert.deepEqual(
        parts.filter((part) => !isSaid(part)),
        [],
        text,
      );
    }
  });

  it('that nobody is shown are there', () => {
    const gone = notShown.filter(
      (of) =>
        !sources.some(
          ({ file, text }) => of === text || of === file || (of.endsWith('/') && file.startsWith(of)),
        ),
    );
    assert.deepEqual(gone, []);
    assert.deepEqual(
      notShown.filter((of, index) => notShown.indexOf(of) !== index),
      [],
    );
  });
});
