import type { JudgedExpectation, PlayedScenario, Rehearsal } from '../../rehearse/rehearsal.ts';
import { makeVisible } from '../words/escape.ts';
import { createPaint, foldLine, type Paint, type Tone } from '../words/terminal-text.ts';
import { describeFinding, describeScenario, verdictTitles } from './rehearsal-text.ts';

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
    ...scenarios.flatMap((each) => scenarioLines(each, paint, line)),
    '',
    paint(tones[verdict], line(`${marks[verdict]} ${verdictTitles[verdict]}: ${reason}`)),
    '',
  ].join('\n');
}

function scenarioLines(scenario: PlayedScenario, paint: Paint, line: (text: string) => string): string[] {
  const { id, verdict, findings, expectations, client } = scenario;
  const stderr = client.stderr?.split('\n') ?? [];
  return [
    paint(tones[verdict], line(`${marks[verdict]} ${id}: ${describeScenario(scenario)}`)),
    ...findings.flatMap((each) => [
      paint(each.level === 'must' ? 'bad' : 'doubtful', line(`    ${each.level} ${each.rule}`)),
      line(`      ${describeFinding(scenario, each)}`),
    ]),
    ...expectations.map((each) =>
      paint(expectedTone(each), line(`    expected ${each.what}: ${each.actual}`)),
    ),
    ...stderr.map((each) => paint('quiet', line(`    stderr: ${each}`))),
  ];
}

function expectedTone({ outcome }: JudgedExpectation): Tone {
  return outcome === 'passed' ? 'good' : outcome === 'failed' ? 'bad' : 'doubtful';
}
