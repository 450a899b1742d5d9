import { isAbsolute } from 'node:path';
import { decodeEscapes, isSecretName, Mask } from '@candleproof/client/secrets/mask';
import { Redaction } from '@candleproof/client/secrets/redaction';
import { shownPath } from '@candleproof/files/shown-path';

/** A command for reports, and the secrets removed from it. */
export type RedactedCommand = { readonly command: readonly string[]; readonly secrets: readonly string[] };

const redacted = '[redacted]';

/** Flags with a secret value that other patterns do not match, including curl's one-letter flags. */
const secretFlag =
  /^(-u|-U|-b|-p|-P|--?(user|proxy-user|cookie|pass|passphrase|bearer|[\w-]*-(pass|bearer|user)))$/i;

/**
 * Redacts secrets in a command: values of flags, variables and headers with secret names, and secrets in URLs. Shows paths
 * as reports do.
 */
export function redactCommand(command: readonly string[]): RedactedCommand {
  const secrets: string[] = [];
  const hide = (secret: string): string => {
    // A client may print the password alone.
    const [, password] = /^[^:\s]+:(.+)$/s.exec(secret) ?? [];
    secrets.push(secret, ...(password === undefined ? [] : [password]));
    return redacted;
  };
  const mask = new Mask(new Redaction());
  let before = '';
  for (const text of command) secrets.push(...urlPasswords(text));
  const shown = command.map((text) => {
    const whole =
      splitNameAndSecret(text) ?? (isSecretValue(text, before) ? { name: '', secret: text } : undefined);
    before = text;
    if (whole) return whole.name + hide(whole.secret);
    // A shell script in the command has flags, too, and a value can follow its flag without a space.
    let last = '';
    return text.replace(/[^\s'"]+/g, (word) => {
      const named =
        /\s/.test(text) && isNamedBy(last) && !isPort(word, last)
          ? { name: '', secret: word }
          : splitNameAndSecret(word);
      last = word;
      if (named) return named.name + hide(named.secret);
      return mask.text(word);
    });
  });
  return { command: shown.map((text) => (isAbsolute(text) ? shownPath(text) : text)), secrets };
}

/** Splits `--token=…`, `API_KEY=…`, `Authorization: …`, `-uNAME:PASSWORD` and `-pPASSWORD` into name and secret. */
function splitNameAndSecret(text: string): { readonly name: string; readonly secret: string } | undefined {
  const [, short, rest] = /^(-[uU])(.+:.+)$/.exec(text) ?? shortPassword.exec(text) ?? [];
  if (short !== undefined && rest !== undefined) return { name: short, secret: rest };
  const [, name = '', sign = '', value = ''] = /^([^=:\s/]+)\s*([=:])\s*(.*)$/s.exec(text) ?? [];
  if (value === '' || !(isSecretFlag(name) || isSecretWord(name))) return undefined;
  return { name: name + sign, secret: value };
}

/** `-pVALUE`, but no number of a port and no flag with one dash, such as -print. */
const shortPassword =
  /^(-[pP])(?!\d{1,5}(?::|$)|[a-z]*(?:ackage|arallel|aram|ath|erm|id|ipe|latform|lugin|ool|ort|refix|reset|retty|rint|rivate|rod|rofile|roject|roto|roxy|rune|ublic)s?\d?(?:$|[^a-z]))(.+)$/s;

/** Returns whether an argument is the secret of the flag before it. */
function isSecretValue(text: string, flag: string): boolean {
  return isSecretFlag(flag) && !isPort(text, flag);
}

/** `-p 8080` and `-p 80:8080` name ports. */
function isPort(text: string, flag: string): boolean {
  return /^-[pP]$/.test(flag) && /^\d{1,5}(:\d{1,5})*$/.test(text);
}

/** Returns the passwords of the URLs in a text. */
function urlPasswords(text: string): string[] {
  return [...text.matchAll(/:\/\/[^/\s:@]*:([^/\s@]+)@/g)].flatMap(([, password = '']) => [
    password,
    decodeEscapes(password),
  ]);
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
      : urlPasswords(value ?? ''),
  );
}

/** Variables in which shells keep the working folder. */
const namedFolder = /^(OLD)?PWD$/;

const namedPass = /(^|_)(PASS|PASSPHRASE|BEARER|COOKIE)$/i;
