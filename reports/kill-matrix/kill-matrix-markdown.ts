import { markdownCode, markdownText } from '../words/escape.ts';
import {
  countFound,
  type FoundShare,
  isFoundAsClaimed,
  type Kill,
  type KillMatrix,
  killCurve,
  unprovenRules,
  type Witness,
} from './facts.ts';
import {
  describeCondition,
  describeEffects,
  describeHealthyRuns,
  describeProvenRules,
  describeScenes,
  describeSeeds,
} from './kill-matrix-words.ts';

/**
 * Renders the kill matrix for readers of a repository or a release: it has neither dates nor durations, so it changes
 * only when a result does.
 */
export function killMatrixMarkdown(matrix: KillMatrix): string {
  const parts = [summary(matrix), faults(matrix), limits(matrix), ...rules(matrix), blindSpots(matrix)];
  return `${parts.join('\n\n')}\n`;
}

function summary(matrix: KillMatrix): string {
  const { kills, healthy, versions } = matrix;
  const [seeds, triggered] = [describeSeeds(kills), describeProvenRules(matrix)];
  return [
    '# The kill matrix',
    '',
    'Each known fault was switched on alone in the reference service, in the cheapest way that shows it, and the service judged.',
    'Written by `candleproof serve faults`; figures of each run, with every rule that was triggered, are in its `kill-matrix.json`.',
    '',
    `- **of ${kills.length} faults, ${markdownText(describeEffects(kills))}**, each shown once in the cheapest way`,
    `- ${markdownText(describeScenes(kills))}`,
    `- ${formatShare(countFound(kills))} found, version ${versions.candleproof}, rules ${versions.catalogue}`,
    ...(seeds === undefined ? [] : [`- ${seeds}; any other seed of a check may miss them`]),
    ...killCurve(kills).map(
      ({ budget, share }) =>
        `- with ${budget} requests: ${formatShare(share)} of those that one check can show`,
    ),
    ...(triggered === undefined ? [] : [`- ${triggered}; those that no fault triggers are listed below`]),
    `- ${markdownText(describeHealthyRuns(healthy))}`,
  ].join('\n');
}

function formatShare({ found, all }: FoundShare): string {
  return `${found} of ${all}${all === 0 ? '' : ` (${Math.round((100 * found) / all)} %)`}`;
}

function faults({ kills }: KillMatrix): string {
  return section(
    'Faults',
    'Found by: the rules it breaks and the questions whose answers it changes, as far as they were triggered, with their level.',
    ['Fault', 'What the service does', 'Class', 'Found by', 'Takes', 'Requests'],
    kills.map((kill) => [
      `${kill.number} ${markdownCode(kill.id)}`,
      markdownText(kill.title),
      markdownText(kill.class),
      finders(kill),
      markdownText(describeCondition(kill)),
      String(kill.requests),
    ]),
  );
}

/**
 * Lists the rules that find a fault as claimed. Omits others that were triggered too: they follow from the same breach,
 * and change with the rules.
 */
function finders(kill: Kill): string {
  const { breaks, foundBy } = kill;
  if (foundBy.length === 0) return `**not found**, expected ${listWitnesses(breaks)}`;
  return listWitnesses(
    isFoundAsClaimed(kill)
      ? foundBy.filter(({ id }) => breaks.some((witness) => witness.id === id))
      : foundBy,
  );
}

function listWitnesses(witnesses: readonly Witness[]): string {
  return witnesses.map(({ id, level }) => `${markdownCode(id)} ${level}`).join(', ') || 'nothing';
}

function limits({ kills }: KillMatrix): string {
  return section(
    'Limits of detection',
    'The mildest of the sizes that were tried at which what the fault breaks still tells: the limit of that rule. What passes sooner than a check does hangs on the pace of the machine.',
    ['Fault', 'Found from', 'Usual size', 'Unit', 'By'],
    kills.flatMap(({ number, id, limit }) =>
      limit
        ? [
            [
              `${number} ${markdownCode(id)}`,
              limit.smallest === null ? '**at no size**' : String(limit.smallest),
              String(limit.usual),
              markdownText(limit.unit),
              listWitnesses(limit.foundBy.slice(0, 1)),
            ],
          ]
        : [],
    ),
  );
}

/**
 * Lists only rules that no fault triggers: some bystanders are triggered now and then, and would change the text from
 * run to run.
 */
function rules({ rules: cases }: KillMatrix): string[] {
  if (!cases) return [];
  const rows = unprovenRules(cases).map(({ id, level, reason }) => [
    markdownCode(id),
    level,
    reason === undefined ? '**no reason is known**' : markdownText(reason),
  ]);
  const lead =
    'Rules of must and should that none of these faults triggers: they are proven by their own tests alone.';
  return [section('Rules that no fault triggers', lead, ['Rule', 'Level', 'Why'], rows)];
}

function blindSpots({ unbuilt }: KillMatrix): string {
  return section(
    'Blind spots',
    'What is not shown, and why. A number names the fault of which another form is shown, or that takes too much.',
    ['Fault', 'What the service would do', 'Why it is not shown'],
    unbuilt.map(({ number, id, title, reason }) => [
      `${number === undefined ? '' : `${number} `}${markdownCode(id)}`,
      markdownText(title),
      markdownText(reason),
    ]),
  );
}

type Row = readonly string[];

function section(title: string, lead: string, head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', lead, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
