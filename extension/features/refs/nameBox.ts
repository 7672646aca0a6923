/** Asks for the name of a branch or tag. The box checks the name while the user types. */
import { InputBoxValidationMessage, InputBoxValidationSeverity, window } from 'vscode';
import { CommandContext } from '../../commands/context';
import { t } from '../../l10n';
import { Repository } from '../../model/Repository';
import { correctedName, listNames, NamedKind, refNameProblem, TakenNames } from './refNames';

interface NameOptions {
  kind: NamedKind;
  /** The current name of a branch to rename. */
  value?: string;
}

const kTexts = {
  head: { placeholder: t('Branch name'), prompt: t('Enter a name for the branch') },
  tag: { placeholder: t('Tag name'), prompt: t('Enter a name for the tag') },
} as const;

/** A valid name that no branch or tag has. Undefined if the user gave no name. */
export async function askName(
  { git }: Pick<CommandContext, 'git'>,
  repository: Repository,
  { kind, value }: NameOptions,
): Promise<string | undefined> {
  const box = window.createInputBox();
  box.placeholder = kTexts[kind].placeholder;
  box.prompt = kTexts[kind].prompt;
  box.value = value ?? '';
  box.ignoreFocusOut = true;
  // Empty until git has listed the names. Until then git itself refuses a name that is taken.
  let taken = new TakenNames(kind, []);
  const validate = () => {
    box.validationMessage = box.value.trim() === '' ? undefined : messageFor(box.value, taken);
  };
  const answered = new Promise<string | undefined>((resolve) => {
    box.onDidChangeValue(validate);
    box.onDidAccept(() => {
      const name = correctedName(box.value);
      const isRefused = box.value.trim() !== '' && (name === undefined || taken.problem(name) !== undefined);
      if (isRefused) return;
      resolve(name);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
  });
  box.show();
  const listed = await Promise.race([
    git.ask(repository, { args: listNames(kind), keepsAll: true }),
    answered,
  ]);
  if (typeof listed === 'object') {
    taken = TakenNames.parse(kind, listed.stdout, value);
    validate();
  }
  return answered;
}

function messageFor(typed: string, taken: TakenNames): InputBoxValidationMessage | undefined {
  const name = correctedName(typed);
  const problem = refNameProblem(typed);
  const takenProblem = name === undefined ? undefined : taken.problem(name);
  const error = takenProblem ?? (name === undefined ? problem : undefined);
  if (error !== undefined) return { message: error, severity: InputBoxValidationSeverity.Error };
  if (problem === undefined || name === undefined) return undefined;
  const message = t('{0} Press Enter to use "{1}".', problem, name);
  return { message, severity: InputBoxValidationSeverity.Info };
}
