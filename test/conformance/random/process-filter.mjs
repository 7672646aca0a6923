/**
 * A long-running filter (gitattributes(5), "Long Running Filter Process"): its clean form is upper case. It
 * acts for git like git-lfs, without an installation.
 */
import { readSync, writeSync } from 'node:fs';

const flush = '0000';

/** The next packet's content; undefined for a flush packet, null at the end of the input. */
function readPacket() {
  const head = readExactly(4);
  if (head === null) return null;
  const length = parseInt(head.toString('latin1'), 16);
  return length === 0 ? undefined : readExactly(length - 4);
}

function readExactly(size) {
  const buffer = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const count = readSync(0, buffer, done, size - done, null);
    if (count === 0) return null;
    done += count;
  }
  return buffer;
}

function readList() {
  const packets = [];
  for (let packet = readPacket(); packet !== undefined; packet = readPacket()) {
    if (packet === null) process.exit(0);
    packets.push(packet);
  }
  return packets;
}

function write(...contents) {
  const packets = contents.map((content) => {
    const length = (content.length + 4).toString(16).padStart(4, '0');
    return Buffer.concat([Buffer.from(length), Buffer.from(content)]);
  });
  writeSync(1, Buffer.concat([...packets, Buffer.from(flush)]));
}

readList();
write('git-filter-server\n', 'version=2\n');
readList();
write('capability=clean\n');
for (;;) {
  readList();
  const content = Buffer.concat(readList()).toString('latin1').toUpperCase();
  write('status=success\n');
  write(...(content === '' ? [] : [Buffer.from(content, 'latin1').subarray(0, 60_000)]));
  write();
}
