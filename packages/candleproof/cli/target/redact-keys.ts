import { existsSync } from 'node:fs';
import { mayBeKey, notRepeated } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';

const hidden = '(not repeated)';

/**
 * Replaces what may be secret in an error line by `(not repeated)`: each argument of the command that may be a key and is no
 * file, passwords of URLs, as in `postgres://me:secret@db/x` and `postgres://db/x?password=secret`, and the value of an
 * unknown option.
 */
export function redactKeys(line: string, args: readonly string[]): string {
  const values = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  const keys = values.filter((value) => mayBeKey(value) && !value.startsWith('--') && !existsSync(value));
  return (
    keys
      .toSorted((one, other) => other.length - one.length)
      .reduce((text, key) => text.replaceAll(key, notRepeated), line)
      .replace(/(unknown option '--?[\w-]+)=[^']*'/, "$1'")
      // A password may hold @ and / that should have been escaped, so it ends at the last @.
      .replace(/(\b[a-z]+:\/\/[^\s:/@]*):\S+@/gi, `$1:${hidden}@`)
      .replace(/([?&](?:ssl)?password=)[^\s&#'"]+/gi, `$1${hidden}`)
  );
}

/** Throws the UsageError for a key that is given as a flag, whatever the command. */
export function refuseKeyFlag(args: readonly string[]): void {
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  if (!flags.some((flag) => /^--?(x-)?api[-_]?key(=|$)/i.test(flag))) return;
  throw new UsageError(
    '--api-key: a key is never a flag, since other users of this machine can read flags: put it into a file and give --api-key-file FILE, or set CANDLEPROOF_API_KEY',
  );
}
