import { UsageError } from '@candleproof/files/usage-error';
import type { Play } from '../law/client-rule.ts';
import { wasInFlight } from '../law/client-rule.ts';
import type { JudgedExpectation } from '../rehearsal.ts';
import type { ClientScenario } from '../scenarios/scenario.ts';

export type Expectation = {
  /** Id of the scenario; by default, every scenario that it can apply to. */
  readonly scenario?: string;
  readonly what:
    | { readonly exit: number }
    | { readonly stdout: string }
    | { readonly requests: 'none' | 'some' };
};

const expectationHint =
  'give exit=N, stdout=TEXT, requests=none or requests=some, for one scenario as gap:exit=1';

/** Parses `[SCENARIO:]WHAT`; undefined for anything else. */
export function readExpectation(text: string): Expectation | undefined {
  const [, scenario, name = '', value = ''] = /^(?:([a-z0-9-]+):)?([a-z]+)=(.+)$/s.exec(text) ?? [];
  const what = readWhat(name, value);
  return what && { what, scenario };
}

function readWhat(name: string, value: string): Expectation['what'] | undefined {
  if (name === 'exit' && /^\d{1,3}$/.test(value) && Number(value) <= 255) return { exit: Number(value) };
  if (name === 'stdout') return { stdout: value };
  if (name === 'requests' && (value === 'none' || value === 'some')) return { requests: value };
  return undefined;
}

/** Formats an expectation as it is given, without its scenario. */
function formatExpectation({ what }: Pick<Expectation, 'what'>): string {
  const [[name, value] = []] = Object.entries(what);
  return `${name}=${value}`;
}

/**
 * Judges an expectation. It is unexercised in a scenario with wrong data (`isWrongData`) if none was sent. `stdout` is
 * all that the client printed in the scenario.
 */
export function judgeExpectation(
  { what }: Expectation,
  play: Play,
  stdout: string,
  isWrongData: boolean,
): JudgedExpectation {
  const written = formatExpectation({ what });
  if (play.exchanges.length === 0)
    return { what: written, outcome: 'unexercised', actual: 'the client sent nothing' };
  if (isWrongData && !play.wrong)
    return { what: written, outcome: 'unexercised', actual: 'the client requested nothing that was wrong' };
  const { met, actual } = evaluate(what, play, stdout);
  if (met === undefined) return { what: written, outcome: 'unexercised', actual };
  return { what: written, outcome: met ? 'passed' : 'failed', actual };
}

type Evaluation = { readonly met: boolean | undefined; readonly actual: string };

function evaluate(what: Expectation['what'], play: Play, stdout: string): Evaluation {
  if ('exit' in what) return evaluateExit(what.exit, play);
  if ('stdout' in what) {
    const met = stdout.includes(what.stdout);
    return { met, actual: met ? 'it stands in stdout' : 'it does not stand in stdout' };
  }
  const later = requestsAfter(play);
  if (later === undefined) return { met: undefined, actual: 'no trouble came about' };
  return {
    met: later > 0 === (what.requests === 'some'),
    actual: `${later} ${later === 1 ? 'request' : 'requests'}`,
  };
}

function evaluateExit(code: number, { end }: Play): Evaluation {
  if (end.how === 'exited') return { met: end.code === code, actual: `exit code ${end.code}` };
  if (end.how === 'signalled') return { met: false, actual: `ended by ${end.signal}` };
  return { met: false, actual: 'it was still running' };
}

/** Counts requests sent after the client knew wrong data or the trouble's first answer; undefined without either. */
function requestsAfter({ exchanges, wrong, trouble }: Play): number | undefined {
  const first = wrong ?? exchanges.find((exchange) => trouble && exchange.arrived >= trouble.began);
  if (first?.ended === undefined) return undefined;
  const answer = { ...first, ended: first.ended };
  return exchanges.filter((exchange) => exchange.arrived > answer.ended && !wasInFlight(exchange, answer))
    .length;
}

/** Reads expectations, each about a scenario that is played. Throws a UsageError. */
export function readExpectations(
  texts: readonly string[],
  played: readonly ClientScenario[],
): readonly Expectation[] {
  return texts.map((text) => {
    const expectation = readExpectation(text);
    if (!expectation) throw new UsageError(`--expect: "${text}" is none: ${expectationHint}`);
    const { scenario } = expectation;
    if (scenario !== undefined && !played.some(({ id }) => id === scenario))
      throw new UsageError(`--expect: the scenario "${scenario}" is not played: name it with --scenario too`);
    return expectation;
  });
}
