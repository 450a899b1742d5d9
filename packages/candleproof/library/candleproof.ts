import {
  type JudgedFiles,
  joinRecordings,
  judgeRecording,
  knownTexts,
  readRecordings,
} from '@candleproof/check/judging/judge-recording';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { readFurtherKey, readKey } from '@candleproof/check/target/read-key';
import { describeTarget, requirePools } from '@candleproof/check/target/target';
import { formatPools } from '@candleproof/check/target/target-description';
import { parseHar } from '@candleproof/client/har/har';
import { chooseLedgerPlace } from '@candleproof/client/ledger/ledger-place';
import type { PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { specFile } from '@candleproof/files/package-files';
import { readCount, readTimeout, readWholeNumber } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { chooseLaw } from './choose-law.ts';

export type { RunOutcome } from '@candleproof/check/run/run-outcome';
export { HarError } from '@candleproof/client/har/har-node';
export { MonthSpent } from '@candleproof/client/ledger/ledger-store';
export { ClientError } from '@candleproof/client/send/failure';
export { type PoolsBySpace, type Spec, SpecError } from '@candleproof/document/spec/spec';
export { UsageError } from '@candleproof/files/usage-error';
export type { Finding, Observation, Outcome, RuleResult, Run, Verdict } from '@candleproof/law/judge/verdict';
export type { Exchange, Recording, TargetFacts } from '@candleproof/law/reading/exchange';
export type { Level } from '@candleproof/law/rules/facts';
export { writeReports } from './write-run.ts';

/** The law to judge by. */
export type Law = {
  /** The document; the package's by default. */
  readonly spec?: Spec;
  /** Ids or groups of rules, such as `candle` or `rollup/volume-is-summed`; all of them by default. */
  readonly only?: readonly string[];
};

/** The choices for traffic that others recorded. */
export type Recorded = Law & Omit<JudgedFiles, 'files'>;

/** The address of an API, and its access. */
export type TargetOptions = {
  /** https, without user, query and fragment. */
  readonly baseUrl: string;
  /** Sent to the base URL's origin alone, and in no report; omitted only for a keyless target. */
  readonly apiKey?: string;
  /** Keys of the document's further security schemes, by their names. */
  readonly furtherKeys?: Readonly<Record<string, string>>;
  /** PEM of an authority to trust besides those that Node trusts. */
  readonly ca?: string;
  readonly poolsV1?: readonly number[];
  readonly poolsV2?: readonly number[];
  /** By their spaces in the document, if it is another one: see `spec`. */
  readonly pools?: PoolsBySpace;
  /** The target needs no key. */
  readonly keyless?: boolean;
  /** `idle` if intervals that were not observed may be missing. */
  readonly gaps?: 'none' | 'idle';
  /** Others use the key too: its counters may move by more than our requests. */
  readonly sharedKey?: boolean;
  /** Requests may go beyond what the key's month leaves, which may be billed. */
  readonly allowOverage?: boolean;
};

export type CheckOptions = TargetOptions &
  Law & {
    /** Most requests, asking again included; the plan, at most 48, and 12 more by default. */
    readonly budget?: number;
    /** Longest wait for one answer, in milliseconds; 10,000 by default. */
    readonly timeoutMs?: number;
    /** Repeats a run with the same choices; random by default. */
    readonly seed?: number;
    /** Variables of a proxy, of further keys and of the ledger; those of the process by default. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    /** Ends the run at once: its answers so far are judged, and its verdict is never conformant. */
    readonly signal?: AbortSignal;
  };

/**
 * Reads the document at `file`, or the package's, and applies OpenAPI Overlays to it. Linters that are optional peers
 * have to accept it if they are installed.
 * @throws SpecError naming file and line for one that is unsound
 */
export function loadSpec(file: string = specFile, overlays: readonly string[] = []): Promise<Spec> {
  return acceptSpec({ file, overlays });
}

/**
 * Judges recordings (HAR 1.2, or a zip of one with its bodies) as `candleproof judge` does; sends nothing.
 * @throws HarError, or UsageError if no request in them is for any operation of the document
 */
export async function judgeFiles(files: readonly string[], how: Recorded = {}): Promise<RunOutcome> {
  const { spec, law, given } = await readOptions(files, how);
  return judgeRecording(spec, readRecordings(spec, given), { law, given });
}

/**
 * Judges one recording in memory, as text or parsed; sends nothing.
 * @param name names the recording in messages and commands
 * @throws HarError, or UsageError if no request in it is for any operation of the document
 */
export async function judgeHar(
  har: string | object,
  how: Recorded = {},
  name = 'recording.har',
): Promise<RunOutcome> {
  const { spec, law, given } = await readOptions([name], how);
  const read = parseHar(typeof har === 'string' ? har : JSON.stringify(har), name, knownTexts(spec));
  return judgeRecording(spec, joinRecordings(spec, [read], given), { law, given });
}

/** Judges exchanges with one target, in the order of sending; sends nothing. Secrets in them are the caller's care. */
export async function judgeExchanges(
  target: TargetFacts,
  exchanges: readonly Exchange[],
  how: Law = {},
): Promise<RunOutcome> {
  const { spec, law, given } = await readOptions(['recording.har'], how);
  const entries = { recorded: exchanges.length, judged: exchanges.length, skipped: [] };
  return judgeRecording(spec, { recording: { target, seed: 0, exchanges }, entries }, { law, given });
}

/**
 * One conformance run, as `candleproof check` makes it: at most 60 requests by default, 5 a second away from loopback.
 * A target's faults are findings of the outcome, and never thrown.
 * @throws UsageError or ClientError for options that cannot work
 */
export async function check(options: CheckOptions): Promise<RunOutcome> {
  const { baseUrl, poolsV1, poolsV2, pools, keyless, gaps, sharedKey, furtherKeys = {} } = options;
  const { env = process.env } = options;
  // A variable that is not set must not be green about another service.
  if (baseUrl === undefined)
    throw new UsageError(
      'baseUrl: it is undefined: set the variable that it comes from, or start a service to check',
    );
  const isBySpace = typeof pools === 'object' && pools !== null && !Array.isArray(pools);
  if (pools !== undefined && !(isBySpace && Object.values(pools).every(Array.isArray)))
    throw new UsageError("pools: give lists by the space of the document, such as { pools: ['BTCUSDT'] }");
  for (const [name, ids] of Object.entries({ poolsV1, poolsV2 }))
    if (ids !== undefined && !Array.isArray(ids))
      throw new UsageError(`${name}: give a list of numbers, such as [1, 2]`);
  const described = {
    baseUrl,
    poolsV1,
    poolsV2,
    ...(pools && { pools: formatPools(pools) }),
    ...(options.spec && { spec: options.spec.file, overlay: options.spec.overlays ?? [] }),
    ...(keyless && { keyless }),
    gaps,
    ...(sharedKey && { sharedKey }),
  };
  const target = describeTarget(undefined, described, {
    apiKey: () => readKey(described, { CANDLEPROOF_API_KEY: options.apiKey }),
    furtherKey: (scheme) => furtherKeys[scheme] ?? readFurtherKey(scheme, env),
    ca: () => options.ca,
    proxyEnv: env,
  });
  const { only, signal, allowOverage } = options;
  const numbers = readNumbers(options);
  const law = chooseLaw(only);
  if (!only) requirePools(target, 'check');
  const { checkTarget } = await import('@candleproof/check/target/check-target');
  await acceptSpec(target.spec);
  return checkTarget(target, {
    ...{ ...numbers, law, ledger: chooseLedgerPlace(target, env), allowOverage },
    stop: signal,
  });
}

/** Reads numbers as the flags of the same names are read. */
function readNumbers({ budget, seed, timeoutMs = 10_000 }: CheckOptions) {
  return {
    timeout: readTimeout(String(timeoutMs), 'timeoutMs'),
    ...(budget !== undefined && { budget: readWholeNumber(String(budget), 'budget') }),
    ...(seed !== undefined && { seed: readCount(String(seed), 'seed') }),
  };
}

async function readOptions(files: readonly string[], { spec, only, ...recorded }: Recorded) {
  const given: JudgedFiles = { files, ...recorded };
  return { spec: spec ?? (await loadSpec()), law: chooseLaw(only), given };
}

/** Says where `observe` is: it starts a thread, which other callers never need. */
export function observe(..._given: readonly unknown[]): never {
  throw new UsageError("observe: import it from 'candleproof/observe'");
}

/** Says where `rehearse` is. */
export function rehearse(..._given: readonly unknown[]): never {
  throw new UsageError("rehearse: import it from 'candleproof/rehearse'");
}
