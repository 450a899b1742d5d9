import { troubleOf } from '../../conformance/run/trouble.ts';
import { lightPath } from '../../contract/document/operation.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { quotaOf, type WholeQuota } from '../../contract/reading/quota.ts';
import { UsageError } from '../../files/usage-error.ts';
import type { Bulk } from '../../http/ledger/reservation.ts';
import type { LoadPlan } from '../../load/load-plan.ts';
import type { LoadFigures, LoadPart, LoadRun, LoadTrial } from '../../load/load-run.ts';
import type { LoadMessage } from '../../load/messages.ts';
import { figuresOf } from '../../load/summary.ts';
import { verdictOf } from '../../load/verdict.ts';
import { clientFor } from '../target/client-for.ts';
import type { RemoteTarget } from '../target/target-flags.ts';
import { progressLine } from '../words/progress.ts';
import type { K6 } from './find-k6.ts';
import type { LoadFlags } from './flags.ts';
import { KeptExchanges } from './kept-breaches.ts';
import { openPurse } from './purse.ts';
import { type K6Ended, runK6 } from './run-k6.ts';
import { planOf } from './trial.ts';

export type LoadOptions = {
  readonly spec: Spec;
  readonly k6: K6;
  readonly target: RemoteTarget;
  readonly trial: Omit<LoadTrial, 'mix'>;
  readonly flags: LoadFlags;
  readonly isEmbedded: boolean;
  readonly stop: AbortSignal;
  /** Hears the bill before anything of it is sent. */
  readonly onBill: (month: WholeQuota | undefined) => void;
};

export type FinishedLoad = { readonly run: LoadRun; readonly kept: KeptExchanges };

/** Why nothing was sent beyond the look ahead: nothing may be sent to the target. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** k6 ends so where it refuses the script or its options: nothing was sent. */
const neverBegan = new Set([104, 107]);

/** One load run: a look ahead, a grant, k6, the books. Throws Unreachable and UsageError before anything else is sent. */
export async function runLoad(options: LoadOptions): Promise<FinishedLoad> {
  return granted(options, async (plan, bulk) => {
    const { outcome, quota, sent } = await send(options, plan);
    const { trial, flags } = options;
    await bulk?.end(flags.segment || sent === undefined ? 0 : trial.bill - sent, quota);
    return outcome;
  });
}

/** The plan of a load that somebody else will send, its whole bill booked. Throws as runLoad does. */
export function planLoad(options: LoadOptions): Promise<LoadPlan> {
  return granted(options, async (plan, bulk) => {
    await bulk?.end(0, undefined);
    return plan;
  });
}

async function granted<T>(
  options: LoadOptions,
  work: (plan: LoadPlan, bulk: Bulk | undefined) => Promise<T>,
): Promise<T> {
  const { spec, target, trial, flags, isEmbedded } = options;
  const purse = await openPurse(target, { isEmbedded, scale: flags.scale ?? 1 });
  const client = clientFor(target, { timeout: flags.timeout });
  try {
    const path = lightPath(spec, target.facts, Math.floor(Date.now() / 1000));
    if (path === undefined) throw new Unreachable('there is no pool to ask for');
    const look = await purse.look(client, path);
    const trouble = troubleOf(look);
    if (trouble !== undefined) throw new Unreachable(trouble);
    const month = quotaOf(spec.quota, look);
    options.onBill(month);
    // Another machine's part is on the bill of the one that booked it.
    const bulk = flags.granted === undefined ? await purse.grant(trial.bill, month) : undefined;
    return await work(planOf(trial, target, flags, { spec, look, month }), bulk);
  } finally {
    await client.close();
    await purse.close();
  }
}

type Sent = {
  readonly outcome: FinishedLoad;
  readonly quota: LoadFigures['quota'] | undefined;
  /** Undefined where nobody knows: all of the bill may have been sent. */
  readonly sent: number | undefined;
};

async function send(options: LoadOptions, plan: LoadPlan): Promise<Sent> {
  const { k6, target, flags, stop } = options;
  const { trial } = plan;
  const kept = new KeptExchanges(target.apiKey);
  const progress = progressLine(process.stderr);
  const seen: { startedAt?: number; protocol?: string } = {};
  const onMessage = (message: LoadMessage): void => {
    if (message.kind === 'breach') kept.keep(message);
    else if (message.kind === 'progress') progress.show(`${message.sent} of ${trial.bill} requests`);
    else Object.assign(seen, { startedAt: message.startedAt, protocol: message.protocol });
  };
  const startedAt = new Date();
  const ended = await runK6({
    k6,
    plan,
    apiKey: target.apiKey,
    ca: target.ca,
    segment: flags.segment,
    onMessage,
    stop,
  });
  progress.clear();
  if (!ended.run && ended.code !== null && neverBegan.has(ended.code))
    throw new UsageError(`load: k6 did not begin: ${ended.complaints[0] ?? `it ended with ${ended.code}`}`);
  const figures = ended.run?.figures ?? nothingCounted();
  const part = partOf(options, ended, { startedAt, seen });
  const how = howItEnded(ended, stop.aborted);
  const facts = { trial, parts: [part], figures, ...(how && { ended: how }) };
  const run: LoadRun = { format: 1, ...facts, ...verdictOf(facts) };
  return { outcome: { run, kept }, quota: figures.quota, sent: ended.run && figures.sent };
}

function howItEnded({ run }: K6Ended, isStopped: boolean): LoadRun['ended'] {
  if (!run) return 'killed';
  return run.ended ?? (isStopped ? 'interrupted' : undefined);
}

function partOf(
  { k6, flags: { segment } }: LoadOptions,
  { run, cpu, memory }: K6Ended,
  { startedAt, seen }: { startedAt: Date; seen: { startedAt?: number; protocol?: string } },
): LoadPart {
  return {
    ...run?.parts[0],
    ...(segment && { segment: `${segment.index}/${segment.of}` }),
    k6: k6.version,
    ...(seen.protocol !== undefined && { protocol: seen.protocol }),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { endedAtMemory: memory }),
    startedAt: new Date(seen.startedAt ?? startedAt).toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

function nothingCounted(): LoadFigures {
  return figuresOf({ metrics: {} }, []);
}
