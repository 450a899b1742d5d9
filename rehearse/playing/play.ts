import type { Requested } from '../../contract/document/requested.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { Distortion } from '../../service/api/distortion.ts';
import type { ServerCertificate } from '../../service/certificate.ts';
import { type RunningService, startService } from '../../service/start.ts';
import { type HeardExchange, isGood, pathOfTarget, type WholeExchange } from '../heard.ts';
import type { Play } from '../law/play.ts';
import type { ClientScenario, Staging } from '../scenarios/scenario.ts';
import type { TroubleSpan } from '../scenarios/trouble.ts';
import { environmentSecrets, shownCommand } from '../shown-command.ts';
import { type CommandEnd, mostKept, runCommand } from './command.ts';
import { clientEnvironment, type TrustFiles } from './environment.ts';
import { DoubleRecorder } from './recorder.ts';
import { requestedBy } from './requested.ts';

/** What all scenarios of a rehearsal have in common. */
export type PlayStage = {
  readonly spec: Spec;
  readonly command: readonly string[];
  readonly forMs: number;
  readonly seed: number;
  readonly historyDays?: number;
  readonly noOverage: boolean;
  readonly http: boolean;
  readonly certificate: ServerCertificate;
  readonly trust: TrustFiles;
  readonly signal?: AbortSignal | undefined;
  readonly isEnough?: (soFar: Play) => boolean;
};

/** A play, and what the client printed, without the key. */
export type PlayedCommand = { readonly play: Play; readonly stdout: string; readonly stderr: string };

/** Plain HTTP is served as HTTPS is. */
const plainHttp: Distortion = { plainHttp: () => true };

/** Starts a double for the scenario, and the client beside it; both are gone afterwards. Throws UnstartableCommand. */
export async function playScenario(
  scenario: ClientScenario,
  stage: PlayStage,
  pace?: number,
): Promise<PlayedCommand> {
  const atZero = Date.now() - performance.now();
  const now = (): number => atZero + performance.now();
  let epoch = now();
  const recorder = new DoubleRecorder(() => now() - epoch, stage.spec.keyHeader ?? 'authorization');
  const staging = scenario.stage();
  const double = await startDouble(staging, stage, now, recorder);
  try {
    recorder.conceal(double.apiKey);
    for (const each of [...shownCommand(stage.command).secrets, ...environmentSecrets(process.env)])
      recorder.concealOwn(each);
    const env = clientEnvironment(double, stage.trust, stage.http);
    epoch = now();
    const playAt = (end: CommandEnd, ended: number): Play =>
      playOf(scenario, staging, stage, { end, ended, epoch, exchanges: recorder.exchanges() });
    const enough = whenEnough(stage, () => playAt({ how: 'cut' }, now() - epoch));
    const signals = [enough.signal, stage.signal].filter((each) => each !== undefined);
    const run = await runCommand({ ...stage, env, signal: AbortSignal.any(signals) }).finally(enough.dispose);
    const play = playAt(run.end, run.lived);
    const kept = (text: string): string => recorder.redacted(text).slice(0, mostKept);
    return {
      play: pace === undefined ? play : { ...play, pace },
      stdout: kept(run.stdout),
      stderr: kept(run.stderr),
    };
  } finally {
    await double.close();
  }
}

function startDouble(
  { quota, faults = [], distortion, trouble }: Staging,
  { seed, historyDays, http, certificate }: PlayStage,
  now: () => number,
  recorder: DoubleRecorder,
): Promise<RunningService> {
  const troubles = [distortion, trouble?.distortion, http ? plainHttp : undefined];
  return startService({
    seed,
    faults,
    now,
    certificate,
    ephemeral: true,
    ...(historyDays !== undefined && { historyDays }),
    ...(quota && { quota }),
    troubles: troubles.filter((trouble) => trouble !== undefined),
    witness: (seen) => recorder.hear(seen),
  });
}

/** How often (ms) it is looked whether what was played is enough. */
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
  readonly exchanges: readonly HeardExchange[];
};

function playOf(
  scenario: ClientScenario,
  { trouble, quota }: Staging,
  { spec, noOverage }: PlayStage,
  { end, ended, epoch, exchanges }: Facts,
): Play {
  const requested = requestedBy(spec, exchanges);
  const span = spanSince(trouble?.span(), epoch);
  const wrong = wrongIn(scenario, exchanges, requested);
  return {
    spec,
    exchanges,
    requested,
    epoch,
    ...(span && { trouble: span }),
    isUnmet: quota === undefined && span === undefined,
    ...(wrong && { wrong }),
    end,
    ended,
    noOverage,
  };
}

function spanSince(span: TroubleSpan | undefined, epoch: number): TroubleSpan | undefined {
  if (!span) return undefined;
  const { began, ended, tells } = span;
  return { tells, began: began - epoch, ...(ended !== undefined && { ended: ended - epoch }) };
}

function wrongIn(
  { isWrong }: ClientScenario,
  exchanges: readonly HeardExchange[],
  requested: ReadonlyMap<number, Requested>,
): WholeExchange | undefined {
  const good = exchanges.filter(isGood).filter(({ status }) => status === 200);
  return good.find((each, at) => {
    const meant = requested.get(each.number);
    const before = good.slice(0, at).filter((one) => pathOfTarget(one) === pathOfTarget(each));
    return meant !== undefined && isWrong?.(meant, each, before) === true;
  });
}
