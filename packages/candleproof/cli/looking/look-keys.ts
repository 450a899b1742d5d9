import { keyVariable } from '@candleproof/check/target/read-key';
import {
  isSecretName,
  type PlacedKey,
  type RequestParts,
  signatureName,
  signedWords,
} from '@candleproof/check/target/request-once';
import type { ApiDraft, DraftHeader } from '@candleproof/drafting/draft';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';

/** Flags that describe the keys of a look and its further headers. */
export type LookKeyFlags = {
  readonly apiKeyFile?: string;
  /** `X-Api-Key`, or `Authorization: Bearer` with the text before the key. */
  readonly keyHeader?: string;
  /** The parameter that carries the key. */
  readonly keyQuery?: string;
  /** `NAME: text`, in which `${VARIABLE}` stands for a secret. */
  readonly header?: readonly string[];
};

/** The parts of requests beside their URL, and the same in a draft, which holds no secret. */
export type LookKeys = { readonly sent: RequestParts; readonly drafted: Pick<ApiDraft, 'key' | 'headers'> };

const mostKeyBytes = 8192;

/** Reads the key, its place and further headers. Throws a UsageError for one without the other. */
export function readLookKeys(flags: LookKeyFlags, env: Environment): LookKeys {
  const key = readKey(flags, env);
  const headers = (flags.header ?? []).map((text) => readHeader(text, env, key?.text));
  const plain = headers.filter(({ secret }) => secret === undefined);
  // Without another key, the first secret of a header is the key.
  const [first, ...others] = headers.filter(({ secret }) => secret !== undefined);
  const main = key ?? (first && placeHeader(first));
  const further = key ? [...(first ? [first] : []), ...others] : others;
  return {
    sent: {
      keys: [...(main ? [main] : []), ...further.map(placeHeader)],
      headers: plain.map(({ name, text }) => [name, text] as const),
    },
    drafted: {
      ...(main && { key: { in: main.in, name: main.name, prefix: main.prefix } }),
      headers: [...plain, ...further].map(({ name, text, scheme }) => ({
        ...{ name, text },
        ...(scheme !== undefined && { scheme }),
      })),
    },
  };
}

/** Lists the variables that a check needs for the secrets of further headers. */
export function listKeyVariables({ drafted: { headers = [] } }: LookKeys): string[] {
  return headers.flatMap(({ scheme }) => (scheme === undefined ? [] : [keyVariable(scheme)]));
}

function readKey({ apiKeyFile, keyHeader, keyQuery }: LookKeyFlags, env: Environment): PlacedKey | undefined {
  if (keyHeader === undefined && keyQuery === undefined) {
    if (apiKeyFile === undefined) return undefined;
    throw new UsageError(
      'look: a key needs its place: give --key-header, such as X-Api-Key or "Authorization: Bearer", or --key-query NAME with --api-key-file',
    );
  }
  if (keyHeader !== undefined && keyQuery !== undefined)
    throw new UsageError(
      'look: --key-header and --key-query: give the place of one key; --header takes another',
    );
  const text =
    apiKeyFile === undefined
      ? env.CANDLEPROOF_API_KEY?.trim()
      : readNamedFile(apiKeyFile, '--api-key-file', mostKeyBytes).trim();
  if (text === undefined || text === '')
    throw new UsageError(
      'look: --key-header and --key-query need a key: give --api-key-file, or set CANDLEPROOF_API_KEY',
    );
  if (keyQuery !== undefined)
    return { in: 'query', name: requireName(keyQuery, '--key-query'), prefix: '', text };
  const [, name = '', prefix = ''] = /^([^:]*)(?:: *(.*))?$/.exec(keyHeader ?? '') ?? [];
  return {
    ...{ in: 'header', name: requireName(name, '--key-header'), text },
    prefix: prefix === '' ? '' : `${prefix} `,
  };
}

function requireName(name: string, flag: string): string {
  if (signatureName.test(name)) throw new UsageError(`look: ${flag} ${name}: ${signedWords}`);
  if (/^[\w.-]+$/.test(name)) return name;
  throw new UsageError(
    `look: ${flag}: "${name}" is no name of a header or a parameter; give one such as X-Api-Key`,
  );
}

type ReadHeader = DraftHeader & { readonly secret?: string };

/** Reads `NAME: text`; a secret is named by a variable, as a command line is seen by others. */
function readHeader(given: string, env: Environment, key: string | undefined): ReadHeader {
  const [, name, text = ''] = /^([^:]*): *(.*)$/.exec(given) ?? [];
  if (name === undefined)
    throw new UsageError("look: --header: it has no colon; give 'NAME: text', in quotation marks");
  requireName(name, '--header');
  const [, before = '', variable] = /^(.*?)\$\{(\w+)\}$/.exec(text) ?? [];
  if (variable === undefined) {
    const isKnown = [key, env.CANDLEPROOF_API_KEY].some(
      (secret) => secret !== undefined && text.includes(secret),
    );
    if (isKnown || isSecretName(name))
      throw new UsageError(
        `look: --header ${name}: a secret on a command line is seen by others: write '${name}: \${VARIABLE}', and put it into that variable`,
      );
    return { name, text };
  }
  const secret = env[variable];
  if (secret === undefined || secret === '')
    throw new UsageError(
      `look: --header ${name}: the variable ${variable} is not set: put the secret into it`,
    );
  const scheme = variable.toLowerCase().replace(/^candleproof_api_key_/, '');
  return { name, text: before, scheme, secret };
}

function placeHeader({ name, text, secret = '' }: ReadHeader): PlacedKey {
  return { in: 'header', name, prefix: text, text: secret };
}
