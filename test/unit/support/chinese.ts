/** Sets the extension's language for a test. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { english, useTranslator } from '../../../extension/l10n';

/** Switches to Chinese texts. A message without a translation says so. */
export function inChinese(): void {
  const path = resolve(__dirname, '../../../l10n/bundle.l10n.zh-cn.json');
  const chinese = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  useTranslator((message, ...args) => english(chinese[message] ?? `${message} is not translated`, ...args));
}

export function inEnglish(): void {
  useTranslator(english);
}
