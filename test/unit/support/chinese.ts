/** The language of the editor, for a test. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { useTranslator } from '../../../extension/l10n';

const filled = (message: string, args: readonly (string | number)[]) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

/** From here on as in an editor in Chinese; a message without a translation says that it has none. */
export function inChinese(): void {
  const path = resolve(__dirname, '../../../l10n/bundle.l10n.zh-cn.json');
  const chinese = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  useTranslator((message, ...args) => filled(chinese[message] ?? `${message} is not translated`, args));
}

export function inEnglish(): void {
  useTranslator((message, ...args) => filled(message, args));
}
