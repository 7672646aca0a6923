/**
 * Notices changes of the files that decide blame, besides the commits: config, mailmaps, lists of ignored commits, and
 * replaced history. Does not know `vscode`.
 */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { toBytes } from '../../model/repoPath';
import { GitCommand, GitResult } from '../../git/runGit';
import { textOf } from '../../git/outputText';

export interface RulesPlace {
  readonly root: string;
  readonly gitDir?: string | undefined;
  readonly commonDir?: string | undefined;
}

interface Known {
  generation: number;
  /** Stamps of the files of config, and of the files that config names. */
  config: string | undefined;
  named: readonly string[];
  others: string | undefined;
}

const kNamesQuestion: GitCommand = {
  args: ['config', '-z', '--type=path', '--get-regexp', '^(blame\\.ignorerevsfile|mailmap\\.file)$'],
};

export class BlameRules {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly ask: (place: RulesPlace, command: GitCommand) => Promise<GitResult | undefined>,
  ) {}

  /** Changes with the rules. Answers of an earlier generation are stale. */
  generationOf({ root }: RulesPlace): number {
    return this.known.get(root)?.generation ?? 0;
  }

  /** Looks at the files. True: they have changed since the last call. */
  async refresh(place: RulesPlace): Promise<boolean> {
    const known = this.known.get(place.root) ?? {
      generation: 0,
      config: undefined,
      named: [],
      others: undefined,
    };
    this.known.set(place.root, known);
    const before = [known.config, known.others];
    const config = await stampsOf(configFiles(place));
    if (config !== known.config) known.named = await this.namedBy(place);
    const others = await stampsOf([...otherFiles(place), ...known.named]);
    [known.config, known.others] = [config, others];
    const isFirst = before[0] === undefined;
    if (isFirst || (before[0] === config && before[1] === others)) return false;
    known.generation++;
    return true;
  }

  forget(root: string): void {
    this.known.delete(root);
  }

  private async namedBy(place: RulesPlace): Promise<string[]> {
    const answer = await this.ask(place, kNamesQuestion);
    const records = textOf(answer?.stdout ?? new Uint8Array())
      .split('\0')
      .slice(0, -1);
    const paths = records.map((record) => record.slice(record.indexOf('\n') + 1));
    return paths.filter((path) => path !== '').map((path) => resolve(place.root, path));
  }
}

function configFiles({ gitDir, commonDir }: RulesPlace): string[] {
  const home = homedir();
  const user = [`${home}/.gitconfig`, `${process.env.XDG_CONFIG_HOME ?? `${home}/.config`}/git/config`];
  const own = commonDir === undefined ? [] : [`${commonDir}/config`];
  return [...user, ...own, ...(gitDir === undefined ? [] : [`${gitDir}/config.worktree`])];
}

function otherFiles({ root, commonDir }: RulesPlace): string[] {
  const common = commonDir === undefined ? [] : [`${commonDir}/shallow`, `${commonDir}/info/grafts`];
  const replaced = commonDir === undefined ? [] : [`${commonDir}/refs/replace`];
  return [`${root}/.mailmap`, ...common, ...replaced];
}

async function stampsOf(paths: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(toBytes(path), { bigint: true }).catch(() => undefined);
      return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    }),
  );
  return stamps.join('\n');
}
