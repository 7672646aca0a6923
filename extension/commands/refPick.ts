/**
 * Picks one of a repository's branches and tags. The list opens at once, git lists the refs meanwhile, and only those that
 * are shown become items.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { env, QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { config } from '../config';
import { t } from '../l10n';
import { ageText } from '../model/age';
import { toDisplay } from '../model/repoPath';
import { Repository } from '../model/Repository';
import { Places } from '../model/Places';
import {
  Found,
  kListRefs,
  listDetailedRefs,
  mayMean,
  parseRefs,
  Ref,
  refDetails,
  RefKind,
  RefSearch,
} from '../model/refs';
import { kIdLength } from '../model/statusText';
import { CommandContext } from './context';

/** As many as a person looks through; typing finds the others. */
const kMostShown = 200;
/** After this long the list shows names only. Details that come later go into the rows, whose order stays. */
const kPatienceMs = 1_000;

/** An entry above the refs. */
export interface RefAction {
  label: string;
  run: () => unknown;
}

export interface RefPickOptions {
  placeHolder: string;
  kinds?: readonly RefKind[];
  /** A branch that is no choice. */
  except?: string | undefined;
  /** The branch that is checked out: it is marked. */
  current?: string | undefined;
  actions?: readonly RefAction[];
}

export interface Picked {
  ref: Ref;
  /** All that were listed. */
  refs: readonly Ref[];
}

interface Item extends QuickPickItem {
  ref?: Ref;
  action?: RefAction;
}

/** Undefined where none was picked; an action that was has been run by then. */
export async function pickRef(
  { git }: CommandContext,
  repository: Repository,
  { placeHolder, kinds = ['head', 'remote', 'tag'], except, current, actions = [] }: RefPickOptions,
): Promise<Picked | undefined> {
  const pick = window.createQuickPick<Item>();
  const hidden = new AbortController();
  pick.placeholder = placeHolder;
  pick.busy = true;
  let list = new RefList([], actions, current);
  const show = () => {
    pick.items = list.items(pick.value);
  };
  show();
  const picked = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      const name = item?.ref?.name ?? item?.action?.label;
      if (name === undefined || !mayMean(pick.value, name)) return;
      resolve(item);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      hidden.abort();
      pick.dispose();
    });
  });
  pick.onDidChangeValue(show);
  pick.show();

  const detailed = git.ask(
    repository,
    { args: listDetailedRefs(config.branchSortOrder), keepsAll: true },
    hidden.signal,
  );
  const inTime = await Promise.race([detailed, delay(kPatienceMs, undefined, { ref: false })]);
  const plain = () => git.read(repository, { args: kListRefs }, t('Listing branches'), hidden.signal);
  const listed = inTime ?? (hidden.signal.aborted ? undefined : await plain());
  const refs = listed === undefined ? [] : parseRefs(listed.stdout);
  const isChoice = ({ kind, name }: Ref) => kinds.includes(kind) && (kind !== 'head' || name !== except);
  if (!hidden.signal.aborted && listed === undefined) pick.hide();
  if (!hidden.signal.aborted) {
    list = new RefList(refs.filter(isChoice), actions, current);
    show();
    pick.busy = false;
    if (inTime === undefined) {
      void detailed.then((late) => {
        if (late === undefined || hidden.signal.aborted) return;
        addDetails(refs, parseRefs(late.stdout));
        show();
      });
    }
  }
  const item = await picked;
  await item?.action?.run();
  return item?.ref && { ref: item.ref, refs };
}

function addDetails(refs: readonly Ref[], detailed: readonly Ref[]): void {
  const details = new Map(detailed.map((ref) => [ref.full, ref.details]));
  for (const ref of refs) ref.details = details.get(ref.full) ?? '';
}

const kHeadings: Readonly<Record<RefKind, string>> = {
  head: t('branches'),
  remote: t('remote branches'),
  tag: t('tags'),
};

/**
 * Makes the items. Each keeps its index in every later list: the editor reports a choice by its index, and Enter right
 * after a key chooses from the list before. The editor itself hides items that do not fit, and sorts the others.
 */
class RefList {
  private readonly search: RefSearch;
  private readonly first: Found;
  private readonly places: Places<Ref>;

  constructor(
    refs: readonly Ref[],
    private readonly actions: readonly RefAction[],
    private readonly current: string | undefined,
  ) {
    this.search = new RefSearch(refs, kMostShown);
    this.first = this.search.find('');
    this.places = new Places(this.first.refs);
  }

  items(typed: string): Item[] {
    const isTyped = typed.trim() !== '';
    const found = isTyped ? this.search.find(typed) : this.first;
    const isFound = new Set(found.refs);
    const others = this.places.show(found.refs);
    const items: Item[] = this.actions.map((action) => ({
      label: action.label,
      action,
      alwaysShow: !isTyped,
    }));
    let kind: RefKind | undefined;
    for (const ref of this.first.refs) {
      if (ref.kind !== kind) items.push({ label: kHeadings[ref.kind], kind: QuickPickItemKind.Separator });
      kind = ref.kind;
      items.push(this.itemOf(ref, isFound.has(ref)));
    }
    if (this.first.total > this.first.refs.length) items.push(moreItem(found.total - found.refs.length));
    if (isTyped) items.push(...others.map((ref) => this.itemOf(ref, isFound.has(ref))));
    return items;
  }

  private itemOf(ref: Ref, alwaysShow: boolean): Item {
    const isCurrent = ref.kind === 'head' && ref.name === this.current;
    const details = refDetails(ref);
    const id = ref.oid.slice(0, kIdLength);
    const facts = [isCurrent && t('current branch'), details && ageText(details.date, env.language)];
    const known = facts.filter((fact) => typeof fact === 'string').join(' • ');
    return {
      label: `$(${isCurrent ? 'check' : kIcons[ref.kind]}) ${toDisplay(ref.name)}`,
      description: details === undefined && !isCurrent ? plainDescription(ref.kind, id) : known,
      ...(details && {
        detail: [details.author, id, details.subject].filter((part) => part !== '').join(' • '),
      }),
      ref,
      alwaysShow,
    };
  }
}

const kIcons: Readonly<Record<RefKind, string>> = { head: 'git-branch', remote: 'cloud', tag: 'tag' };

function plainDescription(kind: RefKind, id: string): string {
  switch (kind) {
    case 'head':
      return id;
    case 'remote':
      return t('Remote branch at {0}', id);
    case 'tag':
      return t('Tag at {0}', id);
  }
}

/** Nobody's choice; without a label, and so hidden, where there are no more. */
function moreItem(count: number): Item {
  const label = t('{0} more. Type a part of the name.', count.toLocaleString('en'));
  return count > 0 ? { label, alwaysShow: true } : { label: '' };
}
