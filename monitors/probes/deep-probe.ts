import { runConformance } from '@candleproof/check/run/run';
import type { RunOutcome } from '@candleproof/check/run/run-outcome';
import type { Client } from '@candleproof/client/send/client';
import { applyBaseline } from '@candleproof/law/judge/baseline';
import { judge } from '@candleproof/law/judge/judge';
import type { Judgement } from '@candleproof/law/judge/verdict';
import type { DeepProbe } from '../plan/definition.ts';
import { lateFailure } from './lateness.ts';
import { classify, conclude } from './outcome.ts';
import { emptyRun, type ProbeRun } from './probe-run.ts';
import { formatEvidence, quotaRecords, timedSamples } from './samples.ts';
import type { Doubts } from './self-check.ts';
import { withoutDate } from './server-clock.ts';
import { currentDate, replayCommand, type Watch } from './watch.ts';
import type { WatchedTarget } from './watched-target.ts';

/** Runs that are planned as one, so that they vary what the others do not. Few rhythms are a multiple of five hours. */
const nights = 5;

/** Returns which of these runs a slot is: the hour decides, so that slots take turns. */
function chooseNight(slot: number): { readonly seed: number; readonly nights: number } {
  return { seed: 1 + (Math.floor(slot / 3_600_000) % nights), nights };
}

/** One slot of a deep probe: a conformance run within its budget, as `check` makes it. */
export async function runDeepProbe(requested: DeepSlot, watch: Watch): Promise<ProbeRun> {
  const { probe, target, slot, client, doubts } = requested;
  const { spec, law, version, keepRun } = watch;
  const outcome = await runConformance({
    spec,
    target: target.facts,
    client,
    keys: target.key ? { apiKey: target.key.text } : {},
    ...chooseNight(slot),
    budget: probe.budget,
    catalogue: law,
    ...(target.baseline && {
      baseline: { known: target.baseline, today: currentDate(watch) },
    }),
    replay: replayCommand(target),
    version,
    ownAuthority: target.ownAuthority === true,
    pauseMs: target.pauseMs,
    patienceMs: target.patienceMs,
  });
  const { exchanges } = outcome.recording;
  const kept = keepRun?.(probe, slot, outcome);
  for (const exchange of exchanges) watch.serverClocks.note(probe.target, exchange);
  const seen = judgeInOurTime(outcome, probe, target, watch);
  const row = slotFields(seen, exchanges);
  const isBlamed = row.outcome === 'failed' || row.outcome === 'degraded';
  // Slowness of our host does not excuse the content of an answer.
  const isWrong = row.failure?.phase === 'contract';
  const isUnconnected = ['dns', 'connect', 'tls'].includes(row.failure?.phase ?? '');
  const blame = { isUnconnected, time: lateFailure(exchanges.slice(-1)) };
  const ours = isBlamed && !isWrong ? await doubts(blame) : undefined;
  const [worst] = seen.findings;
  const failing = exchanges[worst?.exchange ?? -1];
  const found = seen.findings.filter(({ exchange }) => exchange === worst?.exchange);
  return {
    ...emptyRun,
    ...(ours === undefined ? row : { outcome: 'unknown' as const, rules: row.rules, reason: ours }),
    // The reason states why nothing was judged, else the folder of the run.
    ...(kept !== undefined && ours === undefined && row.outcome !== 'limited' && { reason: kept }),
    samples: timedSamples(exchanges.map((exchange) => ({ exchange, kind: { confirming: false } }))),
    quotas: exchanges
      .flatMap((exchange) => quotaRecords(watch.spec.quota, exchange, target.key?.name))
      .slice(-1),
    ...(failing && isBlamed && { evidence: formatEvidence(failing, found, findCause(seen)) }),
  };
}

export type DeepSlot = {
  readonly probe: DeepProbe;
  readonly target: WatchedTarget;
  readonly slot: number;
  readonly client: Pick<Client, 'send'>;
  readonly doubts: Doubts;
};

/** Returns the first sentence of a run's report, if it knows a cause of what is new. */
function findCause({ findings, explanations = [] }: Judgement): string | undefined {
  const fresh = new Set(findings.flatMap(({ fingerprint, known }) => (known ? [] : [fingerprint])));
  return explanations.find(({ findings: own }) => own.some((one) => fresh.has(one)))?.sentence;
}

type Row = Pick<ProbeRun, 'outcome' | 'failure' | 'rules' | 'degradedBy' | 'reason'>;

/** Returns a run's conclusion, without its Date if another one knows that it is wrong, or ours. */
function judgeInOurTime(
  { run, recording }: RunOutcome,
  { target: name }: DeepProbe,
  target: WatchedTarget,
  watch: Watch,
): Judgement {
  const clock = watch.serverClocks.targetProblem(name, watch.clock.now());
  if (clock === undefined || clock.whose === 'unknown') return run;
  const timeless = { ...recording, exchanges: recording.exchanges.map(withoutDate) };
  const judged = judge(watch.spec, timeless, { catalogue: watch.law, replay: replayCommand(target) });
  return target.baseline ? applyBaseline(judged, target.baseline, currentDate(watch)) : judged;
}

/** Inconclusive runs are no verdict on the service, unless it was the service that did not answer. */
function slotFields(run: Judgement, exchanges: Parameters<typeof conclude>[0]): Row {
  const isAnswered = exchanges.some((exchange) => classify(exchange) === 'answered');
  if (run.verdict !== 'inconclusive') return conclude([], run.findings, []);
  const last = exchanges.at(-1);
  const end = last && conclude([last], [], []);
  if (!isAnswered && end?.outcome === 'failed') return end;
  const isLimited = exchanges.some(
    ({ request, response }) => response?.status === 429 && request.credential === 'api-key',
  );
  const isShort = run.reasonCode === 'month-short';
  const outcome = isLimited || isShort || end?.outcome === 'limited' ? 'limited' : 'unknown';
  return { outcome, rules: [], reason: run.reason };
}
