import { acceptSpec } from '../conformance/check/accepted-spec.ts';
import { readFurtherKey, readKey } from '../conformance/check/read-key.ts';
import { describeTarget, requirePools } from '../conformance/check/target.ts';
import { formatPools } from '../conformance/check/target-words.ts';
import { chooseLaw } from '../conformance/judging/choose-law.ts';
import {
  type JudgedFiles,
  joinRecordings,
  judgeRecording,
  knownTexts,
  readRecordings,
} from '../conformance/judging/judge-recording.ts';
import type { RunOutcome } from '../conformance/run/run.ts';
import type { PoolsBySpace, Spec } from '../contract/document/spec.ts';
import type { Exchange, TargetFacts } from '../contract/reading/exchange.ts';
import { specFile } from '../files/package-files.ts';
import { readCount, readTimeout, readWholeNumber } from '../files/read-numbers.ts';
import { UsageError } from '../files/usage-error.ts';
import { parseHar } from '../http/har/har.ts';
import { chooseLedgerPlace } from '../http/ledger/ledger-place.ts';

export type { RunOutcome } from '../conformance/run/run.ts';
export { type PoolsBySpace, type Spec, SpecError } from '../contract/document/spec.ts';
export type { Finding, Observation, Outcome, RuleResult, Run, Verdict } from '../contract/judge/verdict.ts';
export type { Level } from '../contract/law/facts.ts';
export type { Exchange, Recording, TargetFacts } from '../contract/reading/exchange.ts';
export { UsageError } from '../files/usage-error.ts';
export { HarError } from '../http/har/har-node.ts';
export { MonthSpent } from '../http/ledger/month-spent.ts';
export { ClientError } from '../http/send/failure.ts';
export { writeReports } from '../reports/files/write-run.ts';

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
  const { checkTarget } = await import('../conformance/check/check-target.ts');
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
