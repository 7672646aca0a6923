/* global document, getComputedStyle, globalThis, indexedDB, MutationObserver, performance, PerformanceObserver, requestAnimationFrame */
/**
 * Runs in the workbench's page: what its views show, as plain data. Only rows in sight are in the DOM.
 * The shapes are those of workbench.ts.
 */
(() => {
  /** The rows below an element from top to bottom, whatever their order in the DOM. */
  const rowsOf = (selector) =>
    [...document.querySelectorAll(`${selector} .monaco-list-row`)].sort(
      (a, b) => Number.parseInt(a.style.top, 10) - Number.parseInt(b.style.top, 10),
    );

  /** Decorations of a label: VS Code draws the badge as generated content. */
  const decorationOf = (label) => {
    const content = getComputedStyle(label, '::after').content;
    const name = label.querySelector('.label-name');
    const isText = label.classList.contains('monaco-decoration-text-badge');
    return {
      badge: isText && content !== 'none' ? content.replace(/^"|"$/g, '') : '',
      color: getComputedStyle(name).color,
      strikethrough: label.classList.contains('strikethrough'),
    };
  };

  /** "/abs/path • tooltip" -> both. The path may hold anything but this separator. */
  const splitLabel = (text) => {
    const at = text.lastIndexOf(' • ');
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 3)];
  };

  const scmRows = () => {
    const rows = [];
    let provider = '';
    let repository = '';
    let group = '';
    for (const row of rowsOf('.scm-view')) {
      const providerLabel = row.querySelector('.scm-provider .monaco-icon-label');
      const groupName = row.querySelector('.resource-group > .name');
      const resource = row.querySelector('.resource');
      if (providerLabel) {
        [, provider, repository] = /^([^:]*): ([^]*)$/.exec(providerLabel.getAttribute('aria-label'));
        rows.push({ kind: 'repository', provider, root: repository, text: row.textContent });
      } else if (groupName) {
        group = groupName.textContent;
        const count = Number(row.querySelector('.count').textContent);
        rows.push({ kind: 'group', root: repository, name: group, count });
      } else if (resource) {
        const label = resource.querySelector('.monaco-icon-label');
        const [path, decoration] = splitLabel(label.getAttribute('aria-label'));
        const tooltip = resource.getAttribute('data-tooltip') ?? '';
        rows.push({
          kind: 'resource',
          provider,
          root: repository,
          group,
          path,
          tooltip,
          decoration,
          ...decorationOf(label),
        });
      }
    }
    return rows;
  };

  const explorerRows = () =>
    rowsOf('.explorer-folders-view').map((row) => {
      const label = row.querySelector('.monaco-icon-label');
      const [path, decoration] = splitLabel(label.getAttribute('aria-label') ?? '');
      return {
        path,
        level: Number(row.getAttribute('aria-level')),
        expanded: row.getAttribute('aria-expanded') === 'true',
        decoration,
        ...decorationOf(label),
      };
    });

  const statusItems = () =>
    [...document.querySelectorAll('.part.statusbar .statusbar-item')].map((item) => ({
      id: item.id,
      text: item.textContent.trim(),
      label: item.getAttribute('aria-label') ?? '',
    }));

  const messages = () =>
    [...document.querySelectorAll('.notification-toast .notification-list-item-message')].map((toast) =>
      toast.textContent.trim(),
    );

  /** How many changes there are in all repositories, in sight or not: what the view's icon is called, whose number is short. */
  const changeCount = () => {
    const icon = document.querySelector('.activitybar .action-item .codicon-source-control-view-icon');
    const [, count] = /([\d,]+) pending change/.exec(icon?.getAttribute('aria-label') ?? '') ?? [];
    return Number(count?.replaceAll(',', '') ?? 0);
  };

  /** When this holds, in milliseconds since 1970. */
  const comesTrue = (condition) =>
    new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        observer.disconnect();
        resolve(Date.now());
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
    });

  const changesReach = (count) => comesTrue(() => changeCount() === count);

  /** Whether all changes are those of one group, and so many; with 0, whether there is none. */
  const hasOnly = (name, count) => {
    if (changeCount() !== count) return false;
    const groups = scmRows().filter((row) => row.kind === 'group' && row.count > 0);
    return count === 0 ? groups.length === 0 : groups[0]?.name === name && groups[0].count === count;
  };

  /** How many milliseconds after the next click this holds. */
  const fromClick = async (condition) => {
    const clicked = await new Promise((resolve) => {
      document.addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
    });
    return (await comesTrue(condition)) - clicked;
  };

  let clicks = 0;
  const countClick = ({ target }) => {
    if (target.closest('.action-label')) clicks += 1;
  };
  document.addEventListener('click', countClick, { capture: true });
  /** How many clicks buttons have got. One that is drawn anew under the pressed mouse gets none. */
  const buttonClicks = () => clicks;

  let notificationClickCount = 0;
  const countNotificationClick = ({ target }) => {
    const button = target.closest('.monaco-button, .action-label');
    if (button?.closest('.notification-list-item')) notificationClickCount += 1;
  };
  document.addEventListener('click', countNotificationClick, { capture: true });
  /** How many clicks buttons of notifications have got. A toast also goes by itself, unanswered. */
  const notificationClicks = () => notificationClickCount;

  const statusClicked = [];
  const noteStatusClick = ({ target }) => {
    const item = target.closest('.statusbar-item a');
    if (item) statusClicked.push(item.getAttribute('aria-label') ?? '');
  };
  document.addEventListener('click', noteStatusClick, { capture: true });
  /** How many clicks items of the status bar have got whose name began so. */
  const statusClicks = (label) => statusClicked.filter((each) => each.startsWith(label)).length;

  let menuClicks = 0;
  const countMenuClick = (event) => {
    if (event.composedPath().some((element) => element.classList?.contains('monaco-menu'))) menuClicks += 1;
  };
  document.addEventListener('mouseup', countMenuClick, { capture: true });
  /** How many times a button of the mouse was let go in a menu, which is when it acts. One that closes meanwhile does not. */
  const menuPicks = () => menuClicks;

  /** How many milliseconds after the next press of this key each of these holds in what is drawn. */
  const fromKey = async (key, conditions) => {
    const pressed = await new Promise((resolve) => {
      const listener = (event) => {
        if (event.key !== key) return;
        document.removeEventListener('keydown', listener, true);
        resolve(performance.now());
      };
      document.addEventListener('keydown', listener, true);
    });
    const drawn = async (condition) => {
      while (!condition()) await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - pressed;
    };
    return Promise.all(conditions.map(drawn));
  };

  /** Texts of the rows of what drops down from the top with this placeholder; undefined where it is not there. */
  const pickRows = (placeholder) => {
    const widget = document.querySelector('.quick-input-widget');
    const isOpen = widget?.checkVisibility() && widget.querySelector('input')?.placeholder === placeholder;
    return isOpen ? rowsOf('.quick-input-list').map((row) => row.textContent) : undefined;
  };

  /** Names of the entries of the menu that is open, without those of a submenu. */
  const menuEntries = () =>
    [
      ...(document
        .querySelector('.monaco-menu')
        ?.querySelectorAll('.action-item:not(.disabled) .action-label') ?? []),
    ]
      .filter((label) => label.closest('.monaco-submenu') === null)
      .map((label) => label.getAttribute('aria-label') ?? '')
      .filter((name) => name !== '');

  let longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask' });
  /** Milliseconds of the longest task of the window since this was asked for last; 0: none took 50. */
  const takeLongestTask = () => {
    const taken = longest;
    longest = 0;
    return taken;
  };

  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  /** Writes another value where the workbench has written one down for all workspaces. A reload reads it. */
  const replaceStored = async (key, value) => {
    let count = 0;
    for (const { name } of await indexedDB.databases()) {
      if (!name.includes('global')) continue;
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const entries = database.transaction(store, 'readwrite').objectStore(store);
        if ((await settled(entries.getKey(key))) === undefined) continue;
        await settled(entries.put(value, key));
        count++;
      }
      database.close();
    }
    return count;
  };

  /** All that the workbench has written down in the browser, which is a moment after it was told to. */
  const stored = async () => {
    const found = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        found.push(...(await settled(database.transaction(store).objectStore(store).getAll())));
      database.close();
    }
    return found.filter((value) => typeof value === 'string').join('\n');
  };

  globalThis.residentPage = {
    scmRows,
    explorerRows,
    statusItems,
    messages,
    changeCount,
    comesTrue,
    changesReach,
    hasOnly,
    fromClick,
    buttonClicks,
    notificationClicks,
    statusClicks,
    menuPicks,
    fromKey,
    pickRows,
    menuEntries,
    takeLongestTask,
    stored,
    replaceStored,
  };
})();
