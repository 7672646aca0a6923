/** The system's headless Chromium, driven by the playwright-core of the workbench's installation. */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Installation } from './install';
import { kPatienceMs } from './poll';
import { processFolder } from './processFolder';

/** The part of playwright's Locator that the tests use. */
export interface Locator {
  first(): Locator;
  nth(index: number): Locator;
  filter(options: { hasText?: string | RegExp; visible?: boolean }): Locator;
  locator(selector: string): Locator;
  getByText(text: string, options: { exact: boolean }): Locator;
  waitFor(options?: { timeout?: number; state?: 'visible' | 'hidden' | 'attached' }): Promise<void>;
  fill(text: string, options?: { timeout?: number }): Promise<void>;
  click(options?: {
    button?: 'left' | 'right';
    /** Time from press to release, in ms. */
    delay?: number;
    modifiers?: 'Control'[];
    position?: { x: number; y: number };
    timeout?: number;
  }): Promise<void>;
  hover(options?: { timeout?: number }): Promise<void>;
  dblclick(): Promise<void>;
  focus(): Promise<void>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  textContent(options?: { timeout?: number }): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
}

/** The part of playwright's Frame that the tests use. */
interface Frame {
  evaluate<T>(body: string): Promise<T>;
}

/** The part of playwright's Page that the tests use. */
export interface Page {
  /** The page itself, and those within it. */
  frames(): Frame[];
  addInitScript(script: { path: string } | { content: string }): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  locator(selector: string): Locator;
  waitForSelector(selector: string): Promise<unknown>;
  setDefaultTimeout(timeoutMs: number): void;
  evaluate<T>(body: string): Promise<T>;
  screenshot(options: {
    path: string;
    clip?: { x: number; y: number; width: number; height: number };
  }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  mouse: {
    move(x: number, y: number, options?: { steps: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
}

interface Context {
  pages(): Page[];
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Playwright {
  chromium: {
    launchPersistentContext(profile: string, options: Record<string, unknown>): Promise<Context>;
  };
}

/** The first existing path is used. The headless shell draws no window. */
const kBrowsers = ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`);

/** The browser reaches only the workbench, and sends no reports. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser's name for the server. Its port changes each time, but scripts are cached by address. */
export const kAddress = 'workbench.localhost';

/** Caches below a profile: fetched files and compiled scripts. */
const kCaches = ['Default/Cache', 'Default/Code Cache'];
let cachesFolder: string | undefined;

/** Folder with the caches of the browser that ended last. */
function keptCaches(): string {
  cachesFolder ??= processFolder('rgc-');
  return cachesFolder;
}

function copyCaches(from: string, to: string): void {
  for (const cache of kCaches.filter((name) => existsSync(join(from, name)))) {
    rmSync(join(to, cache), { recursive: true, force: true });
    mkdirSync(join(to, cache), { recursive: true });
    cpSync(join(from, cache), join(to, cache), { recursive: true });
  }
}

/** Accepts a timeout if the click itself was done. The click's effect can be slow, or remove the button. */
export function clicked(click: Promise<void>): Promise<void> {
  return click.catch((error: unknown) => {
    if (!String(error).includes('click action done')) throw error;
  });
}

export class Browser {
  private constructor(
    private readonly context: Context,
    private readonly profile: string,
    readonly page: Page,
    /** Lines of the page's console. */
    readonly console: string[],
  ) {}

  /** `port`: port on 127.0.0.1 of the server that the browser knows as kAddress. */
  static async start(installation: Installation, profile: string, port: number): Promise<Browser> {
    const executablePath = kBrowsers.find((path) => existsSync(path));
    if (executablePath === undefined) throw new Error('no chromium: run "node .dev/setup.mjs --workbench"');
    copyCaches(keptCaches(), profile);
    const rules = `MAP ${kAddress}:80 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`;
    const playwright = (await import(pathToFileURL(installation.playwright).href)) as Playwright;
    const context = await playwright.chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      viewport: { width: 1280, height: 900 },
      // A running progress bar would be drawn sixty times a second.
      reducedMotion: 'reduce',
      args: [...chromiumArguments, `--host-resolver-rules=${rules}`],
    });
    const page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(kPatienceMs);
    const lines: string[] = [];
    page.on('console', (message) => lines.push(`[${message.type()}] ${message.text()}`));
    page.on('pageerror', (error) => lines.push(`[pageerror] ${error.message}`));
    return new Browser(context, profile, page, lines);
  }

  async close(): Promise<void> {
    await this.context.close();
    copyCaches(this.profile, keptCaches());
  }
}
