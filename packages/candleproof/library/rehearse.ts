import { version } from '@candleproof/files/package-files';
import { readExpectations } from '@candleproof/rehearse/judging/expectation';
import { writeRehearsal } from '@candleproof/rehearse/page/write-rehearsal';
import { type RehearsalOutcome, rehearseClient } from '@candleproof/rehearse/rehearse';
import { chooseScenarios, scenarios } from '@candleproof/rehearse/scenarios/scenario-catalogue';
import { loadSpec } from './candleproof.ts';

export { UsageError } from '@candleproof/files/usage-error';
export { UnstartableCommand } from '@candleproof/rehearse/playing/command';
export type {
  ClientEnd,
  ClientFinding,
  JudgedClientRule,
  JudgedExpectation,
  PlayedScenario,
  Rehearsal,
  ReportedExchange,
} from '@candleproof/rehearse/rehearsal';
export type { RehearsalOutcome } from '@candleproof/rehearse/rehearse';

export type RehearseOptions = {
  /** The program that is the client, and its arguments; its environment names the double. */
  readonly command: readonly string[];
  /** Ids such as `rate-limited`; all of them by default. */
  readonly scenarios?: readonly string[];
  /** `exit=N`, `stdout=TEXT`, `requests=none` or `requests=some`, for one scenario as `gap:exit=1`. */
  readonly expect?: readonly string[];
  /** The client has to stay within its month. */
  readonly noOverage?: boolean;
  /** Time of the client in each scenario, in seconds; 15 by default. */
  readonly forSeconds?: number;
  /** Scenarios at a time; all of them by default. */
  readonly jobs?: number;
  /** Plain HTTP on loopback instead of HTTPS. */
  readonly http?: boolean;
  /** The seed of the simulated market; 1 by default. */
  readonly seed?: number;
  /** Ends the rehearsal at once: rules broken until then count. */
  readonly signal?: AbortSignal;
};

/** The ids of the scenarios, the control first. */
export const scenarioIds: readonly string[] = scenarios.map(({ id }) => id);

/**
 * Plays a difficult service to a client and judges the client, as `candleproof rehearse` does; prints nothing.
 * Mistakes of the client are in the result, and never thrown.
 * @throws UsageError for options that cannot work, UnstartableCommand for a command that is not there
 */
export async function rehearse(options: RehearseOptions): Promise<RehearsalOutcome> {
  const { command, noOverage = false, forSeconds = 15, http = false, seed = 1, signal, jobs } = options;
  const played = chooseScenarios(options.scenarios ?? []);
  return rehearseClient({
    ...{ command, noOverage, http, seed, version, signal },
    jobs,
    scenarios: played,
    areChosen: (options.scenarios ?? []).length > 0,
    expectations: readExpectations(options.expect ?? [], played),
    forMs: forSeconds * 1000,
    spec: await loadSpec(),
  });
}

/** Writes `rehearsal.json`, `index.html`, `junit.xml` and what the client printed into the folder. */
export function writeRehearsalReports(outcome: RehearsalOutcome, folder: string): void {
  writeRehearsal(outcome, folder);
}
