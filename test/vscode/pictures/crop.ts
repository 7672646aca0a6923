/** Takes pictures of the smallest rectangle around some elements. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from '../support/browser';

/** The largest width that a page shows at full size. */
const kMaxWidth = 640;
const kMaxTries = 20;
/** Consecutive pictures that must be identical. */
const kSame = 3;
/** In ms. Must differ from a blinking caret's half second. */
const kBetweenMs = 400;

export interface Crop {
  /** The elements to show: a list of CSS selectors. */
  of: string;
  /** Maximum height from the rectangle's top, in pixels. */
  maxHeight?: number;
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The rectangle around all visible elements, clipped to the window. Menus are in a shadow root. */
const kAround = `(selectors) => {
  const within = (root) => [
    ...root.querySelectorAll(selectors),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? within(shadowRoot) : [])),
  ];
  const boxes = within(document).map((element) => element.getBoundingClientRect());
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
 * Writes a PNG once the window has finished drawing: several consecutive pictures are identical. A blinking caret may
 * prevent that, so retries are limited.
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
