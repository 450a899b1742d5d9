import {
  type FoundShare,
  isFoundAsClaimed,
  type Kill,
  type KillMatrix,
  killCurve,
  shareFound,
  type Witness,
} from '../../results/kill-matrix.ts';
import { code, prose } from '../formats/markdown.ts';
import { conditionInWords } from './kill-matrix-limits.ts';
import {
  effectsInWords,
  healthyInWords,
  rulesInWords,
  scenesInWords,
  seedsInWords,
  silentRules,
} from './kill-matrix-words.ts';

/**
 * The kill matrix for anyone who reads a repository or a release: what it says does not change while nothing else does,
 * so neither dates nor durations are in it.
 */
export function killMatrixMarkdown(matrix: KillMatrix): string {
  const parts = [summary(matrix), faults(matrix), limits(matrix), ...rules(matrix), blindSpots(matrix)];
  return `${parts.join('\n\n')}\n`;
}

function summary(matrix: KillMatrix): string {
  const { kills, healthy, versions } = matrix;
  const [seeds, spoke] = [seedsInWords(kills), rulesInWords(matrix)];
  return [
    '# The kill matrix',
    '',
    'Each known fault was switched on alone in the reference service, where the least shows it, and the service judged.',
    'Written by `candleproof faults`; figures of each run, with every rule that spoke, are in its `kill-matrix.json`.',
    '',
    `- **of ${kills.length} faults, ${prose(effectsInWords(kills))}**, each where the least shows it`,
    `- ${prose(scenesInWords(kills))}`,
    `- ${percent(shareFound(kills))} found, version ${versions.candleproof}, rules of edition ${versions.catalogue}`,
    ...(seeds === undefined ? [] : [`- ${seeds}; any other seed of a check may miss them`]),
    ...killCurve(kills).map(
      ({ budget, share }) => `- with ${budget} requests: ${percent(share)} of those that one check can show`,
    ),
    ...(spoke === undefined ? [] : [`- ${spoke}; those that no fault makes speak are listed below`]),
    `- ${prose(healthyInWords(healthy))}`,
  ].join('\n');
}

function percent({ found, all }: FoundShare): string {
  return `${found} of ${all}${all === 0 ? '' : ` (${Math.round((100 * found) / all)} %)`}`;
}

function faults({ kills }: KillMatrix): string {
  return section(
    'Faults',
    'Found by: the rules it breaks and the questions whose answers it changes, as far as they spoke, with their level.',
    ['Fault', 'What the service does', 'Class', 'Found by', 'Takes', 'Requests'],
    kills.map((each) => [
      `${each.number} ${code(each.id)}`,
      prose(each.title),
      prose(each.class),
      finders(each),
      prose(conditionInWords(each)),
      String(each.requests),
    ]),
  );
}

/** Others that spoke as well are left out: they come with what was broken, and change with a rule of theirs. */
function finders(kill: Kill): string {
  const { breaks, foundBy } = kill;
  if (foundBy.length === 0) return `**not found**, expected ${inWords(breaks)}`;
  return inWords(
    isFoundAsClaimed(kill) ? foundBy.filter(({ id }) => breaks.some((each) => each.id === id)) : foundBy,
  );
}

function inWords(witnesses: readonly Witness[]): string {
  return witnesses.map(({ id, level }) => `${code(id)} ${level}`).join(', ') || 'nothing';
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
              `${number} ${code(id)}`,
              limit.smallest === null ? '**at no size**' : String(limit.smallest),
              String(limit.usual),
              prose(limit.unit),
              inWords(limit.foundBy.slice(0, 1)),
            ],
          ]
        : [],
    ),
  );
}

/** Bystanders that speak now and then would change the text from run to run: only rules that none makes speak are named. */
function rules({ rules: cases }: KillMatrix): string[] {
  if (!cases) return [];
  const rows = silentRules(cases).map(({ id, level, reason }) => [
    code(id),
    level,
    reason === undefined ? '**no reason is known**' : prose(reason),
  ]);
  const lead =
    'Rules of must and should that spoke of none of these faults: they are proven by their own tests alone.';
  return [section('Rules that no fault makes speak', lead, ['Rule', 'Level', 'Why'], rows)];
}

function blindSpots({ unbuilt }: KillMatrix): string {
  return section(
    'Blind spots',
    'What is not shown, and why. A number names the fault of which another form is shown, or that takes too much.',
    ['Fault', 'What the service would do', 'Why it is not shown'],
    unbuilt.map(({ number, id, title, reason }) => [
      `${number === undefined ? '' : `${number} `}${code(id)}`,
      prose(title),
      prose(reason),
    ]),
  );
}

type Row = readonly string[];

function section(title: string, lead: string, head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', lead, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
