import { strict as assert } from 'node:assert';
import { reasonText, taskText } from '../../../extension/model/helperReasons';
import * as texts from '../../../extension/model/helperReasonTexts';
import { statusDetails } from '../../../extension/model/statusText';
import { ModelState } from '../../../extension/protocol';
import { inChinese, inEnglish } from '../support/chinese';

const id = 'a'.repeat(40);
const detail = (state: ModelState) =>
  statusDetails({ branch: {}, operation: undefined, state, stale: false }, 'running').slice(1).join('\n');

describe('a reason of the helper', () => {
  beforeEach(inChinese);
  afterEach(inEnglish);

  const cases: [english: string, chinese: string][] = [
    ['git is being asked again', '正在重新询问 git'],
    ['/r/.git/info/grafts: grafts are in use', '/r/.git/info/grafts: 存在嫁接(grafts)'],
    ['/r: core.worktree is set', '/r: 已设置 core.worktree'],
    ['/r/.git/index: entries out of order at byte 120', '/r/.git/index: 条目的顺序不正确，位于字节 120'],
    ['/r/.git/index: no index signature at byte 0', '/r/.git/index: 没有索引签名，位于字节 0'],
    [
      '/r/.git/index: index file larger than 4 GiB: ends at byte 5',
      '/r/.git/index: 索引文件大于 4 GiB: 文件末尾，位于字节 5',
    ],
    [`object ${id}: bad parents in commit`, `对象 ${id}: 提交中的父级不正确`],
    [`/r/.git/objects: object ${id} not found`, `/r/.git/objects: 找不到对象 ${id}`],
    ['/r/p.pack: object at offset 12: damaged zlib stream', '/r/p.pack: 偏移量 12 处的对象: zlib 流已损坏'],
    ['/r/t.ref: block at 4, byte 9: empty key', '/r/t.ref: 位于 4 的块，字节 9: 键为空'],
    ['/r/a: /r/a/b: Permission denied', '/r/a: /r/a/b: 权限被拒绝'],
    ['cannot start a thread: Cannot allocate memory', '无法启动线程: 无法分配内存'],
    [
      '/r/t.ref: No such file or directory, and /r/tables.list lists it',
      '/r/t.ref: 没有该文件或目录，而 /r/tables.list 列出了它',
    ],
    [
      '/r: grafts are in use; only git can answer, and git does not run in an untrusted workspace',
      '/r: 存在嫁接(grafts)；只有 git 能回答，而在不受信任的工作区中不会运行 git',
    ],
    ['/r: grafts are in use; git: fatal: bad', '/r: 存在嫁接(grafts)；git: fatal: bad'],
    ['/r: waiting for filter lfs, 12 files, 5 s', '/r: 正在等待 筛选器 lfs，12 个文件，已 5 秒'],
    ['git 2.25 is too old: git 2.26 or newer is needed', 'git 2.25 太旧: 需要 git 2.26 或更高版本'],
    ['/r/packed-refs: unexpected line: # a', '/r/packed-refs: 意外的行: # a'],
    ['/r/a.node: cannot be loaded (a: b)', '/r/a.node: 无法加载(a: b)'],
  ];
  for (const [english, chinese] of cases) {
    it(`is translated: ${english}`, () => {
      assert.equal(reasonText(english), chinese);
      inEnglish();
      assert.equal(reasonText(english), english);
    });
  }

  it('is translated, whichever of the texts it is', () => {
    const left: string[] = [];
    const look = (before: string, message: string, after = '') => {
      const filled = message.replace(/\{\d+\}/g, '7');
      const reason = `${before}${filled}${after}`;
      if (reasonText(reason) === reason) left.push(reason);
    };
    for (const message of [...texts.kReasons, ...texts.kReasonsOfTexts, ...texts.kReasonsToTheEnd]) {
      look('', message);
      look('/r/a b: ', message);
    }
    for (const message of texts.kReasonsOfInflating) {
      look('/r/a: ', message);
      look('/r/p.pack: object at offset 12: ', message);
      look('/r/t.ref: block at 1, byte 2: ', message);
    }
    for (const message of texts.kReasonsOfObjects) {
      look('', message);
      look(`object ${id}: `, message);
      look(`/r: tree ${id}: `, message);
    }
    for (const message of texts.kReasonsOfPacked) look('/r/p.pack: object at offset 12: ', message);
    for (const message of texts.kReasonsOfBlocks) look('/r/t.ref: block at 1, byte 2: ', message);
    for (const message of texts.kReasonsAtBytes) look('/r/index: ', message, ' at byte 5');
    for (const message of texts.kReasonsOfTasks) look('/r: ', message);
    for (const message of texts.kSystem) look('/r/a b: ', message);
    assert.deepEqual(left, []);
    for (const message of texts.kTasks) assert.notEqual(taskText(message), message);
  });

  it('stays as it is where it is not known, or can be read in two ways', () => {
    for (const reason of [
      '',
      ': ',
      'grafts are in us',
      'grafts are in use ',
      "the worktree was removed, isn't it",
      // Messages of git.
      '/r: fatal: cannot open a file: Permission denied',
      'fatal: grafts are in use; git: bad; git: worse',
      // Ambiguous: the end of the line, or another reason.
      '/r/packed-refs: unexpected line: a: truncated',
      '/r/packed-refs: unexpected line: a: unexpected line: b',
      // Ambiguous: the end of the path, or another reason.
      '/r/a: grafts are in use; git: b: grafts are in use',
      '/r: waiting for filter a, 3 files, 12 files, 5 s',
      `/r: bad parents in commit`,
      '/r/p: object at offset 12: malformed size',
      'a: Permission denied: b',
    ]) {
      assert.equal(reasonText(reason), reason);
    }
    assert.equal(taskText('git status'), 'git status');
    assert.equal(taskText('git status of a in b'), 'git status of a in b');
  });

  it('keeps a path that looks like one', () => {
    for (const path of [
      '/r/grafts are in use',
      '/r/a: grafts are in use',
      '/r/no ref: closed: truncated',
      `/r/tree ${id}: b`,
      `/r/a: object at offset 5: b`,
      '/r/{0}: {1}',
      '/r/a at byte 5',
      '/r/a; git: b',
      '/r/waiting for a, 5 s',
    ]) {
      assert.equal(reasonText(`${path}: grafts are in use`), `${path}: 存在嫁接(grafts)`);
    }
  });

  it('is read in a time that grows with its length', () => {
    const ways = [
      ': truncated',
      '; git: ',
      ': unexpected line: ',
      ': ',
      ' at byte 5',
      'object ',
      ', and /',
      ' is set',
    ];
    const suffix = '; only git can answer, and git does not run in an untrusted workspace';
    for (const part of [...ways, suffix, ' ', 'a']) {
      const long = part.repeat(400_000 / part.length);
      const begun = performance.now();
      reasonText(long);
      reasonText(`/${long}: grafts are in use at byte 5`);
      assert.ok(performance.now() - begun < 2_000, part);
    }
  });

  it('is in that language in the status bar', () => {
    assert.equal(
      detail({ state: 'delegated', reason: '/r: grafts are in use' }),
      '此存储库由 git 回答: /r: 存在嫁接(grafts)',
    );
    assert.equal(
      detail({ state: 'failed', message: '/r/.git/index: no index signature at byte 0' }),
      '/r/.git/index: 没有索引签名，位于字节 0',
    );
    assert.match(
      detail({
        state: 'verifying',
        reason: 'the inotify queue overflowed',
        filesSeen: 1,
        filesExpected: 2,
        waiting: { name: 'git status of sub', files: 0, since: 0 },
      }),
      /^正在验证 1\/2 个文件: inotify 队列溢出\n自 [\d:]+ 起等待 sub 的 git status$/,
    );
  });
});
