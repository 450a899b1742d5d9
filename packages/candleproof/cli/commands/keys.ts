import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedFile, openNamedFile } from '@candleproof/files/named-file';
import { readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import { ownerOnly } from '@candleproof/files/write-files';
import { isTimeZone, QuotaCalendar } from '@candleproof/reference-service/api/admission/quota';
import type { IssuedKey, KeyAllowance, Network } from '@candleproof/reference-service/store/accounts';
import type { Store } from '@candleproof/reference-service/store/store';
import { alignColumns } from '@candleproof/reports/words/terminal-text';
import { type Command, Option } from 'commander';
import { databaseFlag, readDatabase } from '../database/read-database.ts';
import { FileOption, forceFlag, isStdout } from '../running/file-option.ts';
import { option } from '../running/options.ts';
import { openServiceStore } from '../serving/service-store.ts';

type IssueFlags = {
  readonly limit: number;
  readonly hardCap?: boolean;
  readonly burst?: number;
  readonly shared?: boolean;
  readonly network?: Network;
  readonly label?: string;
  readonly out?: NamedFile;
};

type StoreFlag = { readonly data: string; readonly database?: string };

/** A key as `keys list --json` shows it; `used` in the present month. */
type ListedKey = Omit<IssuedKey, 'issued' | 'revoked'> & {
  readonly issued: string;
  readonly revoked: string | null;
  readonly used: number;
};

const longestLabel = 60;

/** Adds the command `keys` to the program. */
export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('the keys of the reference service');
  const data = ['--data <dir>', 'folder of its store', join('.candleproof', 'service')] as const;
  keys
    .command('issue')
    .description('a new key, on stdout; its text is kept nowhere else')
    .option(...data)
    .option(...databaseFlag)
    .addOption(option('--limit <n>', 'requests a month', readWholeNumber, 10_000))
    .option('--hard-cap', 'refuse what is beyond the limit (429) instead of only counting it')
    .addOption(option('--burst <n>', 'most requests in a second', readWholeNumber))
    .option('--shared', 'a demo key for many: each client address has a burst of its own')
    .addOption(
      new Option('--network <name>', 'the only network it is good for').choices(['mainnet', 'testnet']),
    )
    .option('--label <text>', 'a name to recognise it by', readLabel)
    .addOption(
      new FileOption('--out <file>', 'write the key to this file, for its owner only, instead of stdout', {
        mode: ownerOnly,
      }),
    )
    .option(...forceFlag)
    .action((flags: IssueFlags & StoreFlag) => withStore(flags, (store) => issue(store, flags), true));
  keys
    .command('list')
    .description('all keys with their use in this month; never their texts')
    .option(...data)
    .option(...databaseFlag)
    .option('--json', 'as JSON')
    .option('--quota-zone <zone>', 'time zone of the months', 'UTC')
    .action((flags: StoreFlag & { json?: true; quotaZone: string }) =>
      withStore(flags, (store) => list(store, flags)),
    );
  keys
    .command('revoke <id>')
    .description('withdraw a key, by its number in the list')
    .option(...data)
    .option(...databaseFlag)
    .action((id: string, flags: StoreFlag) => withStore(flags, (store) => revoke(store, id)));
}

/** The store of a folder; one is made only for a first key. */
async function withStore(
  { data, database }: StoreFlag,
  work: (store: Store) => Promise<void>,
  makes = false,
): Promise<void> {
  const address = readDatabase(database, process.env);
  if (!address && !makes && !existsSync(data))
    throw new UsageError(`--data: ${data} is no data folder of serve: give the one that it serves`);
  const store = await openServiceStore(data, address);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function issue(store: Store, flags: IssueFlags): Promise<void> {
  const { limit: monthlyLimit, hardCap = false, burst, shared = false, network, label = '', out } = flags;
  const allowance: KeyAllowance = { monthlyLimit, hardCap, shared, burst, network };
  const issueKey = async (): Promise<string> => store.keys.issue(allowance, { label });
  const isPrinted = out === undefined || isStdout(out);
  const text = isPrinted ? await issueKey() : await writeIssuedKey(out, store, issueKey);
  if (isPrinted) process.stdout.write(`${text}\n`);
  process.stderr.write(`key ${(await store.keys.find(text))?.key} issued\n`);
}

/** The file is open before there is a key, and a key that does not come to lie in it is taken back. */
async function writeIssuedKey(out: NamedFile, store: Store, issued: () => Promise<string>): Promise<string> {
  const file = openNamedFile(out);
  let text: string | undefined;
  try {
    const fresh = await issued();
    text = fresh;
    file.write(`${fresh}\n`);
    file.keep();
    return fresh;
  } catch (error) {
    file.drop();
    const key = text === undefined ? undefined : (await store.keys.find(text))?.key;
    if (key !== undefined) await store.keys.revoke(key);
    throw error;
  }
}

async function list(store: Store, { json, quotaZone }: { json?: true; quotaZone: string }): Promise<void> {
  const month = currentMonth(quotaZone);
  const keys: ListedKey[] = [];
  for (const issuedKey of await store.keys.list()) {
    keys.push(toListedKey(issuedKey, await store.usage.used(issuedKey.key, month)));
  }
  if (json) {
    process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
    return;
  }
  const rows = [['ID', 'LABEL', 'ISSUED', 'LIMIT', `USED ${month}`, 'TERMS'], ...keys.map(cells)];
  process.stdout.write(`${alignColumns(rows).join('\n')}\n`);
}

function currentMonth(zone: string): string {
  if (!isTimeZone(zone))
    throw new UsageError(`--quota-zone: "${zone}" is no time zone: give one such as UTC`);
  return new QuotaCalendar(zone).month(Date.now()).name;
}

function toListedKey({ issued, revoked, ...key }: IssuedKey, used: number): ListedKey {
  return {
    ...key,
    issued: new Date(issued).toISOString(),
    revoked: revoked === undefined ? null : new Date(revoked).toISOString(),
    used,
  };
}

function cells(key: ListedKey): string[] {
  const terms = [
    ...(key.hardCap ? ['hard cap'] : []),
    ...(key.burst === undefined ? [] : [`${key.burst} a second${key.shared ? ' and client' : ''}`]),
    ...(key.shared ? ['shared'] : []),
    ...(key.network ? [`${key.network} only`] : []),
    ...(key.revoked === null ? [] : [`revoked ${key.revoked.slice(0, 10)}`]),
  ];
  const { key: id, label, issued, monthlyLimit, used } = key;
  return [
    String(id),
    label || '-',
    issued.slice(0, 10),
    String(monthlyLimit),
    String(used),
    terms.join(', ') || '-',
  ];
}

async function revoke(store: Store, id: string): Promise<void> {
  const key = readWholeNumber(id, 'keys revoke');
  if (!(await store.keys.revoke(key)))
    throw new UsageError(`keys revoke: no key ${key} is in force: see keys list`);
  process.stdout.write(`key ${key} revoked\n`);
}

/** A label is shown in a table: one line, and nothing that a terminal would obey. */
function readLabel(text: string): string {
  if (text.length > longestLabel || /\p{C}/u.test(text)) {
    throw new UsageError(`--label: give at most ${longestLabel} visible characters`);
  }
  return text;
}
