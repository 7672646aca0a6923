/** Headless Chromium from the system, driven by the playwright-core of the workbench's installation. */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Installation } from './install';
import { kPatienceMs } from './poll';
import { processFolder } from './processFolder';

/** What we use of playwright's Locator. */
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
    /** From the press to the release, in ms. */
    delay?: number;
    modifiers?: 'Control'[];
    position?: { x: number; y: number };
    timeout?: number;
  }): Promise<void>;
  hover(options?: { timeout?: number }): Promise<void>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  textContent(options?: { timeout?: number }): Promise<string | null>;
  allInnerTexts(): Promise<string[]>;
  getAttribute(name: string): Promise<string | null>;
}

/** What we use of playwright's Frame. */
interface Frame {
  evaluate<T>(body: string): Promise<T>;
}

/** What we use of playwright's Page. */
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

/** The first that is there; the shell has no window to draw. */
const kBrowsers = ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`);

/** Nothing but the workbench is reachable, and nothing is reported home. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What browsers know the server by: its port is another one each time, and scripts are kept by their address. */
export const kAddress = 'workbench.localhost';

/** Below a profile: what was fetched, and what scripts were compiled to. */
const kCaches = ['Default/Cache', 'Default/Code Cache'];
let cachesFolder: string | undefined;

/** Of the browser that ended last. */
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

/** A click that was done. What it did can take longer than the click may, and take the button away. */
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
    /** What the page wrote to its console. */
    readonly console: string[],
  ) {}

  /** `port`: of the server on 127.0.0.1 that the browser knows as kAddress. */
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
      // A bar that runs while something lasts would be drawn sixty times a second.
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
