import { createTargetClient, retryPause } from '@candleproof/check/target/client';
import { quotaReader, type Target } from '@candleproof/check/target/target';
import { monthOf } from '@candleproof/client/ledger/account';
import type { WithoutLedger } from '@candleproof/client/ledger/books';
import { accountId, LedgerUnavailable } from '@candleproof/client/ledger/ledger-store';
import { type LedgerPlace, type Ledgers, openLedgers } from '@candleproof/client/ledger/ledgers';
import { Redaction } from '@candleproof/client/secrets/redaction';
import { contextTrusting } from '@candleproof/client/send/agents';
import type { Baseline } from '@candleproof/law/judge/baseline';
import { usualShares } from '@candleproof/law/planning/allowance';
import type { KeyFacts } from '../plan/plan.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';

/** A target to watch. */
export type MonitoredTarget = Target & {
  readonly baseline?: Baseline;
};

export type OpenedTargets = {
  readonly targets: ReadonlyMap<string, WatchedTarget>;
  /** Returns the facts of the keys at an instant (Unix ms). */
  keys(now: number): Promise<readonly KeyFacts[]>;
  close(): Promise<void>;
};

type TargetOptions = {
  readonly ledger: LedgerPlace;
  /** Longest wait for an answer, in ms. */
  readonly timeout: number;
  /** Slots may go beyond what the keys' months leave. */
  readonly allowOverage?: boolean | undefined;
  /** Called when the ledger's database is lost and when it is back; the probes go on meanwhile. */
  readonly withoutLedger?: WithoutLedger | undefined;
};

/**
 * Opens the ledger and returns the targets for probes, with their keys' accounts.
 * @throws LedgerUnavailable
 */
export async function openTargets(
  targets: readonly MonitoredTarget[],
  options: TargetOptions,
): Promise<OpenedTargets> {
  const [first] = targets;
  const readQuota = first ? quotaReader(first) : () => undefined;
  const { ledger, withoutLedger: without = unnoticed } = options;
  const ledgers = await openLedgers(ledger, { readQuota, without });
  const reached = new Map(
    targets.map((target) => [target.facts.name, openTarget(target, targets, ledgers, options)]),
  );
  return {
    targets: reached,
    keys: (now) => readKeyFacts(targets, reached, now),
    close: () => closeLedgers(ledgers),
  };
}

const unnoticed: WithoutLedger = { onAway: () => undefined, onBack: () => undefined };

/** Closes the ledgers; if one cannot be written now, reservations count as spent for a while. */
async function closeLedgers(ledgers: Ledgers): Promise<void> {
  try {
    await ledgers.close();
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
  }
}

function openTarget(
  target: MonitoredTarget,
  targets: readonly MonitoredTarget[],
  ledgers: Ledgers,
  options: TargetOptions,
): WatchedTarget {
  const { facts, apiKey, ca, terms, words, baseline } = target;
  // Made once: reading all roots and learning a key costs time and memory, and a client for each probe needs the same.
  const trust = ca === undefined ? undefined : contextTrusting(ca);
  const redaction = new Redaction();
  return {
    facts: { ...facts, soleUser: false },
    ...(apiKey !== undefined && {
      key: {
        name: accountName(target, targets),
        text: apiKey,
        shares: terms?.shares ?? usualShares,
        isShared: terms?.isShared ?? false,
        allowOverage: options.allowOverage ?? false,
        // The embedded service gives each run a new key, so its account would never be read again.
        ...(facts.name !== 'local' && { account: ledgers.account(accountId(facts.baseUrl, apiKey)) }),
      },
    }),
    baseline,
    words,
    ownAuthority: ca !== undefined,
    mayReset: (target.network ?? (target.isLoopback ? 'testnet' : 'mainnet')) === 'testnet',
    connect: () => createTargetClient(target, { timeout: options.timeout, trust, redaction }),
    pauseMs: retryPause(target),
    patienceMs: options.timeout,
  };
}

/** Names an account by its key, and by its target too if the key is used at several addresses, counted separately. */
function accountName({ facts, terms }: MonitoredTarget, targets: readonly MonitoredTarget[]): string {
  const key = terms?.name;
  if (key === undefined) return facts.name;
  const addresses = new Set(
    targets.filter((target) => target.terms?.name === key).map((target) => target.facts.baseUrl),
  );
  return addresses.size > 1 ? `${key} at ${facts.name}` : key;
}

async function readKeyFacts(
  targets: readonly MonitoredTarget[],
  reached: OpenedTargets['targets'],
  now: number,
): Promise<readonly KeyFacts[]> {
  const keyed = [...reached].flatMap(([target, { key }]) => (key ? [{ target, key }] : []));
  const facts: KeyFacts[] = [];
  for (const [name, of] of Map.groupBy(keyed, ({ key }) => key.name)) {
    const [first] = of;
    if (!first) continue;
    const status = await first.key.account?.status(now);
    const account = status && monthOf(status);
    const configured = targets.find((target) => target.facts.name === first.target)?.terms;
    facts.push({
      name,
      ...(configured?.limit !== undefined && { limit: configured.limit }),
      account,
      shares: first.key.shares,
      targets: of.map(({ target }) => target),
    });
  }
  return facts;
}
