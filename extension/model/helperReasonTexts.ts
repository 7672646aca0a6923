/**
 * The reasons that the helper gives, as native/src (and extension/helper) has them: what follows the last subject of
 * "subject: reason". test/unit/helperReasonTexts.test.ts compares them with those sources. helperReasons.ts finds them.
 *
 * A placeholder stands for a word, without spaces, where nothing else is said.
 */
import { template } from '../l10n';

/** After any subjects, which stay as they are: paths, names of refs, commands of git. */
export const kReasons = [
  // What the model is, or does
  template('everything is looked at again'),
  template('git is asked again'),
  template('the root could not be listed'),
  template('the worktree was removed'),
  template('the worktree is closed'),
  template('the worktree was closed'),
  template('the scan was cancelled'),
  template('commits ahead and behind are being counted'),
  template('more changes waited than are worth being told apart'),
  template('a file system was mounted or unmounted'),
  template('a file system was unmounted'),
  template('the computer was asleep'),
  template('the inotify queue overflowed'),
  template('reading the inotify queue failed'),
  template('poll on the inotify queue failed'),
  template('the fanotify queue overflowed'),
  template('reading the fanotify queue failed'),
  template('poll on the fanotify queue failed'),
  template('reading hints failed'),
  template('poll on the signals of hints failed'),
  template('directories are watched anew'),
  template('nobody waits for it'),
  template('not enough memory to keep it'),
  template('no root of a worktree'),
  template('closed'),
  template('cancelled'),
  template('this worktree is not open'),
  template('not initialized, or shut down already'),
  template('{0} of {1} files'),
  template('this system has no {0}, which Resident Git needs'),
  template('the native part of Resident Git is missing'),
  template('Resident Git needs glibc {0} or newer; this system has glibc {1}'),
  template('Resident Git needs glibc {0} or newer; this system has none or an older one'),
  template(
    'The extension speaks version {0} of the protocol and the helper version {1}: they were not installed together. ' +
      'Reload the window, or install Resident Git again.',
  ),
  template(
    'The extension speaks no known version of the protocol and the helper version {0}: they were not installed together. ' +
      'Reload the window, or install Resident Git again.',
  ),
  template(
    'The helper speaks version {0} of the protocol and the extension version {1}: they were not installed together. ' +
      'Reload the window, or install Resident Git again.',
  ),
  template(
    'The helper speaks no known version of the protocol and the extension version {0}: they were not installed together. ' +
      'Reload the window, or install Resident Git again.',
  ),

  // git, as a program
  template('not on PATH'),
  template('git {0} is too old: git {1} or newer is needed'),
  template('it does not tell its version'),
  template('git exited with {0}'),
  template('says more than {0} bytes'),
  template('no answer within {0} ms'),
  template('another waiter took its exit status'),
  template('its answer ends early'),
  template('git rev-parse answers in an unknown form'),
  template('unknown object format {0}'),

  // What only git can tell of a repository
  template('{0} is set'),
  template('core.repositoryFormatVersion is {0}'),
  template('extensions.objectFormat has changed'),
  template('extensions.refStorage is {0}'),
  template('the variable {0} of its config is in no section'),
  template('an extension in format 0'),
  template('git does not accept this repository'),
  template('makes no repository'),
  template('its repository is to be found elsewhere now'),
  template('the repository moved and is being opened again'),
  template('its config names another worktree now'),
  template('it has grafts'),
  template('history is grafted'),
  template('names no object to replace'),
  template('its content is replaced'),
  template('a sparse and split index'),
  template('sparse, and to be split'),
  template('a sparse index, and core.ignoreCase is set'),
  template('HEAD differs below sparse directories'),
  template('git complains about its patterns'),
  template('a submodule with other entries below it'),
  template('its hash is not that of the repository'),
  template('unmerged, below a valid cache-tree'),
  template('how git names it depends on how it was found'),
  template('how many objects git counts decides how it abbreviates'),
  template('a multi-pack-index names packs that are not there'),
  template('ORIG_HEAD is a symbolic ref'),
  template('a rebase command with a NUL'),
  template('a remote described by an old-style file'),
  template('larger than what git writes'),
  template('several merge bases, not all in the commit-graph'),
  template('commits are younger than their children, and the commit-graph has no dates'),

  // Files and their filters
  template('cannot be read'),
  template('not a regular file'),
  template('is a symbolic link'),
  template('symbolic links run in a circle'),
  template('larger than {0} MiB, and not read whole'),
  template('not in the index'),
  template('what its filter makes of it'),
  template('it changes while its filter is asked'),
  template('too large to be converted here, and git is not asked in an untrusted workspace'),
  template(
    "only the filter that the repository's config names can tell its content, and it is not run in an untrusted workspace",
  ),
  template('a path cannot contain NUL'),
  template('a path cannot contain a surrogate that stands for no byte'),

  // The index
  template('its shared index {0} is missing'),
  template('its checksum is not that of its name'),
  template("malformed extension 'link'"),
  template("its tree is no index's"),
  template('path component too long'),
  template('nested too deeply'),
  template('out of order'),

  // Refs
  template('points at an invalid ref name'),
  template('points out of refs/'),
  template('holds neither an object id nor the name of a ref'),
  template('leads to no ref'),
  template('no ref'),
  template('no name of a ref'),
  template('does not exist'),
  template('the last line is cut off'),
  template('symbolic refs run in a circle or too deep, at {0}'),
  template('no reftable'),
  template('cut off'),
  template('unknown version {0}'),
  template('header and footer differ'),
  template("the footer's checksum is wrong"),
  template("not of the repository's hash"),
  template('objects without names'),
  template('the index leads to byte {0}'),

  // Objects, and the files that have them
  template('object {0} not found'),
  template('object {0} is elsewhere for a multi-pack-index'),
  template('object {0} is replaced too many times'),
  template('object {0} is a {1}, not a {2}'),
  template('object {0} does not lead to a commit'),
  template('object {0} is another one for the commit-graph'),
  template('object {0} has the content of {1}'),
  template('malformed object header'),
  template('malformed object size'),
  template("unknown object type '{0}'"),
  template('claims {0} bytes and holds {1}'),
  template('too short for a pack'),
  template('not a pack: its signature is wrong'),
  template('pack version {0}'),
  template('claims {0} objects, its index {1}'),
  template('does not match its index'),
  template('too small for a pack index'),
  template('pack index version {0}'),
  template('fan-out table is not monotonic'),
  template('size does not match its number of objects'),
  template('8-byte offset of {0} lies outside the file'),
  template('a commit-graph was shortened while it was read'),
  template('its fan-out table leads out of it'),
  template('its lists of parents overlap'),
  template('its parents have no end'),
  template('a parent that is not there'),
  template('its generation is not there'),
  template('not above its parent'),
];

/** Their placeholder is a text without ": ". */
export const kReasonsOfTexts = [
  template('{0} can be read again'),
  template("'{0}' is git's to look up"),
  template("upstream '{0}' has to be looked up in reflogs"),
  template("invalid refspec '{0}'"),
  template('unexpected record "{0}"'),
];

/** Their last placeholder may be anything, and stays as it is. */
export const kReasonsToTheEnd = [
  template('built for another platform than {0} ({1})'),
  template('cannot be loaded ({0})'),
  template('unexpected line: {0}'),
  template('bad shallow line: {0}'),
  template('names no table: {0}'),
];

/** Of what is compressed: of a file, of an object in a pack, of a block. */
export const kReasonsOfInflating = [
  template('out of memory for inflating'),
  template('damaged zlib stream'),
  template('larger than the limit of {0} bytes'),
  template('claims {0} bytes, more than its compressed bytes can hold'),
  template('inflates to less than its header claims'),
  template('inflates to more than its header claims'),
  template('garbage after the zlib stream'),
];

/** Of a parser: after "object <id>" or "tree <id>", or alone. */
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

/** Of an object in a pack, after the pack and where in it. */
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

/** Of a block of a reftable, after the table and where in it. */
export const kReasonsOfBlocks = [
  template('cut off'),
  template('too short'),
  template('longer than the table'),
  template('unknown type'),
  template('too many restarts'),
  template('malformed key'),
  template('empty key'),
  template('malformed record'),
  template('a restart outside of the records'),
  template('a restart without a whole key'),
];

/** Of an index, before where in it. */
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
  template('entry without a path that replaces nothing'),
  template('entry whose path does not have its stated length'),
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
  template('optional extension that git says it ignores'),
  template('extension that git complains of'),
  template("extension 'FSMN' that git complains of"),
  template("extension 'TREE' that counts other entries than there are"),
  template("extension 'link' that is too short"),
  template("fewer replacements than the extension 'link' has"),
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

/** What git, or a program that it runs, is asked: the names of tasks. Their placeholder is a text. */
export const kTasks = [
  template('git config of .gitmodules'),
  template('git status of {0}'),
  template('git rev-parse in {0}'),
  template('the filter of {0}'),
  template('filter {0}'),
];

/** What the system says of a failed call, in the words of glibc, and of musl where they differ. */
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

/** Of another reason, or of what the system says: each has the shape that helperReasons.ts looks for. */
export const kAround = {
  thread: template('cannot start a thread: {0}'),
  ofObject: template('object {0}: {1}'),
  ofTree: template('tree {0}: {1}'),
  ofPacked: template('object at offset {0}: {1}'),
  ofBlock: template('block at {0}, byte {1}: {2}'),
  atByte: template('{0} at byte {1}'),
  named: template('{0}, and {1} names it'),
  untrusted: template('{0}; only git can answer, and it is not asked in an untrusted workspace'),
  git: template('{0}; git: {1}'),
};
