import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spec } from '@candleproof/document/spec/spec';
import { createCertificate } from '@candleproof/reference-service/certificate';
import type { ClientExchange } from './client-exchange.ts';
import { type Expectation, judgeExpectation } from './judging/expectation.ts';
import { decideOverallVerdict, decideVerdict, judgePlay } from './judging/judge.ts';
import type { Play } from './law/client-rule.ts';
import { longestSilence } from './law/recovers.ts';
import { writeTrust } from './playing/environment.ts';
import { type PlayedCommand, type PlayStage, playScenario } from './playing/play.ts';
import { redactCommand } from './redact-command.ts';
import type { ClientEnd, ClientFinding, PlayedScenario, Rehearsal, ReportedExchange } from './rehearsal.ts';
import type { ClientScenario } from './scenarios/scenario.ts';

export type RehearsalPlan = {
  readonly spec: Spec;
  readonly version: string;
  readonly command: readonly string[];
  /** Reported in this order. */
  readonly scenarios: readonly ClientScenario[];
  /** True if the caller selected the scenarios individually. */
  readonly areChosen: boolean;
  readonly expectations: readonly Expectation[];
  readonly forMs: number;
  readonly noOverage: boolean;
  readonly http: boolean;
  readonly seed: number;
  /** Scenarios that are played at a time; all of them by default. */
  readonly jobs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Ends a scenario early when it returns true. */
  readonly isEnough?: (soFar: Play) => boolean;
  /** Called before every scenario. */
  readonly onScenario?: (id: string, at: number) => void;
};

/** The result, with the client's output by scenario id. */
export type RehearsalOutcome = {
  readonly rehearsal: Rehearsal;
  readonly printed: ReadonlyMap<string, { readonly stdout: string; readonly stderr: string }>;
};

/**
 * Plays the scenarios to the client, `jobs` at a time, each on a separate double, until the signal aborts. Throws
 * UnstartableCommand.
 */
export async function rehearseClient(plan: RehearsalPlan): Promise<RehearsalOutcome> {
  const startedAt = new Date();
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  try {
    const certificate = await createCertificate();
    const stage: PlayStage = { ...plan, folder, certificate, trust: writeTrust(folder, certificate.caPem) };
    const plays = await playAtPace(plan, stage);
    const late = plays.filter(isTooLate).map(({ scenario }) => scenario);
    const again = await playAll(late, plan, stage, 1);
    const latest = new Map(
      [...plays, ...again].map((playedCommand) => [playedCommand.scenario, playedCommand]),
    );
    const played = plan.scenarios.flatMap((scenario) => latest.get(scenario) ?? []);
    const control = played.find(({ scenario }) => scenario.kind === 'control');
    const pace = control && measurePace(control.play);
    const judged = played.map((one) =>
      judgeScenario(one.scenario, one === control || pace === undefined ? one : withPace(one, pace), plan),
    );
    const printed = new Map(played.map(({ scenario, stdout, stderr }) => [scenario.id, { stdout, stderr }]));
    return { rehearsal: makeRehearsal(plan, judged, startedAt), printed };
  } finally {
    process.off('exit', removeFolder);
    removeFolder();
  }
}

/**
 * Plays all scenarios side by side, but after them, on a processor for each, those that judge how fast a client repeats:
 * many clients beside each other would slow each one down, and hide that it does not wait.
 */
async function playAtPace(plan: RehearsalPlan, stage: PlayStage): Promise<PlayedCommand[]> {
  const { scenarios, jobs = scenarios.length } = plan;
  const processors = availableParallelism();
  const isCrowded = Math.min(jobs, scenarios.length) > processors;
  const paced = isCrowded ? scenarios.filter(({ isPaced }) => isPaced) : [];
  const others = scenarios.filter((scenario) => !paced.includes(scenario));
  const plays = await playAll(others, plan, stage);
  return [...plays, ...(await playAll(paced, { ...plan, jobs: processors }, stage))];
}

/** Plays scenarios side by side, the longest first; returns those that were played to their end. */
async function playAll(
  scenarios: readonly ClientScenario[],
  { jobs = scenarios.length, onScenario, signal }: RehearsalPlan,
  stage: PlayStage,
  first?: number,
): Promise<PlayedCommand[]> {
  const waiting = scenarios.toSorted((one, other) => (other.lasts ?? 0) - (one.lasts ?? 0));
  const played: PlayedCommand[] = [];
  const failed = new AbortController();
  const stop = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !stop.aborted; next = waiting.shift()) {
      onScenario?.(next.id, scenarios.length - waiting.length - 1);
      const one = await playScenario(next, { ...stage, signal: stop }, first);
      if (!stop.aborted) played.push(one);
    }
  };
  // Every client adds a listener for the end of this process.
  process.setMaxListeners(process.getMaxListeners() + jobs);
  const workers = Array.from({ length: Math.min(jobs, scenarios.length) }, () =>
    work().catch((error: unknown) => failed.abort(error)),
  );
  await Promise.all(workers);
  process.setMaxListeners(process.getMaxListeners() - jobs);
  if (failed.signal.aborted) throw failed.signal.reason;
  return played;
}

/** Returns whether a client that was cut off sent too few requests to meet the trouble, which then begins at once. */
function isTooLate({ scenario, play }: PlayedCommand): boolean {
  const { isUnmet, end, exchanges } = play;
  return scenario.kind === 'trouble' && isUnmet && end.how === 'cut' && exchanges.length > 0;
}

function withPace(one: PlayedCommand, pace: number): PlayedCommand {
  return { ...one, play: { ...one.play, pace } };
}

/** Returns the longest pause (ms) of a client, including the one before its end: it may send only once a day. */
function measurePace({ exchanges, ended }: Play): number {
  const last = exchanges.at(-1)?.arrived ?? 0;
  return Math.max(longestSilence(exchanges), exchanges.length < 2 ? ended : 0, ended - last);
}

function judgeScenario(
  scenario: ClientScenario,
  { play, stdout, stderr }: PlayedCommand,
  plan: RehearsalPlan,
): PlayedScenario {
  const { id, title, kind } = scenario;
  const { rules, findings, observations } = judgePlay(play);
  const expectations = plan.expectations
    .filter(
      (expectation) =>
        expectation.scenario === id || (expectation.scenario === undefined && appliesTo(plan, kind)),
    )
    .map((expectation) => judgeExpectation(expectation, play, stdout, kind === 'wrong data'));
  const { trouble, wrong } = play;
  return {
    ...{ id, title, kind },
    ...decideVerdict(scenario, play, { rules, findings, expectations }, stderr),
    requests: play.exchanges.length,
    ...(trouble && {
      trouble: { began: trouble.began, ended: trouble.ended },
    }),
    ...(wrong && { wrong: wrong.number }),
    client: clientEnd(play, stderr),
    ...{ rules, findings, expectations, observations },
    exchanges: selectExchanges(play.exchanges, findings),
    ...((stdout !== '' || stderr !== '') && {
      files: { stdout: `${id}.stdout.txt`, stderr: `${id}.stderr.txt` },
    }),
  };
}

/** Returns whether an expectation without a scenario applies: to all selected scenarios, or else to wrong data. */
function appliesTo({ areChosen }: RehearsalPlan, kind: ClientScenario['kind']): boolean {
  return areChosen || kind === 'wrong data';
}

const mostStderrLines = 8;

function clientEnd({ end, ended, exchanges }: Play, stderr: string): ClientEnd {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const isShown = exchanges.length === 0 && lines.length > 0;
  return { ...end, at: ended, ...(isShown && { stderr: lines.slice(0, mostStderrLines).join('\n') }) };
}

const mostExchanges = 200;

function selectExchanges(
  exchanges: readonly ClientExchange[],
  findings: readonly ClientFinding[],
): ReportedExchange[] {
  const named = new Set(
    findings.flatMap(({ exchange, since }) => (since === undefined ? [exchange] : [exchange, since])),
  );
  return exchanges
    .filter(({ number }) => number <= mostExchanges || named.has(number))
    .map(({ sha256: _sha256, keyPlaces: _places, ...rest }) => rest);
}

/** Returns the verdict of an aborted rehearsal: findings count, but their absence does not. */
function stoppedVerdict(
  scenarios: readonly PlayedScenario[],
  why: string,
): Pick<Rehearsal, 'verdict' | 'reason'> {
  const found = decideOverallVerdict(scenarios, true);
  return found.verdict === 'nonconformant' ? found : { verdict: 'inconclusive', reason: why };
}

function makeRehearsal(
  plan: RehearsalPlan,
  scenarios: readonly PlayedScenario[],
  startedAt: Date,
): Rehearsal {
  const { command, seed, forMs, noOverage, http, version, spec } = plan;
  return {
    ...(plan.signal?.aborted
      ? stoppedVerdict(scenarios, String(plan.signal.reason))
      : decideOverallVerdict(scenarios, plan.areChosen)),
    ...{
      command: redactCommand(command).command,
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
    },
    ...{ seed, forMs, noOverage, http, scenarios },
    versions: { candleproof: version, specSha256: spec.sha256 },
  };
}
