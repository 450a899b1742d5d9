import { isSecretName, Mask } from '../http/secrets/mask.ts';
import { Redaction } from '../http/secrets/redaction.ts';

/** A command for reports, and the secrets removed from it. */
export type RedactedCommand = { readonly command: readonly string[]; readonly secrets: readonly string[] };

const redacted = '[redacted]';

/** Flags with a secret value that other patterns do not match, including curl's one-letter flags. */
const secretFlag =
  /^(-u|-U|-b|--?(user|proxy-user|cookie|pass|passphrase|bearer|[\w-]*-(pass|bearer|user)))$/i;

/** Redacts secrets in a command: values of flags, variables and headers with secret names, and secrets in URLs. */
export function redactCommand(command: readonly string[]): RedactedCommand {
  const secrets: string[] = [];
  const hide = (secret: string): string => {
    secrets.push(secret);
    return redacted;
  };
  const mask = new Mask(new Redaction());
  let before = '';
  const shown = command.map((text) => {
    const whole = splitNameAndSecret(text) ?? (isSecretFlag(before) ? { name: '', secret: text } : undefined);
    before = text;
    if (whole) return whole.name + hide(whole.secret);
    // A shell script in the command has flags, too, and a value can follow its flag without a space.
    let last = '';
    return text.replace(/[^\s'"]+/g, (word) => {
      const named =
        /\s/.test(text) && isNamedBy(last) ? { name: '', secret: word } : splitNameAndSecret(word);
      last = word;
      if (named) return named.name + hide(named.secret);
      return mask.text(word);
    });
  });
  return { command: shown, secrets };
}

/** Splits `--token=…`, `API_KEY=…`, `Authorization: …` and `-uNAME:PASSWORD` into name and secret. */
function splitNameAndSecret(text: string): { readonly name: string; readonly secret: string } | undefined {
  const [, short, rest] = /^(-[uU])(.+:.+)$/.exec(text) ?? [];
  if (short !== undefined && rest !== undefined) return { name: short, secret: rest };
  const [, name = '', sign = '', value = ''] = /^([^=:\s/]+)\s*([=:])\s*(.*)$/s.exec(text) ?? [];
  if (value === '' || !(isSecretFlag(name) || isSecretWord(name))) return undefined;
  return { name: name + sign, secret: value };
}

function isSecretFlag(text: string): boolean {
  return text.startsWith('-') && (secretFlag.test(text) || isSecretWord(text));
}

/** Returns whether the word after this one is a secret: it is a flag, a header name or an authorization scheme. */
function isNamedBy(word: string): boolean {
  return isSecretFlag(word) || /^(bearer|basic)$/i.test(word) || (/[:=]$/.test(word) && isSecretWord(word));
}

function isSecretWord(name: string): boolean {
  return /^cookie\W*$/i.test(name) || isSecretName(name);
}

/** Returns the values of environment variables with secret names, but of no folder, as a client could print them. */
export function environmentSecrets(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && !namedFolder.test(name) && (isSecretName(name) || namedPass.test(name))
      ? [value]
      : [],
  );
}

/** Variables in which shells keep the working folder. */
const namedFolder = /^(OLD)?PWD$/;

const namedPass = /(^|_)(PASS|PASSPHRASE|BEARER|COOKIE)$/i;
