import { existsSync } from 'node:fs';
import { mayBeKey, notRepeated } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';

/** A line without those arguments of the command that may be keys and are no files, and without passwords of URLs. */
export function withoutKeys(line: string, args: readonly string[]): string {
  const values = args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)]);
  const keys = values.filter((value) => mayBeKey(value) && !value.startsWith('--') && !existsSync(value));
  return keys
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, key) => text.replaceAll(key, notRepeated), line)
    .replace(/(unknown option '--?[\w-]+)=[^']*'/, "$1'")
    .replace(/(\b[a-z]+:\/\/[^\s:/@]*):[^\s@]+@/gi, '$1:(not repeated)@');
}

/** Throws the UsageError for a key that is given as a flag, whatever the command. */
export function refuseKeyFlag(args: readonly string[]): void {
  const end = args.indexOf('--');
  const flags = end < 0 ? args : args.slice(0, end);
  if (!flags.some((flag) => /^--?(x-)?api[-_]?key(=|$)/i.test(flag))) return;
  throw new UsageError(
    '--api-key: a key is never a flag, for other users of the machine can read flags: put it into a file and give --api-key-file FILE, or set CANDLEPROOF_API_KEY',
  );
}
