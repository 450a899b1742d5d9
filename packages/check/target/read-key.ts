import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { TargetDescription } from './target-description.ts';

/** Keys are small; a larger file is a mistake. */
const mostBytes = 1 << 20;

/** Shorter than any key: it could not be distinguished from ordinary text when it is taken out of reports. */
const shortestKey = 8;

/** Reads the key that a description or the environment names; returns undefined for a keyless target. Throws a UsageError. */
export function readKey(flags: TargetDescription, env: Environment): string | undefined {
  const isFile = flags.apiKeyFile !== undefined;
  const place = isFile ? `--api-key-file: ${flags.apiKeyFile}` : 'CANDLEPROOF_API_KEY';
  const text = isFile
    ? readNamedFile(flags.apiKeyFile, '--api-key-file', mostBytes)
    : env.CANDLEPROOF_API_KEY;
  if (text === undefined) {
    if (flags.keyless) return undefined;
    throw new UsageError(
      'no API key: give --api-key-file or CANDLEPROOF_API_KEY, or --keyless for a target that needs none',
    );
  }
  return readKeyText(text, place);
}

/**
 * Reads the key of a further security scheme from the variable that its name makes, such as CANDLEPROOF_API_KEY_SECRET, or
 * from the file that CANDLEPROOF_API_KEY_SECRET_FILE names. Throws a UsageError if neither is set.
 */
export function readFurtherKey(scheme: string, env: Environment): string {
  const variable = keyVariable(scheme);
  const file = env[`${variable}_FILE`];
  if (file !== undefined) return readKeyFile(file, `${variable}_FILE`);
  const text = env[variable];
  if (text !== undefined) return readKeyText(text, variable);
  throw new UsageError(
    `no key for the scheme ${scheme}: set ${variable}, or ${variable}_FILE to the file that holds it`,
  );
}

/** Returns the variable of the environment that holds the key of a further security scheme. */
export function keyVariable(scheme: string): string {
  return `CANDLEPROOF_API_KEY_${scheme.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/** Reads a key from the file that a flag names; throws a UsageError if it holds none. */
export function readKeyFile(file: string, flag: string): string {
  return readKeyText(readNamedFile(file, flag, mostBytes), `${flag}: ${file}`);
}

function readKeyText(text: string, place: string): string {
  const key = text.trim();
  if (key.length < shortestKey)
    throw new UsageError(`${place}: it holds ${key.length} characters, a key has 32 (§5): put the key in it`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`${place}: a key is one line of visible ASCII characters`);
  return key;
}
