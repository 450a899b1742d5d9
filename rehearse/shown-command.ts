import { isSecretName, Mask } from '../http/secrets/mask.ts';
import { Redaction } from '../http/secrets/redaction.ts';

/** A command as it may be reported, and the secrets that it holds. */
export type ShownCommand = { readonly command: readonly string[]; readonly secrets: readonly string[] };

const redacted = '[redacted]';

/** Flags whose value is a secret though their name ends otherwise; those of curl in one letter too. */
const secretFlag =
  /^(-u|-U|-b|--?(user|proxy-user|cookie|pass|passphrase|bearer|[\w-]*-(pass|bearer|user)))$/i;

/** Takes the values of flags, variables and headers that are named after a secret out of a command, and those in URLs. */
export function shownCommand(command: readonly string[]): ShownCommand {
  const secrets: string[] = [];
  const hide = (secret: string): string => {
    secrets.push(secret);
    return redacted;
  };
  const mask = new Mask(new Redaction());
  let before = '';
  const shown = command.map((text) => {
    const whole = namedSecret(text) ?? (isSecretFlag(before) ? { name: '', secret: text } : undefined);
    before = text;
    if (whole) return whole.name + hide(whole.secret);
    // What a shell is given holds flags of its own; a part of a word may follow its flag without a blank.
    let last = '';
    return text.replace(/[^\s'"]+/g, (word) => {
      const own = /\s/.test(text) && isNamedBy(last) ? { name: '', secret: word } : namedSecret(word);
      last = word;
      if (own) return own.name + hide(own.secret);
      return mask.text(word);
    });
  });
  return { command: shown, secrets };
}

/** `--token=…`, `API_KEY=…`, `Authorization: …` and `-uNAME:PASSWORD`. */
function namedSecret(text: string): { readonly name: string; readonly secret: string } | undefined {
  const [, short, rest] = /^(-[uU])(.+:.+)$/.exec(text) ?? [];
  if (short !== undefined && rest !== undefined) return { name: short, secret: rest };
  const [, name = '', sign = '', value = ''] = /^([^=:\s/]+)\s*([=:])\s*(.*)$/s.exec(text) ?? [];
  if (value === '' || !(isSecretFlag(name) || isSecretWord(name))) return undefined;
  return { name: name + sign, secret: value };
}

function isSecretFlag(text: string): boolean {
  return text.startsWith('-') && (secretFlag.test(text) || isSecretWord(text));
}

/** The word before one that is a secret: a flag, a header's name, or the scheme of an authorisation. */
function isNamedBy(word: string): boolean {
  return isSecretFlag(word) || /^(bearer|basic)$/i.test(word) || (/[:=]$/.test(word) && isSecretWord(word));
}

function isSecretWord(name: string): boolean {
  return /^cookie\W*$/i.test(name) || isSecretName(name);
}

/** Values of the environment that are named after secrets: a client may print them. */
export function environmentSecrets(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (isSecretName(name) || namedPass.test(name)) ? [value] : [],
  );
}

const namedPass = /(^|_)(PASS|PASSPHRASE|BEARER|COOKIE)$/i;
