/**
 * Measures the list of branches in a repository with very many branches, compared with VS Code's own Git. Reports:
 *  - the time from Enter in the palette until the list is open, and until it has rows,
 *  - the time from a key until the list is filtered,
 *  - the number of gits.
 *
 *     npm run package && npx tsx test/vscode/refFigures.ts [refs] [rounds]
 */
import { percentile } from '../perf/deltaLatency';
import { Repository } from '../support/repository';
import { Sandbox } from '../support/sandbox';
import { besideBuiltIn } from './support/figures';
import { GitCount } from './support/gitCount';
import { makeBranches } from './support/manyBranches';
import { type AtWork, Session } from './support/session';

const refs = Number(process.argv[2] ?? 50_000);
const rounds = Number(process.argv[3] ?? 10);

const kTitle: Record<AtWork, string> = {
  ours: 'Resident Git: Checkout to...',
  builtIn: 'Git: Checkout to...',
  both: '',
};
/** The placeholder of the list. Both extensions use it. */
const kPlaceholder = 'Select a branch or tag to checkout';
const kLoose = 200;

interface Sample {
  /** In milliseconds, like `rows` and `found`. */
  open: number;
  rows: number;
  /** The slowest key that filters. */
  found: number;
  gits: number;
}

async function measure(name: string, atWork: AtWork): Promise<void> {
  try {
    const sandbox = new Sandbox();
    sandbox.installSpy();
    const repository = Repository.init(sandbox, 'project');
    repository.write('alpha.txt', 'alpha\n');
    repository.commit();
    makeBranches(repository, { packed: refs - kLoose, loose: kLoose });
    const session = await Session.open(
      sandbox,
      { folder: repository.root },
      { atWork, env: sandbox.spiedEnv() },
    );
    // A window can take PATH from a login shell, so the spy needs its path.
    session.set('git.path', sandbox.path('bin/git'));
    await session.workbench.reload();
    await session.workbench.showSourceControl();
    await session.workbench.statusBarShows('main');
    const samples: Sample[] = [];
    for (let n = 0; n < rounds; n++) samples.push(await sample(session, kTitle[atWork], n));
    const middle = (key: keyof Sample) => {
      const values = samples.map((each) => Math.round(each[key]));
      return `${percentile(values, 0.5)} (${Math.min(...values)} to ${Math.max(...values)})`;
    };
    console.log(
      `${name}: the list of ${refs} branches is open ${middle('open')} ms after Enter, has rows after ${middle('rows')} ms; ` +
        `the slowest of five keys that filter it took ${middle('found')} ms; ${middle('gits')} gits; of ${rounds}`,
    );
  } finally {
    await Session.closeAll();
  }
}

async function sample({ sandbox, workbench }: Session, title: string, n: number): Promise<Sample> {
  const { page } = workbench;
  const gits = new GitCount(sandbox);
  const before = await gits.atRest();
  await workbench.focusCommand(title);
  const [open = NaN, rows = NaN] = await fromKey('Enter', [
    `residentPage.pickRows('${kPlaceholder}') !== undefined`,
    hasRow,
  ]);
  // Each key leaves fewer branches.
  const number = String(27_183 + n);
  const found: number[] = [];
  for (let end = 1; end <= number.length; end++) {
    found.push(...(await fromKey(number[end - 1] ?? '', [areAll(number.slice(0, end))])));
  }
  await page.keyboard.press('Escape');
  await workbench.nothingIsAsked();
  return { open, rows, found: Math.max(...found), gits: (await gits.atRest()) - before };

  /** Presses the key. Returns the times until each condition holds. */
  async function fromKey(key: string, conditions: string[]): Promise<number[]> {
    const functions = conditions.map((each) => `() => ${each}`).join(', ');
    await page.evaluate(`void (globalThis.residentTaken = residentPage.fromKey('${key}', [${functions}]))`);
    await page.keyboard.press(key);
    return page.evaluate<number[]>('globalThis.residentTaken');
  }
}

/** Expressions for the page: branches of the open list, whether it has any, and whether all contain `part`. */
const branches = `residentPage.pickRows('${kPlaceholder}')?.filter((text) => text.includes('branch-'))`;
const hasRow = `${branches}?.length > 0`;
const areAll = (part: string): string => `${hasRow} && ${branches}.every((text) => text.includes('${part}'))`;

besideBuiltIn(measure);
