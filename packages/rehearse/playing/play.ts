import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Spec } from '@candleproof/document/spec/spec';
import { type Requested, recognizeRequest } from '@candleproof/law/reading/requested';
import type { ServerCertificate } from '@candleproof/reference-service/certificate';
import { startOnCachedMarket } from '@candleproof/reference-service/embedded';
import type { RunningService, ServiceOptions } from '@candleproof/reference-service/start';
import { type ClientExchange, isGood, targetPath, type WholeExchange } from '../client-exchange.ts';
import type { Play } from '../law/client-rule.ts';
import { environmentSecrets, redactCommand } from '../redact-command.ts';
import type { ClientScenario, Staging, TroubleSpan } from '../scenarios/scenario.ts';
import { type CommandEnd, runCommand } from './command.ts';
import { clientEnvironment, type TrustFiles } from './environment.ts';
import { DoubleRecorder } from './recorder.ts';

export type PlayStage = {
  readonly spec: Spec;
  readonly command: readonly string[];
  readonly forMs: number;
  readonly seed: number;
  readonly noOverage: boolean;
  readonly http: boolean;
  readonly certificate: ServerCertificate;
  readonly trust: TrustFiles;
  /** Folder for the stores of the doubles. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  readonly isEnough?: (soFar: Play) => boolean;
};

/** A scenario's play with the client's output, without the key. */
export type PlayedCommand = {
  readonly scenario: ClientScenario;
  readonly play: Play;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * Runs the client against a double that plays the scenario. `first` is the number of the request with which its trouble
 * begins; by default the scenario's own. Throws UnstartableCommand.
 */
export async function playScenario(
  scenario: ClientScenario,
  stage: PlayStage,
  first?: number,
): Promise<PlayedCommand> {
  const atZero = Date.now() - performance.now();
  const now = (): number => atZero + performance.now();
  let epoch = now();
  const recorder = new DoubleRecorder(() => now() - epoch, stage.spec.keyHeader ?? 'authorization');
  const staging = scenario.stage(first);
  const double = await startDouble(staging, stage, now, recorder);
  try {
    recorder.conceal(double.apiKey);
    for (const secret of [...redactCommand(stage.command).secrets, ...environmentSecrets(process.env)])
      recorder.concealClientSecret(secret);
    const env = clientEnvironment(double, stage.trust);
    epoch = now();
    const makePlayUntil = (end: CommandEnd, ended: number): Play =>
      makePlay(scenario, staging, stage, { end, ended, epoch, exchanges: recorder.exchanges() });
    const enough = whenEnough(stage, () => makePlayUntil({ how: 'cut' }, now() - epoch));
    const signals = [enough.signal, stage.signal].filter((signal) => signal !== undefined);
    const redact = (text: string): string => recorder.redact(text);
    const signal = AbortSignal.any(signals);
    const run = await runCommand({ ...stage, env, signal, redact }).finally(enough.dispose);
    const { end, lived, stdout, stderr } = run;
    return { scenario, play: makePlayUntil(end, lived), stdout, stderr };
  } finally {
    await double.close();
  }
}

function startDouble(
  { quota, faults = [], distortion, trouble }: Staging,
  { seed, http, certificate, folder }: PlayStage,
  now: () => number,
  recorder: DoubleRecorder,
): Promise<RunningService> {
  const troubles = [distortion, trouble?.distortion];
  const options: ServiceOptions & { readonly dataDir: string } = {
    ...{ seed, faults, now, certificate, http },
    dataDir: mkdtempSync(join(folder, 'double-')),
    ephemeral: true,
    quota,
    troubles: troubles.filter((trouble) => trouble !== undefined),
    witness: (seen) => recorder.record(seen),
  };
  return startOnCachedMarket(options);
}

/** Interval (ms) of calls to `isEnough`. */
const lookEvery = 100;

function whenEnough(
  { isEnough }: PlayStage,
  soFar: () => Play,
): { readonly signal: AbortSignal | undefined; dispose(): void } {
  if (!isEnough) return { signal: undefined, dispose: () => {} };
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (isEnough(soFar())) controller.abort();
  }, lookEvery);
  return { signal: controller.signal, dispose: () => clearInterval(timer) };
}

type Facts = {
  readonly end: CommandEnd;
  readonly ended: number;
  readonly epoch: number;
  readonly exchanges: readonly ClientExchange[];
};

function makePlay(
  scenario: ClientScenario,
  { trouble, quota }: Staging,
  { spec, noOverage }: PlayStage,
  { end, ended, epoch, exchanges }: Facts,
): Play {
  const requested = recognizeRequests(spec, exchanges);
  const span = spanSince(trouble?.span(), epoch);
  const wrong = findWrongAnswer(scenario, exchanges, requested);
  return {
    spec,
    exchanges,
    requested,
    epoch,
    trouble: span,
    isUnmet: quota === undefined && span === undefined,
    ...(wrong && { wrong }),
    end,
    ended,
    noOverage,
  };
}

function spanSince(span: TroubleSpan | undefined, epoch: number): TroubleSpan | undefined {
  if (!span) return undefined;
  const { began, ended } = span;
  return { ...span, began: began - epoch, ...(ended !== undefined && { ended: ended - epoch }) };
}

function findWrongAnswer(
  { isWrong }: ClientScenario,
  exchanges: readonly ClientExchange[],
  requested: ReadonlyMap<number, Requested>,
): WholeExchange | undefined {
  const good = exchanges.filter(isGood).filter(({ status }) => status === 200);
  return good.find((answer, at) => {
    const meant = requested.get(answer.number);
    const before = good.slice(0, at).filter((one) => targetPath(one) === targetPath(answer));
    return meant !== undefined && isWrong?.(meant, answer, before) === true;
  });
}

const base = 'https://double.invalid';

/** Returns the request of every exchange by number. Treats HEAD like GET. */
export function recognizeRequests(spec: Spec, exchanges: readonly ClientExchange[]): Map<number, Requested> {
  return new Map(
    exchanges.flatMap(({ number, method, target }) => {
      const url = `${base}${target}`;
      const sent = {
        method: method === 'HEAD' ? 'GET' : method,
        url,
        headers: [],
        credential: 'api-key',
      } as const;
      const requested = recognizeRequest(spec, base, sent);
      return requested ? [[number, requested] as const] : [];
    }),
  );
}
