/** Imported before everything else: texts that are made while modules are loaded are translated too. */
import { l10n } from 'vscode';
import { useTranslator } from './l10n';

useTranslator((message, ...args) => l10n.t(message, ...args));
