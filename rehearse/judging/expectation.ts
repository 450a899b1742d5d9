import { wasInFlight } from '../law/in-flight.ts';
import type { Play } from '../law/play.ts';
import type { JudgedExpectation } from '../rehearsal.ts';

/** What a client is expected to do in a scenario. */
export type Expectation = {
  /** Its scenario; absent for all that are meant. */
  readonly scenario?: string;
  readonly what:
    | { readonly exit: number }
    | { readonly stdout: string }
    | { readonly requests: 'none' | 'some' };
};

export const expectationForm =
  'give exit=N, stdout=TEXT, requests=none or requests=some, for one scenario as gap:exit=1';

/** An expectation as it is written: `[SCENARIO:]WHAT`; undefined for anything else. */
export function readExpectation(text: string): Expectation | undefined {
  const [, scenario, name = '', value = ''] = /^(?:([a-z0-9-]+):)?([a-z]+)=(.+)$/s.exec(text) ?? [];
  const what = readWhat(name, value);
  return what && { what, ...(scenario !== undefined && { scenario }) };
}

function readWhat(name: string, value: string): Expectation['what'] | undefined {
  if (name === 'exit' && /^\d{1,3}$/.test(value) && Number(value) <= 255) return { exit: Number(value) };
  if (name === 'stdout') return { stdout: value };
  if (name === 'requests' && (value === 'none' || value === 'some')) return { requests: value };
  return undefined;
}

export function expectationInWords({ what }: Pick<Expectation, 'what'>): string {
  const [[name, value] = []] = Object.entries(what);
  return `${name}=${value}`;
}

/**
 * Was it met? What is expected after wrong data stays open where none was sent; `isWrongData` says that the scenario
 * is about some, and `stdout` is all that the client printed there.
 */
export function judgeExpectation(
  { what }: Expectation,
  play: Play,
  stdout: string,
  isWrongData: boolean,
): JudgedExpectation {
  const written = expectationInWords({ what });
  if (play.exchanges.length === 0)
    return { what: written, outcome: 'unexercised', actual: 'the client sent nothing' };
  if (isWrongData && !play.wrong)
    return { what: written, outcome: 'unexercised', actual: 'the client requested nothing that was wrong' };
  const { met, actual } = look(what, play, stdout);
  if (met === undefined) return { what: written, outcome: 'unexercised', actual };
  return { what: written, outcome: met ? 'passed' : 'failed', actual };
}

type Look = { readonly met: boolean | undefined; readonly actual: string };

function look(what: Expectation['what'], play: Play, stdout: string): Look {
  if ('exit' in what) return exitOf(what.exit, play);
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

function exitOf(code: number, { end }: Play): Look {
  if (end.how === 'exited') return { met: end.code === code, actual: `exit code ${end.code}` };
  if (end.how === 'signalled') return { met: false, actual: `ended by ${end.signal}` };
  return { met: false, actual: 'it was still running' };
}

/** Requests sent in knowledge of wrong data, or of the first answer in the trouble; undefined without either. */
function requestsAfter({ exchanges, wrong, trouble }: Play): number | undefined {
  const first = wrong ?? exchanges.find((exchange) => trouble && exchange.arrived >= trouble.began);
  if (first?.ended === undefined) return undefined;
  const answer = { ...first, ended: first.ended };
  return exchanges.filter((exchange) => exchange.arrived > answer.ended && !wasInFlight(exchange, answer))
    .length;
}
