/** The text of an editor is decoded by the document's encoding. Older hosts do not report it: then only as UTF-8. */
import { strict as assert } from 'node:assert';
import type { TextDocument } from 'vscode';
import { installVscodeStandIn, standInWorkspace } from '../../client/vscodeStandIn';

describe('the text of an editor', () => {
  const load = async () => {
    installVscodeStandIn();
    return import('../../../../extension/features/hunks/editorText.js');
  };
  const document = (text: string, encoding?: string) =>
    ({ getText: () => text, ...(encoding !== undefined && { encoding }) }) as unknown as TextDocument;
  const latin1 = {
    decode: (bytes: Uint8Array, { encoding }: { encoding: string }) =>
      Promise.resolve(Buffer.from(bytes).toString(encoding as BufferEncoding)),
    encode: (text: string, { encoding }: { encoding: string }) =>
      Promise.resolve(Buffer.from(text, encoding as BufferEncoding)),
  };
  afterEach(() => {
    for (const name of ['decode', 'encode']) Reflect.deleteProperty(standInWorkspace, name);
  });

  it('is compared by the encoding that the document has', async () => {
    Object.assign(standInWorkspace, latin1);
    const { isShown, encoded } = await load();
    const shown = document('\u00e9\nb', 'latin1');
    assert.ok(await isShown(shown, Buffer.from('\xe9\r\nb', 'latin1')));
    assert.ok(!(await isShown(shown, Buffer.from('\xe8\nb', 'latin1'))));
    assert.ok(!(await isShown(shown, Buffer.from('\xe9\nb\n', 'latin1'))));
    assert.equal((await encoded(shown))?.toString('latin1'), '\xe9\nb');
  });

  it('is UTF-8, or not known, where the host does not tell', async () => {
    Object.assign(standInWorkspace, { decode: undefined, encode: undefined });
    const { isShown, decoded, encoded } = await load();
    const shown = document('\u00e9');
    assert.ok(await isShown(shown, Buffer.from('\ufeff\u00e9')));
    assert.ok(!(await isShown(shown, Buffer.from('other'))));
    assert.equal(await decoded(shown, Buffer.from('\xe9', 'latin1')), undefined);
    assert.equal(await encoded(shown), undefined);
  });

  it('is selected by whole lines, without one that a selection only reaches', async () => {
    const { selectedLines } = await load();
    const selection = (from: number, line: number, character: number) => ({
      start: { line: from },
      end: { line, character },
    });
    const several = [selection(2, 2, 0), selection(3, 5, 0), selection(6, 7, 1)];
    assert.deepEqual(selectedLines(several, { line: 7, character: 1 }), [
      { start: 2, end: 3 },
      { start: 3, end: 5 },
      { start: 6, end: 8 },
    ]);
  });

  it('is selected to its very end, the final newline too', async () => {
    const { selectedLines } = await load();
    const whole = [{ start: { line: 0 }, end: { line: 3, character: 0 } }];
    assert.deepEqual(selectedLines(whole, { line: 3, character: 0 }), [{ start: 0, end: 4 }]);
    assert.deepEqual(selectedLines(whole, { line: 3, character: 2 }), [{ start: 0, end: 3 }]);
  });
});
