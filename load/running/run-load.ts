import {
  appendFileSync,
  closeSync,
  createReadStream,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describeTrouble } from '@candleproof/check/run/sending';
import { createTargetClient } from '@candleproof/check/target/client';
import type { Target } from '@candleproof/check/target/target';
import type { LedgerPlace } from '@candleproof/client/ledger/ledgers';
import type { Bulk } from '@candleproof/client/ledger/reservation';
import { type Redactor, redactorFor } from '@candleproof/client/secrets/redaction';
import { cheapestPath } from '@candleproof/document/spec/operation';
import { UsageError } from '@candleproof/files/usage-error';
import { readSuccessQuota, type WholeQuota } from '@candleproof/law/reading/quota';
import { Counts } from '../counters.ts';
import type { LoadMessage, LoadPlan, LoadRun, LoadSample, LoadSegment, LoadTrial } from '../load-run.ts';
import { readFigures } from '../summary.ts';
import { decideVerdict } from '../verdict.ts';
import type { K6 } from './find-k6.ts';
import type { GeneratorEnded } from './generator.ts';
import { type JudgedLoad, judgeSamples } from './judge-wrong.ts';
import { openLoadBooking } from './load-booking.ts';
import { runEmbedded } from './run-embedded.ts';
import { runK6 } from './run-k6.ts';
import { type LoadChoices, makeLoadPlan } from './trial.ts';

export type LoadOptions = {
  /** Absent if the embedded engine sends the load, or somebody else does. */
  readonly k6?: K6 | undefined;
  readonly target: Target;
  readonly trial: Omit<LoadTrial, 'mix'>;
  readonly choices: LoadChoices;
  /** The service is embedded, and its key has no other user. */
  readonly isEmbedded: boolean;
  /** The ledger of the key; without it, no books are kept. */
  readonly ledger?: LedgerPlace | undefined;
  readonly stop: AbortSignal;
  /** Called with the key's month before anything of the bill is sent. */
  readonly onBill: (month: WholeQuota | undefined) => void;
  readonly onProgress?: (sent: number) => void;
};

/** Says that nothing was sent beyond the first request, since the target cannot be sent anything. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Exit codes of k6 if it refuses the script or its options: nothing was sent. */
const neverBegan = new Set([104, 107]);

/**
 * Runs one load: a first request, a grant, a generator, the books, the judge.
 * @throws Unreachable or UsageError before anything else is sent
 */
export async function runLoad(options: LoadOptions): Promise<JudgedLoad> {
  const { trial, choices, target } = options;
  const samples = new Samples(target.apiKey);
  try {
    const run = await withGrant(options, async (plan, bulk) => {
      const run = await send(options, plan, samples);
      const { sent, quota } = run.figures;
      // All of the bill may have been sent by a generator that was killed.
      await bulk?.end(choices.segment || run.ended === 'killed' ? 0 : trial.bill - sent, quota);
      return run;
    });
    return run.ended === 'killed'
      ? { run, wrong: [] }
      : await judgeSamples(run, target.spec, target.facts, samples.read());
  } finally {
    samples.close();
  }
}

/** Returns the plan of a load that somebody else will send, its whole bill booked. Throws as `runLoad` does. */
export function planLoad(options: LoadOptions): Promise<LoadPlan> {
  return withGrant(options, async (plan, bulk) => {
    await bulk?.end(0, undefined);
    return plan;
  });
}

async function withGrant<T>(
  options: LoadOptions,
  work: (plan: LoadPlan, bulk: Bulk | undefined) => Promise<T>,
): Promise<T> {
  const { target, trial, choices, isEmbedded, ledger } = options;
  const { spec } = target;
  const { scale = 1, allowOverage } = choices;
  const booking = await openLoadBooking(target, { isEmbedded, scale, ledger, allowOverage });
  const client = createTargetClient(target, { timeout: choices.timeout });
  try {
    const path = cheapestPath(spec, target.facts, Math.floor(Date.now() / 1000));
    if (path === undefined) throw new Unreachable('there is no pool to ask for');
    const look = await booking.look(client, path);
    const trouble = describeTrouble(look);
    if (trouble !== undefined) throw new Unreachable(trouble);
    const month = readSuccessQuota(spec.quota, look);
    options.onBill(month);
    // Another machine's segment is on the bill of the one that booked it.
    const bulk = choices.granted === undefined ? await booking.grant(trial.bill, month) : undefined;
    return await work(makeLoadPlan(trial, target, choices, { look, month }), bulk);
  } finally {
    await client.close();
    await booking.close();
  }
}

type Seen = { startedAt?: number; protocol?: string };

async function send(options: LoadOptions, plan: LoadPlan, samples: Samples): Promise<LoadRun> {
  const { k6, target, choices, stop } = options;
  const { trial } = plan;
  const seen: Seen = {};
  const onMessage = (message: LoadMessage): void => {
    if (message.kind === 'sample') samples.add(message);
    else if (message.kind === 'progress') options.onProgress?.(message.sent);
    else Object.assign(seen, { startedAt: message.startedAt, protocol: message.protocol });
  };
  const startedAt = Date.now();
  const { apiKey, ca } = target;
  const generated = { plan, apiKey, ca, segment: choices.segment, onMessage, stop };
  const ended = await (k6 ? runK6({ ...generated, k6 }) : runEmbedded(generated));
  if (k6 && !ended.run && ended.code !== null && neverBegan.has(ended.code))
    throw new UsageError(`load: k6 did not begin: ${ended.complaints[0] ?? `it ended with ${ended.code}`}`);
  const figures = ended.run?.figures ?? readFigures(new Counts());
  const segment = makeSegment(options, ended, { startedAt, ...seen });
  const how = ended.run ? (ended.run.ended ?? (stop.aborted ? 'interrupted' : undefined)) : 'killed';
  const facts = { trial, parts: [segment], figures, ended: how };
  return { format: 1, ...facts, ...decideVerdict(facts) };
}

function makeSegment(
  { k6, choices: { segment } }: LoadOptions,
  { run, cpu, memory }: GeneratorEnded,
  { startedAt, protocol }: Required<Pick<Seen, 'startedAt'>> & Seen,
): LoadSegment {
  return {
    ...run?.parts[0],
    ...(segment && { segment: `${segment.index}/${segment.of}` }),
    engine: k6 ? `k6 ${k6.version}` : 'embedded',
    ...(protocol !== undefined && { protocol }),
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { endedAtMemory: memory }),
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date().toISOString(),
  };
}

/** Bytes on the disk for the samples of one load; further ones are not judged. */
const mostBytes = 1024 * 1024 * 1024;

/** The sampled answers of a load with the key taken out, in a private file until the load has ended. */
export class Samples {
  readonly #clean: Redactor;
  readonly #folder = mkdtempSync(join(tmpdir(), 'candleproof-samples-'));
  readonly #file = join(this.#folder, 'samples');
  readonly #descriptor = openSync(this.#file, 'wx', 0o600);
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });
  #bytes = 0;

  constructor(apiKey: string | undefined) {
    this.#clean = redactorFor(apiKey === undefined ? [] : [{ credential: 'api-key', text: apiKey }]);
    process.once('exit', this.#remove);
  }

  add({ index, exchange }: LoadSample): void {
    if (this.#bytes > mostBytes) return;
    const sample: LoadSample = { index, exchange: this.#clean(exchange) };
    const line = Buffer.from(`${JSON.stringify(sample)}\n`);
    try {
      appendFileSync(this.#descriptor, line);
      this.#bytes += line.length;
    } catch {
      // The disk is full; the samples before are whole.
      ftruncateSync(this.#descriptor, this.#bytes);
      this.#bytes = Number.POSITIVE_INFINITY;
    }
  }

  /** Reads the samples one by one. */
  async *read(): AsyncGenerator<LoadSample> {
    for await (const line of createInterface({ input: createReadStream(this.#file) }))
      yield JSON.parse(line) as LoadSample;
  }

  /** Removes the file. */
  close(): void {
    closeSync(this.#descriptor);
    this.#remove();
    process.off('exit', this.#remove);
  }
}
