/**
 * The reasons that the helper sends: the text after the last subject of "subject: reason". The sources are native/src
 * and extension/helper; test/unit/helperReasonTexts.test.ts compares the texts with them. helperReasons.ts finds the
 * texts in a reason.
 *
 * A placeholder is a word without spaces, unless a comment says otherwise.
 */
import { template } from '../l10n';

/** Reasons after any subjects. Subjects stay untranslated: paths, names of refs, commands of git. */
export const kReasons = [
  // The model: its state and its tasks
  template('all files are being checked again'),
  template('git is being asked again'),
  template('the root directory cannot be listed'),
  template('the file system has not reported all changes yet'),
  template('the worktree was removed'),
  template('the worktree is closed'),
  template('the worktree was closed'),
  template('the scan was cancelled'),
  template('the commits ahead and behind are being counted'),
  template('the index changed while files were checked'),
  template('too many changes are pending'),
  template('a file system was mounted or unmounted'),
  template('a file system was unmounted'),
  template('the computer was asleep'),
  template('the inotify queue overflowed'),
  template('reading the inotify queue failed'),
  template('poll on the inotify queue failed'),
  template('the fanotify queue overflowed'),
  template('reading the fanotify queue failed'),
  template('poll on the fanotify queue failed'),
  template('reading the change hints failed'),
  template('poll on the change hints failed'),
  template('the directory watches are being restarted'),
  template('the caller no longer waits for the answer'),
  template('not enough memory for this worktree'),
  template('not enough memory to print the status'),
  template('not the root of a worktree'),
  template('closed'),
  template('cancelled'),
  template('this worktree is not open'),
  template('not initialized, or already shut down'),
  template('{0} of {1} files'),
  template('Resident Git needs {0}, which this system does not have'),
  template('the native module is missing; reinstall Resident Git'),
  template('Resident Git needs glibc {0} or newer; this system has glibc {1}'),
  template('Resident Git needs glibc {0} or newer; this system has an older version or another C library'),
  template(
    'The extension uses protocol version {0}, but the background process uses version {1}. ' +
      'Reload the window or reinstall Resident Git.',
  ),
  template(
    'The extension uses an unknown protocol version, but the background process uses version {0}. ' +
      'Reload the window or reinstall Resident Git.',
  ),
  template(
    'The background process uses protocol version {0}, but the extension uses version {1}. ' +
      'Reload the window or reinstall Resident Git.',
  ),
  template(
    'The background process uses an unknown protocol version, but the extension uses version {0}. ' +
      'Reload the window or reinstall Resident Git.',
  ),

  // git, as a program
  template('not on PATH'),
  template('git {0} is too old: git {1} or newer is needed'),
  template('this git does not report its version'),
  template('git exited with {0}'),
  template('the output is larger than {0} bytes'),
  template('no answer within {0} ms'),
  template('the exit status is lost'),
  template('the output is incomplete'),
  template('git rev-parse has unexpected output'),
  template('unknown object format {0}'),

  // Repositories for which git answers
  template('{0} is set'),
  template('core.repositoryFormatVersion is {0}'),
  template('extensions.objectFormat has changed'),
  template('extensions.refStorage is {0}'),
  template('the config variable {0} is in no section'),
  template('repository format 0 allows no extensions'),
  template('git does not accept this repository'),
  template('not a valid HEAD file'),
  template('the git directory of this worktree has changed'),
  template('the repository moved and is being opened again'),
  template('the config now names a different worktree'),
  template('grafts are in use'),
  template('the history has grafts'),
  template('not the name of an object to replace'),
  template('the content comes from a replace ref'),
  template('the index is both sparse and split'),
  template('the index is sparse, and core.splitIndex is set'),
  template('the index is sparse, and core.ignoreCase is set'),
  template('HEAD differs below sparse directories'),
  template('git warns about the patterns'),
  template('the index has entries below this submodule'),
  template('the submodule uses a different object format'),
  template('an unmerged entry is below a valid cache-tree'),
  template('git can print this path in different ways'),
  template('the number of objects decides the length of abbreviated ids'),
  template('a multi-pack-index names missing packs'),
  template('ORIG_HEAD is a symbolic ref'),
  template('a rebase command contains a NUL byte'),
  template('the remote is configured in an old-style file'),
  template('larger than any file that git writes'),
  template('some of several merge bases are not in the commit-graph'),
  template('some commits are newer than their children, and the commit-graph has no dates'),

  // Files and their filters
  template('cannot be read'),
  template('not a regular file'),
  template('is a symbolic link'),
  template('the symbolic links form a loop'),
  template('larger than the limit of {0} MiB'),
  template('not in the index'),
  template('the result of the content filter is needed'),
  template('the file keeps changing while the filter runs'),
  template('too large to convert without git, and git does not run in an untrusted workspace'),
  template(
    "the content depends on a filter from the repository's config, which does not run in an untrusted workspace",
  ),
  template('a path cannot contain NUL'),
  template('a path cannot contain a surrogate that encodes no byte'),

  // The index
  template('the shared index {0} is missing'),
  template('the checksum does not match the file name'),
  template("malformed extension 'link'"),
  template('the tree has entries that an index cannot contain'),
  template('path component too long'),
  template('nested too deeply'),
  template('out of order'),

  // Refs
  template('points at an invalid ref name'),
  template('points outside refs/'),
  template('contains neither an object id nor a ref name'),
  template('does not lead to a ref'),
  template('no ref'),
  template('not a ref name'),
  template('does not exist'),
  template('the last line is incomplete'),
  template('symbolic refs form a loop or are nested too deeply, at {0}'),
  template('not a reftable'),
  template('truncated'),
  template('unknown version {0}'),
  template('the header and the footer differ'),
  template("the footer's checksum is wrong"),
  template("the hash is not the repository's"),
  template('the object section has no names'),
  template('the index points to byte {0}'),

  // Objects, and the files that have them
  template('object {0} not found'),
  template('object {0} is not where a multi-pack-index says'),
  template('object {0} is replaced too many times'),
  template('object {0} is a {1}, not a {2}'),
  template('object {0} does not lead to a commit'),
  template('object {0} differs from the entry in the commit-graph'),
  template('object {0} has the content of {1}'),
  template('malformed object header'),
  template('malformed object size'),
  template("unknown object type '{0}'"),
  template('the header says {0} bytes, and the content has {1}'),
  template('too short for a pack'),
  template('not a pack: its signature is wrong'),
  template('pack version {0}'),
  template('the pack has {0} objects, and the pack index has {1}'),
  template('does not match its index'),
  template('too small for a pack index'),
  template('pack index version {0}'),
  template('fan-out table is not monotonic'),
  template('size does not match its number of objects'),
  template('8-byte offset of {0} lies outside the file'),
  template('a commit-graph was truncated while it was read'),
  template('the fan-out table points outside the file'),
  template('the lists of parents overlap'),
  template('the list of parents has no end'),
  template('a parent is missing'),
  template('the generation is missing'),
  template('the generation is not above the generation of the parent'),
];

/** Their placeholder is a text without ": ". */
export const kReasonsOfTexts = [
  template('{0} can be read again'),
  template("only git can resolve '{0}'"),
  template("upstream '{0}' can only be found in reflogs"),
  template("invalid refspec '{0}'"),
  template('unexpected record "{0}"'),
];

/** Their last placeholder can be any text, and stays untranslated. */
export const kReasonsToTheEnd = [
  template('not built for the platform {0} ({1})'),
  template('cannot be loaded ({0})'),
  template('unexpected line: {0}'),
  template('bad shallow line: {0}'),
  template('not the name of a table: {0}'),
];

/** Errors in compressed data: a file, an object in a pack, a block. */
export const kReasonsOfInflating = [
  template('out of memory while inflating'),
  template('damaged zlib stream'),
  template('larger than the limit of {0} bytes'),
  template('claims {0} bytes, more than its compressed bytes can hold'),
  template('inflates to less than its header claims'),
  template('inflates to more than its header claims'),
  template('garbage after the zlib stream'),
];

/** Errors of a parser, after "object <id>" or "tree <id>", or alone. */
export const kReasonsOfObjects = [
  template('bad tree pointer in commit'),
  template('bad parents in commit'),
  template('bad object pointer in tag'),
  template('missing type in tag'),
  template('unknown type in tag'),
  template('malformed mode in tree entry'),
  template('too-short tree object'),
  template('empty filename in tree entry'),
];

/** Errors in a packed object, after the pack and the offset. */
export const kReasonsOfPacked = [
  template('the pack index points outside its pack'),
  template('malformed size'),
  template('delta base lies outside the pack'),
  template('entry is cut off'),
  template('delta base {0} is not in this pack'),
  template('unknown object type {0}'),
  template('cycle of deltas'),
  template('malformed delta header'),
  template('delta ends inside a copy instruction'),
  template('delta copies from outside its base'),
  template('delta ends inside an insert instruction'),
  template('delta holds the reserved instruction 0'),
  template('delta is for a base of another size'),
  template('delta writes past the end of its target'),
  template('delta writes less than its target'),
];

/** Errors in a reftable block, after the table and the block's position. */
export const kReasonsOfBlocks = [
  template('truncated'),
  template('too short'),
  template('longer than the table'),
  template('unknown type'),
  template('too many restarts'),
  template('malformed key'),
  template('empty key'),
  template('malformed record'),
  template('a restart is outside the records'),
  template('a restart does not have a whole key'),
];

/** Errors in an index, before the position in it. */
export const kReasonsAtBytes = [
  template('index file shorter than its header and checksum: ends'),
  template('index file larger than 4 GiB: ends'),
  template('no index signature'),
  template('index version {0} is unknown'),
  template('more entries announced ({0}) than the file can hold'),
  template('checksum does not match the content: checksum'),
  template('truncated entry'),
  template('truncated extension'),
  template('entry without a path'),
  template('entry without a path and without an entry to replace'),
  template('entry with a wrong path length'),
  template('entry with an invalid mode'),
  template('entry with a mode that git does not write'),
  template('entry strips more than the previous path'),
  template('entry below a sparse directory'),
  template('entries out of order'),
  template('entries repeat a path and stage'),
  template('extended flags in version 2'),
  template('unknown entry flags'),
  template('unknown mandatory extension'),
  template("unknown mandatory extension '{0}'"),
  template('optional extension that git reports as ignored'),
  template('extension that git warns about'),
  template("extension 'FSMN' that git warns about"),
  template("extension 'TREE' with a wrong number of entries"),
  template("extension 'link' that is too short"),
  template("fewer replacements than the extension 'link' lists"),
  template('sparse directory in a split index'),
  template('directory entry that is not sparse'),
  template('directory without a slash'),
  template('invalid path'),
  template('path too long'),
  template('path component too long'),
];

/** Their first placeholder is the name of a task. */
export const kReasonsOfTasks = [
  template('{0} has not answered yet'),
  template('waiting for {0}, {1} s'),
  template('waiting for {0}, 1 file, {1} s'),
  template('waiting for {0}, {1} files, {2} s'),
];

/** Names of tasks for git, or for a program that it runs. Their placeholder is a text. */
export const kTasks = [
  template('git config of .gitmodules'),
  template('git status of {0}'),
  template('git rev-parse in {0}'),
  template('the filter of {0}'),
  template('filter {0}'),
];

/** System errors, in the words of glibc, and of musl where the two differ. */
export const kSystem = [
  template('Permission denied'),
  template('Operation not permitted'),
  template('No such file or directory'),
  template('Not a directory'),
  template('Is a directory'),
  template('Input/output error'),
  template('I/O error'),
  template('File name too long'),
  template('Filename too long'),
  template('Too many levels of symbolic links'),
  template('Symbolic link loop'),
  template('Too many open files'),
  template('No file descriptors available'),
  template('Too many open files in system'),
  template('Cannot allocate memory'),
  template('Out of memory'),
  template('No space left on device'),
  template('Stale file handle'),
  template('Resource temporarily unavailable'),
  template('Transport endpoint is not connected'),
  template('Socket not connected'),
  template('Read-only file system'),
];

/** Frames around another reason, or around a system error. helperReasons.ts parses the shape of each. */
export const kAround = {
  thread: template('cannot start a thread: {0}'),
  ofObject: template('object {0}: {1}'),
  ofTree: template('tree {0}: {1}'),
  ofPacked: template('object at offset {0}: {1}'),
  ofBlock: template('block at {0}, byte {1}: {2}'),
  atByte: template('{0} at byte {1}'),
  named: template('{0}, and {1} lists it'),
  untrusted: template('{0}; only git can answer, and git does not run in an untrusted workspace'),
  git: template('{0}; git: {1}'),
};
