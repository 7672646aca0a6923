/** Formats an age in the user's language. */

const kMinute = 60;
const kHour = 60 * kMinute;
const kDay = 24 * kHour;
const kUnits = [
  ['year', 365 * kDay],
  ['month', 30 * kDay],
  ['week', 7 * kDay],
  ['day', kDay],
  ['hour', kHour],
  ['minute', kMinute],
  ['second', 1],
] as const;

/** Uses the largest unit that has passed at least once. `date` and `now`: seconds since 1970. */
export function ageText(date: number, language: string, now = Date.now() / 1000): string {
  const age = Math.max(0, Math.floor(now - date));
  const [unit, seconds] = kUnits.find(([, length]) => age >= length) ?? (['second', 1] as const);
  return formatOf(language).format(-Math.floor(age / seconds), unit);
}

const formats = new Map<string, Intl.RelativeTimeFormat>();

function formatOf(language: string): Intl.RelativeTimeFormat {
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.RelativeTimeFormat(language);
    formats.set(language, format);
  }
  return format;
}
