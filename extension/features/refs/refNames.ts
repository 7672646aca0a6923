/** Names for new branches and tags: why git refuses a name, and the nearest valid name. */
import { textOf } from '../../git/outputText';
import { t } from '../../l10n';

export type NamedKind = 'head' | 'tag';

const kPrefixes: Readonly<Record<NamedKind, string>> = { head: 'refs/heads/', tag: 'refs/tags/' };

export function listNames(kind: NamedKind): string[] {
  return ['for-each-ref', '--format=%(refname)', kPrefixes[kind]];
}

/** Names in use. A name is a path to git: no name can be a folder of another name. */
export class TakenNames {
  private readonly names: ReadonlySet<string>;
  /** Each folder of a name in use, with one of its names. */
  private readonly folders = new Map<string, string>();

  /** `own`: a name in use that may be given again. */
  constructor(
    private readonly kind: NamedKind,
    names: readonly string[],
    own?: string,
  ) {
    const others = names.filter((name) => name !== own);
    this.names = new Set(others);
    for (const name of others) for (const folder of foldersOf(name)) this.folders.set(folder, name);
  }

  static parse(kind: NamedKind, output: Uint8Array, own?: string): TakenNames {
    const { length } = kPrefixes[kind];
    const lines = textOf(output).split('\n').slice(0, -1);
    return new TakenNames(
      kind,
      lines.map((line) => line.slice(length)),
      own,
    );
  }

  problem(name: string): string | undefined {
    if (this.names.has(name)) {
      return this.kind === 'tag'
        ? t('A tag named "{0}" already exists.', name)
        : t('A branch named "{0}" already exists.', name);
    }
    const other = foldersOf(name).find((folder) => this.names.has(folder)) ?? this.folders.get(name);
    return other === undefined ? undefined : t('This name cannot be used while "{0}" exists.', other);
  }
}

/** "a/b/c": "a" and "a/b". */
function foldersOf(name: string): string[] {
  const folders: string[] = [];
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) folders.push(name.slice(0, at));
  return folders;
}

/** Why git refuses the name (`git check-ref-format --branch`); undefined: git takes it. */
export function refNameProblem(name: string): string | undefined {
  if (name === '') return t('Enter a name.');
  const bad = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.exec(name)?.[0];
  if (bad === ' ') return t('A name cannot contain spaces.');
  if (bad !== undefined) return t('A name cannot contain {0}.', JSON.stringify(bad));
  if (/^[-/]|[/.]$/.test(name)) {
    return t('A name cannot begin with "-" or "/", or end with "/" or ".".');
  }
  if (/(^|\/)\.|\.lock(\/|$)/.test(name)) {
    return t('No part of a name can begin with "." or end with ".lock".');
  }
  if (name === '@' || name === 'HEAD') return t('"{0}" is a reserved name.', name);
  return undefined;
}

/** Characters that no name can have. */
const kBadRun = /(?:[\s\x00-\x1f\x7f~^:?*[\\]|@\{)+/g;

/**
 * The nearest name that git takes: "-" replaces characters that no name can have. A valid name stays as it is.
 * Undefined: no valid name can be made from the text.
 */
export function correctedName(typed: string): string | undefined {
  if (refNameProblem(typed) === undefined) return typed;
  let name = typed.replace(kBadRun, ' ').trim().replaceAll(' ', '-');
  // Each step can cause a problem that another step solves.
  for (let before; before !== name;) {
    before = name;
    name = name
      .replace(/\.{2,}/g, '.')
      .split('/')
      .map((part) => part.replace(/^\.+/, '').replace(/(\.lock)+$/, ''))
      .filter((part) => part !== '')
      .join('/')
      .replace(/^-+/, '')
      .replace(/\.+$/, '');
  }
  return refNameProblem(name) === undefined ? name : undefined;
}
