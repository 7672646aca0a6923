import assert from 'node:assert/strict';
import { kLayers, violations } from './check-layers.mjs';

describe('check-layers', () => {
  const check = (file, ...lines) => violations(file, lines.join('\n'));

  it('accepts the layers below, directly and through others', () => {
    const lines = ['#include "service/resident.h"', '#include "base/result.h"', '#include <vector>'];
    assert.deepEqual(check('src/napi/addon.cc', '#include <napi.h>', ...lines), []);
  });

  it('finds an include of a layer above', () => {
    assert.deepEqual(check('src/hash/hasher.cc', '', '#include "status/status.h"'), [
      'native/src/hash/hasher.cc:2: status/status.h: hash may not include status',
    ]);
  });

  it('finds an include of a layer beside', () => {
    assert.equal(check('src/cli/main.cc', '#include "napi/job_queue.h"').length, 1);
  });

  it('keeps Node-API in src/napi', () => {
    assert.equal(check('src/service/a.cc', '#include <napi.h>').length, 1);
    assert.equal(check('src/service/a_test.cc', '#include <node_api.h>').length, 1);
    assert.equal(check('testing/a.cc', '  #  include "napi.h"').length, 1);
  });

  it('keeps system headers in the folders that a port replaces', () => {
    assert.deepEqual(check('src/ipc/a.cc', '#include <sys/socket.h>'), [
      'native/src/ipc/a.cc:1: sys/socket.h: system headers stay in os/posix, os/linux, fs/linux and watch/linux',
    ]);
    assert.equal(check('src/os/a.h', '#include <unistd.h>').length, 1);
    for (const folder of ['os/posix', 'os/linux', 'fs/linux', 'watch/linux/inotify']) {
      assert.deepEqual(check(`src/${folder}/a.cc`, '#include <unistd.h>'), []);
    }
    assert.deepEqual(check('src/hash/a.cc', '#include <cerrno>', '#include <openssl/sha.h>'), []);
    assert.deepEqual(check('src/ipc/a_test.cc', '#include <unistd.h>'), []);
  });

  it('keeps the folders of a system out of what os itself declares', () => {
    assert.equal(check('src/os/a.h', '#include "os/posix/shared_mutex.h"').length, 1);
    assert.deepEqual(check('src/os/linux/a.cc', '#include "os/posix/io_result.h"', '#include "os/a.h"'), []);
  });

  it('keeps fakes in tests', () => {
    assert.deepEqual(check('src/index/a_test.cc', '#include "testing/repo_builder.h"'), []);
    assert.equal(check('src/index/a.cc', '#include "testing/repo_builder.h"').length, 1);
  });

  it('keeps what is above everything to itself', () => {
    assert.deepEqual(check('fuzz/a.cc', '#include "fuzz/b.h"', '#include "index/index.h"'), []);
    assert.equal(check('src/index/a.cc', '#include "fuzz/b.h"').length, 1);
    assert.equal(check('bench/a.cc', '#include "fuzz/b.h"').length, 1);
  });

  it('lets the bench measure what ships and nothing else', () => {
    const core = ['#include "bench/b.h"', '#include "service/resident.h"', '#include "index/index.h"'];
    assert.deepEqual(check('bench/a.cc', ...core), []);
    assert.deepEqual(check('bench/a.cc', '#include "cli/commands.h"'), [
      'native/bench/a.cc:1: cli/commands.h: bench may not include cli',
    ]);
    assert.equal(check('bench/a.cc', '#include "testing/repo_builder.h"').length, 1);
    assert.deepEqual(check('bench/a_test.cc', '#include "testing/repo_builder.h"'), []);
  });

  it('finds relative includes and folders that no table knows', () => {
    assert.equal(check('src/index/a.cc', '#include "entry.h"').length, 1);
    assert.equal(check('src/index/a.cc', '#include "../hash/hasher.h"').length, 1);
    assert.equal(check('src/index/a.cc', '#include "unheard/of.h"').length, 1);
    assert.equal(check('src/unheard/of.cc', '').length, 1);
  });

  it('has a table without cycles whose every name has a row', () => {
    const seen = [];
    for (const [layer, lower] of Object.entries(kLayers)) {
      for (const name of lower) assert.ok(seen.includes(name), `${layer} builds on ${name}, listed below it`);
      seen.push(layer);
    }
  });
});
