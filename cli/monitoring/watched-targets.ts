import { createTargetClient, retryPause } from '../../conformance/check/client.ts';
import { quotaReader } from '../../conformance/check/target.ts';
import { UsageError } from '../../files/usage-error.ts';
import { monthOf } from '../../http/ledger/account.ts';
import { accountId } from '../../http/ledger/account-id.ts';
import { LedgerUnavailable } from '../../http/ledger/ledger-unavailable.ts';
import { type Ledgers, openLedgers } from '../../http/ledger/ledgers.ts';
import { Redaction } from '../../http/secrets/redaction.ts';
import { trusting } from '../../http/send/trust.ts';
import type { KeyFacts } from '../../monitors/plan/plan.ts';
import type { WatchedTarget } from '../../monitors/probes/watched-target.ts';
import { TrafficFolder } from '../../monitors/traffic/traffic-folder.ts';
import { usualShares } from '../../planning/allowance.ts';
import { openBaseline, withBaselineOf } from '../baseline/flags.ts';
import { readLedger } from '../database/read-ledger.ts';
import type { RemoteTarget } from '../target/target-flags.ts';

export type Reached = {
  readonly targets: ReadonlyMap<string, WatchedTarget>;
  /** What is known of the keys at an instant (Unix ms). */
  keys(now: number): Promise<readonly KeyFacts[]>;
  close(): Promise<void>;
};

const day = 86_400_000;

type ReachFlags = {
  readonly timeout: number;
  /** Where a monitor keeps what it takes along while the ledger is out of reach; nothing is where it is left out. */
  readonly blockFile?: string | undefined;
};

/** Targets as probes reach them, their keys' accounts in the ledger. Throws LedgerUnavailable, and a UsageError for traffic of another. */
export async function reach(remotes: readonly RemoteTarget[], flags: ReachFlags): Promise<Reached> {
  for (const each of remotes) await refuseOtherTraffic(each);
  const [first] = remotes;
  const readQuota = first ? quotaReader(first) : () => undefined;
  const { blockFile } = flags;
  const ledgers = await openLedgers(readLedger(first?.configured?.ledger, process.env), {
    readQuota,
    ...(blockFile !== undefined && { blockFile }),
  });
  const targets = new Map(remotes.map((each) => [each.facts.name, watched(each, remotes, ledgers, flags)]));
  return {
    targets,
    keys: (now) => factsOf(remotes, targets, now),
    close: () => closed(ledgers),
  };
}

/** What this process held is given back by the next one where the ledger cannot be written now. */
async function closed(ledgers: Ledgers): Promise<void> {
  try {
    await ledgers.close();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
  }
}

function watched(
  remote: RemoteTarget,
  remotes: readonly RemoteTarget[],
  ledgers: Ledgers,
  flags: ReachFlags,
): WatchedTarget {
  const { facts, apiKey, ca, configured, terms, words } = remote;
  // Made once: reading all roots and learning a key costs time and memory, and a client for each probe needs the same.
  const trust = ca === undefined ? undefined : trusting(ca);
  const redaction = new Redaction();
  const baseline = openBaseline(withBaselineOf(configured, {}), facts);
  return {
    facts: { ...facts, soleUser: false },
    ...(apiKey !== undefined && {
      key: {
        name: accountName(remote, remotes),
        text: apiKey,
        shares: terms?.shares ?? usualShares,
        isShared: terms?.isShared ?? false,
        // The embedded service gives each run a key of its own: nobody would ever look at its account again.
        ...(facts.name !== 'local' && { account: ledgers.account(accountId(facts.baseUrl, apiKey)) }),
      },
    }),
    ...(baseline && { baseline: baseline.known }),
    words,
    ownAuthority: ca !== undefined,
    mayReset: (remote.network ?? (remote.isLoopback ? 'testnet' : 'mainnet')) === 'testnet',
    ...(configured?.traffic && { traffic: new TrafficFolder(configured.traffic.folder, facts.baseUrl) }),
    connect: () => createTargetClient(remote, { ...flags, trust, redaction }),
    pauseMs: retryPause(remote),
    patienceMs: flags.timeout,
  };
}

/** What is not there yet may still come. */
async function refuseOtherTraffic({ configured, facts }: RemoteTarget): Promise<void> {
  if (!configured?.traffic) return;
  const { folder, line } = configured.traffic;
  const mistake = await new TrafficFolder(folder, facts.baseUrl).mistake();
  if (mistake === undefined) return;
  throw new UsageError(`--config: ${configured.place.file}:${line}: traffic: ${mistake}`);
}

/** By its key, and by its target too where the key is used at several addresses: each of them counts for itself. */
function accountName({ facts, terms }: RemoteTarget, remotes: readonly RemoteTarget[]): string {
  const key = terms?.name;
  if (key === undefined) return facts.name;
  const addresses = new Set(
    remotes.filter((each) => each.terms?.name === key).map((each) => each.facts.baseUrl),
  );
  return addresses.size > 1 ? `${key} at ${facts.name}` : key;
}

async function factsOf(
  remotes: readonly RemoteTarget[],
  targets: Reached['targets'],
  now: number,
): Promise<readonly KeyFacts[]> {
  const keyed = [...targets].flatMap(([target, { key }]) => (key ? [{ target, key }] : []));
  const facts: KeyFacts[] = [];
  for (const [name, of] of Map.groupBy(keyed, ({ key }) => key.name)) {
    const [first] = of;
    if (!first) continue;
    const status = await first.key.account?.status(now);
    const account = status && monthOf(status);
    const configured = remotes.find((each) => each.facts.name === first.target)?.terms;
    facts.push({
      name,
      ...(configured?.limit !== undefined && { limit: configured.limit }),
      ...(account && { account }),
      ...(status && status.others > 0 && { others: status.others, othersPerDay: status.othersPace * day }),
      shares: first.key.shares,
      targets: of.map(({ target }) => target),
    });
  }
  return facts;
}
