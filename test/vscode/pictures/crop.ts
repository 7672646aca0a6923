/** Pictures of one thing: the smallest rectangle around some elements. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from '../support/browser';

/** A page shows a picture of this width without making it smaller. */
const kMaxWidth = 640;
const kMaxTries = 20;
/** So many pictures in a row have to be the same. */
const kSame = 3;
/** Not the half second of a caret that blinks. */
const kBetweenMs = 400;

export interface Crop {
  /** The elements that the picture shows: a list of CSS selectors. */
  of: string;
  /** Pixels that the picture has at most from its top. */
  maxHeight?: number;
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Of all visible elements together, within the window. */
const kAround = `(selectors) => {
  const boxes = [...document.querySelectorAll(selectors)].map((element) => element.getBoundingClientRect());
  const seen = boxes.filter(({ width, height }) => width > 0 && height > 0);
  if (seen.length === 0) return undefined;
  const [x, y] = [Math.min(...seen.map(({ left }) => left)), Math.min(...seen.map(({ top }) => top))];
  const [right, bottom] = [Math.max(...seen.map((box) => box.right)), Math.max(...seen.map((box) => box.bottom))];
  return { x, y, width: Math.min(right, innerWidth) - x, height: Math.min(bottom, innerHeight) - y };
}`;

async function takeOnce(page: Page, path: string, crop: Crop): Promise<Buffer> {
  const around = await page.evaluate<Rectangle | undefined>(`(${kAround})(${JSON.stringify(crop.of)})`);
  assert.ok(around, `nothing is visible of ${crop.of}`);
  const { x, y } = around;
  const width = Math.min(around.width, kMaxWidth);
  const height = Math.min(around.height, crop.maxHeight ?? Infinity);
  await page.screenshot({ path, clip: { x, y, width, height } });
  return readFileSync(path);
}

/**
 * Writes a PNG as soon as the window has finished drawing: several pictures in a row are the same. A caret that blinks may
 * keep them apart, so the number of tries has a limit.
 */
export async function takeCrop(page: Page, path: string, crop: Crop): Promise<void> {
  let last = await takeOnce(page, path, crop);
  let same = 1;
  for (let n = 0; n < kMaxTries && same < kSame; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, kBetweenMs));
    const next = await takeOnce(page, path, crop);
    same = next.equals(last) ? same + 1 : 1;
    last = next;
  }
}
