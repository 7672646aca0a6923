/**
 * Lets the user pick a branch or tag of a repository. The list opens at once, while git still lists the refs. Only the
 * refs that are shown become items.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { env, QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { config } from '../../config';
import { t } from '../../l10n';
import { toDisplay } from '../../model/repoPath';
import { Repository } from '../../model/Repository';
import { kIdLength } from '../../model/statusText';
import { ageText } from './age';
import { Places } from './Places';
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
} from './refs';

/** Limit for the refs in the list: more are too many to read. Typing finds the others. */
const kMaxShown = 200;
/** Timeout for the details of refs: after it, the list shows names only. Late details are added to the same rows. */
const kPatienceMs = 1_000;

/** An entry above the refs. */
export interface RefAction {
  label: string;
  run: () => unknown;
}

export interface RefPickOptions {
  placeHolder: string;
  kinds?: readonly RefKind[];
  /** A branch to leave out of the list. */
  except?: string | undefined;
  /** The checked-out branch. The list marks it. */
  current?: string | undefined;
  actions?: readonly RefAction[];
}

export interface Picked {
  ref: Ref;
  /** All refs that git listed. */
  refs: readonly Ref[];
}

interface Item extends QuickPickItem {
  ref?: Ref;
  action?: RefAction;
}

/** Undefined if the user picked no ref. If the user picked an action, that action has already run. */
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
 * Makes the items of the list. An item keeps its index in every later list. VS Code reports a choice by its index, and
 * Enter right after a key chooses from the list before. VS Code itself hides items that do not match, and sorts the
 * others.
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
    this.search = new RefSearch(refs, kMaxShown);
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

/** Cannot be chosen. If there are no more refs, the item has no label, so VS Code hides it. */
function moreItem(count: number): Item {
  const label = t('{0} more. Type a part of the name.', count.toLocaleString('en'));
  return count > 0 ? { label, alwaysShow: true } : { label: '' };
}
