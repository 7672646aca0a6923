/** The shipped addon needs only Node and the C library, and exports only its entry points. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { addonPath } from './realAddon';

function symbols(which: '--undefined-only' | '--defined-only'): string[] {
  const output = execFileSync('nm', ['-D', which, addonPath()], { encoding: 'utf8' });
  return output.split('\n').flatMap((line) => /\s[TUDBRVWi]\s+(\S+)$/.exec(line)?.[1] ?? []);
}

describe('addon: linkage', () => {
  it('needs functions of Node-API and of the C library only', () => {
    const foreign = symbols('--undefined-only').filter((name) => !/^napi_|@GLIBC_/.test(name));
    assert.deepEqual(foreign, []);
  });

  it('exports nothing but what Node looks up', () => {
    assert.deepEqual(symbols('--defined-only').sort(), [
      'napi_register_module_v1',
      'node_api_module_get_api_version_v1',
    ]);
  });

  it('needs no shared library but the C library', () => {
    const output = execFileSync('ldd', [addonPath()], { encoding: 'utf8' });
    const libraries = [...output.matchAll(/^\s*(\S+)/gm)].map(([, name = '']) => name.replace(/^.*\//, ''));
    const allowed = /^(linux-vdso\.so|linux-gate\.so|ld-linux[-\w]*\.so|lib(c|m|dl|pthread)\.so)/;
    assert.deepEqual(
      libraries.filter((name) => !allowed.test(name)),
      [],
    );
  });
});
