import assert from 'node:assert/strict';
import {
  basename,
  fromBytes,
  fromPercent,
  isText,
  join,
  relativeTo,
  toBytes,
  toDisplay,
  toPercent,
} from '../../../extension/model/repoPath';

/** A small random generator with a seed, to repeat failures. */
function* randomBytes(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 24;
  }
}

function sample(seed: number, length: number): Buffer {
  const random = randomBytes(seed);
  return Buffer.from(Array.from({ length }, () => random.next().value as number));
}

describe('repoPath', () => {
  const invalid = [
    ['a stray continuation byte', [0x80]],
    ['an overlong sequence', [0xc0, 0xaf]],
    ['an overlong three byte sequence', [0xe0, 0x80, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an encoded escape', [0xed, 0xb2, 0x80]],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['a sequence cut by another', [0xf0, 0x9f, 0xc3, 0xa9]],
    ['bytes that are never UTF-8', [0xfe, 0xff]],
  ] as const;
  for (const [what, bytes] of invalid) {
    it(`carries ${what}`, () => {
      const whole = Buffer.from([0x61, ...bytes, 0x62]);
      const path = fromBytes(whole);
      assert.equal(isText(path), false);
      assert.deepEqual(toBytes(path), whole);
      assert.deepEqual(fromPercent(toPercent(path)), path);
    });
  }

  it('leaves valid UTF-8 as the text that it is', () => {
    for (const text of ['', 'a', 'ä/ö', '\ufeffbom', '\u{1f600}', '\uffff', 'a\nb', '\\377']) {
      assert.equal(fromBytes(Buffer.from(text)), text);
      assert.deepEqual(toBytes(text), Buffer.from(text));
      assert.equal(isText(text), true);
    }
  });

  it('carries any bytes to text and back', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const bytes = sample(seed, seed % 40);
      const path = fromBytes(bytes);
      assert.deepEqual(toBytes(path), bytes, `seed ${seed}`);
      assert.equal(fromPercent(toPercent(path)), path, `seed ${seed}`);
      assert.deepEqual(toBytes(JSON.parse(JSON.stringify(path)) as string), bytes, `seed ${seed}, as JSON`);
    }
  });

  it('survives strings that no helper sends', () => {
    for (const text of ['\ud800', '\udfff', 'a\ud83d', '\ud83d\udc80\udc80', '%', '%4', '%zz']) {
      assert.doesNotThrow(() => [toBytes(text), toDisplay(text), toPercent(text), fromPercent(text)]);
    }
  });

  it('shows what is no text as git does', () => {
    assert.equal(toDisplay(fromBytes(Buffer.from([0x61, 0xff, 0x62]))), 'a\\377b');
    assert.equal(toDisplay('a\nb\tc\x01\x7f"'), 'a\\nb\\tc\\001\\177"');
    assert.equal(toDisplay('\x85'), '\\302\\205');
    assert.equal(toDisplay('ä \u{1f600}'), 'ä \u{1f600}');
  });

  it('writes URIs in ASCII', () => {
    assert.equal(toPercent('ä b/\udcff&='), '%C3%A4%20b/%FF%26%3D');
    assert.doesNotThrow(() => encodeURIComponent(toPercent('\udcff')));
  });

  it('knows what lies inside what', () => {
    assert.equal(relativeTo('/src/app', '/src/app2'), undefined);
    assert.equal(relativeTo('/src/app', '/src/app/a/b'), 'a/b');
    assert.equal(relativeTo('/src/app', '/src/app'), '');
    assert.equal(relativeTo('/', '/a'), 'a');
    assert.equal(relativeTo('/', '/'), '');
    assert.equal(relativeTo('/src/', '/src/a'), 'a');
    assert.equal(relativeTo('/src/app', '/src'), undefined);
    assert.equal(join('/', 'a'), '/a');
    assert.equal(join('/a', ''), '/a');
  });

  it('names a file by its last part', () => {
    assert.equal(basename('a/b.txt'), 'b.txt');
    assert.equal(basename('nested/repository/'), 'repository');
    assert.equal(basename('a'), 'a');
    assert.equal(basename(''), '');
  });
});
