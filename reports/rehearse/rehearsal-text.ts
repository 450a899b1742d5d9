import type { ClientEnd, ClientFinding, PlayedScenario } from '../../rehearse/rehearsal.ts';
import { plural } from '../words/tally.ts';

export const verdictTitles = {
  conformant: 'Well behaved',
  nonconformant: 'Misbehaves',
  inconclusive: 'Not decided',
} as const;

/** Words a client's end, such as `ended by itself with exit code 0 after 3.1 s`. */
export function describeEnd({ how, code, signal, at }: ClientEnd): string {
  const when = `after ${(at / 1000).toFixed(1)} s`;
  if (how === 'exited') return `ended by itself with exit code ${code} ${when}`;
  if (how === 'signalled') return `ended by ${signal} ${when}`;
  return `cut off ${when}`;
}

/** Words what was expected of the client and what it did, with the request concerned. */
export function describeFinding({ exchanges }: PlayedScenario, finding: ClientFinding): string {
  const { expected, actual, count, exchange } = finding;
  const found = exchanges.find(({ number }) => number === exchange);
  const where = found ? `#${exchange} ${found.method} ${found.target}` : `#${exchange}`;
  return `expected ${expected}; ${actual}${count > 1 ? ` (${count} times)` : ''}: ${where}`;
}

/** A scenario in one line without its name. */
export function describeScenario({ requests, client, reason }: PlayedScenario): string {
  return `${plural(requests, 'request')}, ${describeEnd(client)}: ${reason}`;
}
