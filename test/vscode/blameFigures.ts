/**
 * Measures blame in the status bar, compared with VS Code's own Git. Reports the time until the item names the author
 * of the cursor's line: since the file has a tab, and since the cursor moved. VS Code's own Git shows nothing before the
 * cursor moves.
 *
 *     npm run package && npx tsx test/vscode/blameFigures.ts [rounds] [lines] [commits]
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { percentile } from '../perf/deltaLatency';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { besideBuiltIn } from './support/figures';
import { poll } from './support/poll';
import { type AtWork, Session } from './support/session';

const rounds = Number(process.argv[2] ?? 12);
const lines = Number(process.argv[3] ?? 20_000);
const commits = Number(process.argv[4] ?? 1_000);

const kItem: Record<AtWork, string> = { ours: 'residentGit.blame', builtIn: 'git.blame', both: '' };
const kLong = 'long.txt';

/** Each author has the name of a file, so that the item tells which file it is about. */
function makeProject(repository: Repository): void {
  const long = Array.from({ length: lines }, (_, i) => `line ${i}`);
  const stream: string[] = [];
  const data = (text: string) => stream.push(`data ${Buffer.byteLength(text)}\n${text}\n`);
  for (let commit = 0; commit <= commits + rounds; commit++) {
    const name = commit < rounds ? `file${commit}.txt` : kLong;
    stream.push(`commit refs/heads/main\nauthor ${name} <a@b> ${1_600_000_000 + commit} +0000\n`);
    stream.push(`committer c <c@d> ${1_600_000_000 + commit} +0000\n`);
    data(`commit ${commit}`);
    for (let i = 0; i < lines / commits; i++) {
      const at = (commit * 7919 + i * 104_729) % lines;
      long[at] = `line ${at} of ${commit}`;
    }
    stream.push(`M 100644 inline ${name}\n`);
    data(name === kLong ? `${long.join('\n')}\n` : 'text\n'.repeat(300));
  }
  const { status, stderr } = spawnSync('git', ['fast-import', '--quiet'], {
    cwd: repository.root,
    env: repository.sandbox.env,
    input: stream.join(''),
  });
  assert.equal(status, 0, stderr.toString());
  repository.git('reset', '-q', '--hard');
  repository.git('gc', '-q');
}

/** Notes in the page, in ms: when the tab, and then the item, first named the file, and when a key was pressed. */
function watch(id: string, name: string): string {
  return `(() => {
    globalThis.blame?.observer.disconnect();
    const seen = { key: undefined, tab: undefined, item: undefined };
    const look = () => {
      if (document.querySelector('.tab.active')?.textContent.includes(${JSON.stringify(name)}))
        seen.tab ??= performance.now();
      const items = [...document.querySelectorAll('.statusbar-item')];
      const item = items.find((each) => each.id.endsWith(${JSON.stringify(id)}));
      if (item !== undefined && item.textContent.includes(${JSON.stringify(name)})) seen.item ??= performance.now();
    };
    const observer = new MutationObserver(look);
    const options = { subtree: true, childList: true, characterData: true, attributes: true };
    observer.observe(document.body, options);
    if (globalThis.blame === undefined)
      addEventListener('keydown', () => (globalThis.blame.seen.key = performance.now()), true);
    globalThis.blame = { seen, observer };
  })()`;
}

interface Sample {
  sinceTab: number;
  sinceKey: number;
}

async function measure(name: string, atWork: AtWork): Promise<void> {
  try {
    const sandbox = new Sandbox();
    const repository = Repository.init(sandbox, 'project');
    makeProject(repository);
    const session = await Session.open(sandbox, { folder: repository.root }, { atWork });
    const { workbench } = session;
    await workbench.showSourceControl();
    await workbench.statusBarShows('main');
    const id = kItem[atWork];

    /** Opens the file and moves the cursor by one line, which shows the blame in both. */
    const sample = async (file: string): Promise<Sample> => {
      await workbench.openFile(`${repository.root}/${kOther}`);
      await workbench.page.keyboard.press('ArrowDown');
      await workbench.page.evaluate(watch(id, file));
      await workbench.openFile(`${repository.root}/${file}`);
      await workbench.page.keyboard.press('ArrowDown');
      return poll(
        async () => {
          const { key, tab, item } =
            await workbench.page.evaluate<Record<string, number>>('globalThis.blame.seen');
          assert.ok(item !== undefined && tab !== undefined && key !== undefined, 'not shown');
          return { sinceTab: item - tab, sinceKey: Math.max(0, item - key) };
        },
        { what: `${name} shows the author of ${file}`, timeoutMs: 120_000 },
      );
    };
    const kOther = `file${rounds - 1}.txt`;
    const print = (what: string, samples: Sample[]) => {
      const middle = (key: keyof Sample) => {
        const values = samples.map((each) => Math.round(each[key]));
        return `${percentile(values, 0.5)} (${Math.min(...values)} to ${Math.max(...values)})`;
      };
      console.log(
        `  ${what}: ${middle('sinceTab')} since its tab, ${middle('sinceKey')} since the cursor moved`,
      );
    };
    const of = async (files: string[]) => {
      const samples: Sample[] = [];
      for (const file of files) samples.push(await sample(file));
      return samples;
    };
    const files = Array.from({ length: rounds - 1 }, (_, i) => `file${i}.txt`);
    console.log(`${name}, ms until blame is shown:`);
    print('a new file', await of(files));
    print('a known file', await of(files));
    print(`a new file of ${lines} lines, ${commits} commits`, await of([kLong]));
    print('the same, known', await of([kLong, kLong, kLong]));
  } finally {
    await Session.closeAll();
  }
}

besideBuiltIn(measure);
