/**
 * Translates the helper's reasons into the language of the editor. Reasons arrive in English, for the log. They are
 * translated when a person sees them. A text of helperReasonTexts.ts must match the whole end of a reason, after ": "
 * or from the start. The part before it stays untranslated: paths, names of refs, commands of git. Messages of git
 * and of libraries stay untranslated too.
 *
 * A path can contain any text, also text like a reason. A reason with two readings therefore stays untranslated. The
 * time is linear in the length: each text is tried once, at a known position. It has at most one placeholder of
 * unknown extent.
 */
import { fill } from '../l10n';
import * as texts from './helperReasonTexts';

/** The translated reason; an unknown reason is returned unchanged. */
export function reasonText(reason: string): string {
  return reading(reason) ?? reason;
}

/** Translates a task for git, or for a program that it runs (`Waiting.name`). */
export function taskText(name: string): string {
  // The end of the path in "git status of a in b" is ambiguous.
  if (name.replace(/^git rev-parse in /, '').includes(' in ')) return name;
  return kTasks.map((pattern) => filled(pattern, name)).find((text) => text !== undefined) ?? name;
}

interface Pattern {
  message: string;
  /** Number of parts between ": ". */
  parts: number;
  /** Matches the whole text. */
  expression: RegExp;
  /** The text before the first placeholder. */
  head: string;
}

const kWord = '(\\S+)';
const kText = '([^]+)';
const kName = '([^,]+)';

function patternOf(message: string, slot: (index: number) => string): Pattern {
  const source = message.replace(/[.*+?^$()[\]|\\/]/g, '\\$&');
  return {
    message,
    parts: message.split(': ').length,
    expression: new RegExp(`^${source.replace(/\{(\d+)\}/g, (_, index) => slot(Number(index)))}$`),
    head: message.replace(/\{\d+\}[^]*/, ''),
  };
}

const patterns = (messages: readonly string[], slot: (index: number) => string = () => kWord): Pattern[] =>
  messages.map((message) => patternOf(message, slot));

const kOfInflating = patterns(texts.kReasonsOfInflating);
const kAnywhere = [
  ...patterns(texts.kReasons),
  ...patterns(texts.kReasonsOfTexts, () => kText),
  ...kOfInflating,
];
const kToTheEnd = texts.kReasonsToTheEnd.map((message) => {
  const last = (message.match(/\{\d+\}/g)?.length ?? 0) - 1;
  return patternOf(message, (index) => (index === last ? kText : kWord));
});
const kOfObjects = patterns(texts.kReasonsOfObjects);
const kOfTasks = patterns(texts.kReasonsOfTasks, (index) => (index === 0 ? kName : kWord));
const kAtBytes = patterns(texts.kReasonsAtBytes);
const kTasks = patterns(texts.kTasks, () => kText);
const kSystem = patterns(texts.kSystem);

/** Reasons about an object or a place that the part before them names. */
const kWithin = [
  {
    reasons: kOfObjects,
    place: /^object ([0-9a-f]{40,64})$/,
    around: texts.kAround.ofObject,
    file: '',
  },
  {
    reasons: kOfObjects,
    place: /^tree ([0-9a-f]{40,64})$/,
    around: texts.kAround.ofTree,
    file: '',
  },
  {
    reasons: [...patterns(texts.kReasonsOfPacked), ...kOfInflating],
    place: /^object at offset (\d+)$/,
    around: texts.kAround.ofPacked,
    file: '.pack: ',
  },
  {
    reasons: [...patterns(texts.kReasonsOfBlocks), ...kOfInflating],
    place: /^block at (\d+), byte (\d+)$/,
    around: texts.kAround.ofBlock,
    file: '.ref: ',
  },
] as const;

/** Undefined: no reading, or more than one. */
function reading(reason: string): string | undefined {
  const found = new Set<string>();
  const within = readingsWithin(reason);
  for (const text of within) found.add(text);
  // A reason about an object or a place can also be read as a separate reason.
  if (within.length === 0) for (const { before, text } of ends(kAnywhere, reason)) found.add(before + text);
  for (const { before, text } of ends(kOfObjects, reason)) if (before === '') found.add(text);
  for (const { before, text } of ends(kOfTasks, reason, taskText)) found.add(before + text);
  for (const text of [
    ...readingsToTheEnd(reason),
    ...readingsOfSystem(reason),
    ...readingsAtBytes(reason),
    ...readingsAround(reason),
  ])
    found.add(text);
  return found.size === 1 ? [...found][0] : undefined;
}

interface End {
  /** Empty, or ends in ": ". */
  before: string;
  text: string;
}

/** Matches of the patterns with the end of the reason: all text after a ": ", or the whole reason. */
function ends(patterns: readonly Pattern[], reason: string, first = (value: string) => value): End[] {
  const starts = [reason.length + 2];
  const startOf = (parts: number): number | undefined => {
    while (starts.length <= parts) {
      const end = (starts.at(-1) ?? 0) - 2;
      if (end < 0) return undefined;
      const colon = end === 0 ? -1 : reason.lastIndexOf(': ', end - 1);
      starts.push(colon < 0 ? 0 : colon + 2);
    }
    return starts[parts];
  };
  return patterns.flatMap((pattern) => {
    const start = startOf(pattern.parts);
    const text = start === undefined ? undefined : filled(pattern, reason.slice(start), first);
    return text === undefined ? [] : [{ before: reason.slice(0, start), text }];
  });
}

function filled(
  { expression, message }: Pattern,
  whole: string,
  first = (value: string) => value,
): string | undefined {
  const values = expression.exec(whole)?.slice(1);
  return values === undefined
    ? undefined
    : fill(
        message,
        values.map((v, index) => (index === 0 ? first(v) : v)),
      );
}

/** Readings as a reason about an object or a place in a file, which the part before the reason names. */
function readingsWithin(reason: string): string[] {
  return kWithin.flatMap(({ reasons, place, around, file }) =>
    ends(reasons, reason).flatMap(({ before, text }) => {
      const end = before.length - 2;
      if (end < 0) return [];
      const colon = reason.lastIndexOf(': ', end - 1);
      const start = colon < 0 ? 0 : colon + 2;
      const values = place.exec(reason.slice(start, end))?.slice(1);
      const files = reason.slice(0, start);
      return values !== undefined && files.endsWith(file) ? [files + fill(around, [...values, text])] : [];
    }),
  );
}

/** Readings as a reason whose end can be any text. The beginning of such a reason must occur exactly once. */
function readingsToTheEnd(reason: string): string[] {
  return kToTheEnd.flatMap((pattern) => {
    const colon = reason.indexOf(`: ${pattern.head}`);
    const isFirst = reason.startsWith(pattern.head);
    if (isFirst ? colon >= 0 : colon < 0 || reason.includes(`: ${pattern.head}`, colon + 1)) return [];
    const start = isFirst ? 0 : colon + 2;
    const text = filled(pattern, reason.slice(start));
    return text === undefined ? [] : [reason.slice(0, start) + text];
  });
}

/**
 * System errors follow paths and names of calls. A message of git about a file can end alike, and stays untranslated.
 */
function readingsOfSystem(reason: string): string[] {
  const isSubject = (part: string) => part.startsWith('/') || !/\s/.test(part);
  const thread = texts.kAround.thread.replace('{0}', '');
  return ends(kSystem, reason).flatMap(({ before, text }) => {
    if (before === thread) return [fill(texts.kAround.thread, [text])];
    return before !== '' && before.slice(0, -2).split(': ').every(isSubject) ? [before + text] : [];
  });
}

function readingsAtBytes(reason: string): string[] {
  const [at, byte] = / at byte (\d+)$/.exec(reason.slice(-40)) ?? [];
  if (at === undefined || byte === undefined) return [];
  return ends(kAtBytes, reason.slice(0, -at.length)).map(
    ({ before, text }) => before + fill(texts.kAround.atByte, [text, byte]),
  );
}

/** Readings as a frame around another reason. */
function readingsAround(reason: string): string[] {
  const found: string[] = [];
  const { git, named, untrusted } = texts.kAround;
  const suffix = untrusted.replace('{0}', '');
  if (reason.endsWith(suffix) && reason.indexOf(suffix) === reason.length - suffix.length)
    found.push(fill(untrusted, [reasonText(reason.slice(0, -suffix.length))]));
  for (const message of [git, named]) {
    const [, between = '', after = ''] = message.split(/\{\d\}/);
    const end = reason.indexOf(between);
    if (end < 0 || !reason.endsWith(after) || reason.includes(between, end + 1)) continue;
    const inner = reading(reason.slice(0, end));
    const rest = reason.slice(end + between.length, reason.length - after.length);
    if (inner !== undefined) found.push(fill(message, [inner, rest]));
  }
  return found;
}
