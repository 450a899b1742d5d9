import type {
  ClientEnd,
  ClientFinding,
  JudgedExpectation,
  PlayedScenario,
  Rehearsal,
} from '../../rehearse/rehearsal.ts';
import { makeVisible } from '../words/escape.ts';
import { plural } from '../words/tally.ts';
import { createPaint, foldLine, type Paint, type Tone } from '../words/terminal-text.ts';

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
function describeScenario({ requests, client, reason }: PlayedScenario): string {
  return `${plural(requests, 'request')}, ${describeEnd(client)}: ${reason}`;
}

const tones = { conformant: 'good', nonconformant: 'bad', inconclusive: 'doubtful' } as const;
const marks = { conformant: '✓', nonconformant: '✗', inconclusive: '?' } as const;
/** The result as lines of text, none longer than `width`; nothing of a client's can steer the terminal. */
export function renderRehearsalTerminal(
  { verdict, reason, scenarios }: Rehearsal,
  { colour, width }: { colour: boolean; width: number },
): string {
  const paint = createPaint(colour);
  const line = (text: string): string => foldLine(makeVisible(text), width).join('\n');
  return [
    ...scenarios.flatMap((scenario, at) => [
      ...scenarioLines(scenario, paint, line),
      ...stderrLines(scenario, scenarios.slice(0, at)).map((text) => paint('quiet', line(`    ${text}`))),
    ]),
    '',
    paint(tones[verdict], line(`${marks[verdict]} ${verdictTitles[verdict]}: ${reason}`)),
    '',
  ].join('\n');
}

function scenarioLines(scenario: PlayedScenario, paint: Paint, line: (text: string) => string): string[] {
  const { id, verdict, findings, expectations } = scenario;
  return [
    paint(tones[verdict], line(`${marks[verdict]} ${id}: ${describeScenario(scenario)}`)),
    ...findings.flatMap((finding) => [
      paint(finding.level === 'must' ? 'bad' : 'doubtful', line(`    ${finding.level} ${finding.rule}`)),
      line(`      ${describeFinding(scenario, finding)}`),
    ]),
    ...expectations.map((expectation) =>
      paint(expectedTone(expectation), line(`    expected ${expectation.what}: ${expectation.actual}`)),
    ),
  ];
}

/** Returns the lines that a client printed, or the scenario before in which it printed the same but for digits. */
function stderrLines({ client: { stderr } }: PlayedScenario, before: readonly PlayedScenario[]): string[] {
  if (stderr === undefined) return [];
  const bare = (text = ''): string => text.replaceAll(/\d+/g, '');
  const same = before.find(({ client }) => bare(client.stderr) === bare(stderr));
  if (same) return [`stderr: as in ${same.id}`];
  return stderr
    .replaceAll('\t', '  ')
    .split('\n')
    .map((text) => `stderr: ${text}`);
}

function expectedTone({ outcome }: JudgedExpectation): Tone {
  return outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'doubtful';
}
