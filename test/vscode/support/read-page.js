/* global document, getComputedStyle, globalThis, indexedDB, MutationObserver, performance, PerformanceObserver, requestAnimationFrame */
/**
 * Runs in the workbench's page and returns the content of its views as plain data. The DOM contains only rows in
 * sight. workbench.ts declares the shapes.
 */
(() => {
  /** The rows below an element, from top to bottom. Their order in the DOM can differ. */
  const rowsOf = (selector) =>
    [...document.querySelectorAll(`${selector} .monaco-list-row`)].sort(
      (a, b) => Number.parseInt(a.style.top, 10) - Number.parseInt(b.style.top, 10),
    );

  /** Decorations of a label. VS Code draws the badge as generated content. */
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

  /** Splits "/abs/path • tooltip". The path may contain anything but this separator. */
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

  /**
   * Number of changes in all repositories, also out of sight. Reads the accessible name of the view's icon: its
   * number is abbreviated.
   */
  const changeCount = () => {
    const icon = document.querySelector('.activitybar .action-item .codicon-source-control-view-icon');
    const [, count] = /([\d,]+) pending change/.exec(icon?.getAttribute('aria-label') ?? '') ?? [];
    return Number(count?.replaceAll(',', '') ?? 0);
  };

  /** Waits until the condition holds. Returns the time, in milliseconds since 1970. */
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

  /** Whether exactly `count` changes exist, all in group `name`. If `count` is 0: whether no group has changes. */
  const hasOnly = (name, count) => {
    if (changeCount() !== count) return false;
    const groups = scmRows().filter((row) => row.kind === 'group' && row.count > 0);
    return count === 0 ? groups.length === 0 : groups[0]?.name === name && groups[0].count === count;
  };

  /** Milliseconds from the next click until the condition holds. */
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
  /** Number of clicks that buttons received. A button redrawn under the pressed mouse receives none. */
  const buttonClicks = () => clicks;

  let notificationClickCount = 0;
  const countNotificationClick = ({ target }) => {
    const button = target.closest('.monaco-button, .action-label');
    if (button?.closest('.notification-list-item')) notificationClickCount += 1;
  };
  document.addEventListener('click', countNotificationClick, { capture: true });
  /** Number of clicks that buttons of notifications received. A toast can also disappear unanswered. */
  const notificationClicks = () => notificationClickCount;

  const statusClicked = [];
  const noteStatusClick = ({ target }) => {
    const item = target.closest('.statusbar-item a');
    if (item) statusClicked.push(item.getAttribute('aria-label') ?? '');
  };
  document.addEventListener('click', noteStatusClick, { capture: true });
  /** Number of clicks on items of the status bar whose names started with `label`. */
  const statusClicks = (label) => statusClicked.filter((each) => each.startsWith(label)).length;

  let menuClicks = 0;
  const countMenuClick = (event) => {
    if (event.composedPath().some((element) => element.classList?.contains('monaco-menu'))) menuClicks += 1;
  };
  document.addEventListener('mouseup', countMenuClick, { capture: true });
  /** Number of mouse releases in a menu. An item acts on the release. A menu that closes earlier receives none. */
  const menuPicks = () => menuClicks;

  /** For each condition: milliseconds from the next press of this key until it holds in a drawn frame. */
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

  /** Texts of the rows of the quick pick with this placeholder. undefined if it is not open. */
  const pickRows = (placeholder) => {
    const widget = document.querySelector('.quick-input-widget');
    const isOpen = widget?.checkVisibility() && widget.querySelector('input')?.placeholder === placeholder;
    return isOpen ? rowsOf('.quick-input-list').map((row) => row.textContent) : undefined;
  };

  /** The open menu. A menu of a view's title is in a shadow root. */
  const openMenu = (root) => {
    const own = root.querySelector('.monaco-menu');
    if (own) return own;
    for (const { shadowRoot } of root.querySelectorAll('.shadow-root-host')) {
      const inner = shadowRoot && openMenu(shadowRoot);
      if (inner) return inner;
    }
    return null;
  };

  /** Names of the open menu's entries, without those of a submenu. */
  const menuEntries = () =>
    [...(openMenu(document)?.querySelectorAll('.action-item:not(.disabled) .action-label') ?? [])]
      .filter((label) => label.closest('.monaco-submenu') === null)
      .map((label) => label.getAttribute('aria-label') ?? '')
      .filter((name) => name !== '');

  let longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'longtask' });
  /** Duration in ms of the window's longest task since the last call. 0: no task took 50 ms. */
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
  /**
   * Replaces a stored value of the workbench for all workspaces. Returns the number of replaced entries. A reload
   * reads it.
   */
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

  /** All texts that the workbench has stored in the browser. It stores them with a delay. */
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
