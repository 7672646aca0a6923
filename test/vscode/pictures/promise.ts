/** The README's first picture: the time from a save to its row, in real time, compared with the built-in Git. */
import { readFileSync } from 'node:fs';
import type { Page } from '../support/browser';
import { animated, type Frame } from './animation';

/** In seconds. docs/benchmarks.md describes the measurement. */
const kOurs = 0.11;
const kBuiltIn = 4.6;
const kStep = 1;
/** The first frame shows the result, because some viewers show only the first frame. */
const kResultMs = 4000;

const kStyle = `
  body { margin: 0; background: #fff; font: 15px system-ui, 'DejaVu Sans', sans-serif; color: #1f2328; }
  #all { width: 600px; padding: 12px; }
  h1 { font-size: 16px; font-weight: 600; margin: 0 0 12px; }
  section { display: flex; align-items: center; height: 40px; border-top: 1px solid #d1d9e0; }
  .name { width: 120px; } .row { width: 130px; visibility: hidden; color: #895503; } .is-there .row { visibility: visible; }
  .track { width: 250px; background: #eff2f5; height: 16px; } .bar { height: 16px; background: #8c959f; }
  .is-there .bar { background: #1a7f37; } .time { width: 70px; text-align: right; font-weight: 600; }
  .row b { float: right; }`;

function side(name: string, needed: number, now: number): string {
  const time = Math.min(now, needed);
  const digits = time === kOurs ? 2 : 1;
  return `<section class="${now >= needed ? 'is-there' : ''}"><span class="name">${name}</span>
    <span class="row">server.py <b>M</b></span><span style="width: 20px"></span>
    <span class="track"><div class="bar" style="width: ${(time / kBuiltIn) * 100}%"></div></span>
    <span class="time">${time.toFixed(digits)} s</span></section>`;
}

const pageAt = (now: number) => `<!doctype html><meta charset="utf-8"><style>${kStyle}</style><div id="all">
  <h1>Time from a save to its row, in a worktree of 400,000 files</h1>
  ${side('Resident Git', kOurs, now)}${side('Built-in Git', kBuiltIn, now)}</div>`;

function moments(): { now: number; ms: number }[] {
  const found = [
    { now: kBuiltIn, ms: kResultMs },
    { now: 0, ms: kOurs * 1000 },
    { now: kOurs, ms: (kStep - kOurs) * 1000 },
  ];
  for (let now = kStep; now < kBuiltIn; now += kStep)
    found.push({ now, ms: Math.min(kStep, kBuiltIn - now) * 1000 });
  return found;
}

/** Leaves the current page. `scratch`: path of a file that it may overwrite. */
export async function promisePicture(page: Page, scratch: string): Promise<Buffer> {
  const frames: Frame[] = [];
  for (const { now, ms } of moments()) {
    await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(pageAt(now))}`);
    await page.screenshot({ path: scratch, clip: { x: 0, y: 0, width: 624, height: 130 } });
    frames.push({ png: readFileSync(scratch), ms: Math.round(ms) });
  }
  return animated(frames);
}
