/** Evaluates a `when` clause of package.json, as far as the menus use its grammar. */

export type Context = Readonly<Record<string, string | number | boolean | undefined>>;

const kToken = /\s*(&&|\|\||==|!=|=~|[!()<>]|'[^']*'|\/(?:\\.|[^/\\])*\/|[^\s()!=<>&|]+)/gy;

export function holds(when: string | undefined, context: Context): boolean {
  if (when === undefined) return true;
  const tokens = Array.from(when.matchAll(kToken), ([, token = '']) => token);
  const value = disjunction(tokens, context);
  if (tokens.length > 0) throw new Error(`${when}: cannot read ${tokens.join(' ')}`);
  return value;
}

function disjunction(tokens: string[], context: Context): boolean {
  let value = conjunction(tokens, context);
  while (tokens[0] === '||') {
    tokens.shift();
    value = conjunction(tokens, context) || value;
  }
  return value;
}

function conjunction(tokens: string[], context: Context): boolean {
  let value = term(tokens, context);
  while (tokens[0] === '&&') {
    tokens.shift();
    value = term(tokens, context) && value;
  }
  return value;
}

function term(tokens: string[], context: Context): boolean {
  const first = tokens.shift() ?? '';
  if (first === '!') return !term(tokens, context);
  if (first === '(') {
    const value = disjunction(tokens, context);
    if (tokens.shift() !== ')') throw new Error('a bracket is not closed');
    return value;
  }
  const value = context[first];
  const text = String(value ?? '');
  const operand = (): string => (tokens.shift(), (tokens.shift() ?? '').replace(/^'|'$/g, ''));
  switch (tokens[0] ?? '') {
    case '==':
      return text === operand();
    case '!=':
      return text !== operand();
    case '=~':
      return new RegExp(operand().slice(1, -1)).test(text);
    case '>':
      return Number(text) > Number(operand());
    case 'in':
      operand();
      return false;
    default:
      return value !== undefined && value !== false && value !== '';
  }
}
