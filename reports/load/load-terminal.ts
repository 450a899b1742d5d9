import type { WholeQuota } from '../../contract/reading/quota.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { peakRate, totalSeconds } from '../../load/bill.ts';
import { computePercentile } from '../../load/histogram.ts';
import type { LoadRun, LoadTrial } from '../../load/load-run.ts';
import { fewestJudged } from '../../load/verdict.ts';
import { formatPercent } from '../../planning/format-percent.ts';
import { countSamples } from '../../planning/histogram.ts';
import { formatMilliseconds, formatRate } from '../monitor/format.ts';
import { makeVisible } from '../words/escape.ts';

/** Formats the bill before anything is sent. */
export function formatBill(
  { scenario, load, bill, target }: Omit<LoadTrial, 'mix'>,
  month: WholeQuota | undefined,
): string {
  const share = month
    ? `: ${formatPercent((bill + 1) / month.limit)} of the key’s month of ${thousands(month.limit)}, of which ${thousands(month.remaining)} remain`
    : '; the answers tell no quota';
  const rate = formatRate(peakRate(load));
  return `${scenario} at ${makeVisible(target.name)}: ${thousands(bill)} requests over ${totalSeconds(load)} s, ${rate} a second at most, and one look ahead${share}\n`;
}

const verdicts = { conformant: 'CONFORMANT', nonconformant: 'NOT CONFORMANT', inconclusive: 'INCONCLUSIVE' };

/** Formats the result in a few lines. */
export function renderLoadTerminal(run: LoadRun): string {
  const { figures, trial, parts, breakpoint, wrongFrom } = run;
  const { sent, dropped, outcomes, quota, judged, breached, latency } = figures;
  const failed = Object.entries(outcomes).filter(([name, n]) => n > 0 && name !== 'ok');
  const at = (p: number): string => formatMilliseconds(computePercentile(latency, p));
  const k6Time = (ms = Number.NaN): string => formatMilliseconds(1000 * ms);
  const k6Times = parts.length === 1 ? parts[0]?.own : undefined;
  const cpu = parts.flatMap((part) => (part.cpu === undefined ? [] : [Math.round(100 * part.cpu)]));
  const lines: (readonly [name: string, text: string | false | undefined])[] = [
    [
      'requests',
      `${thousands(sent)} of ${thousands(trial.bill)} sent, ${thousands(outcomes.ok)} answered 200, ${thousands(dropped)} dropped`,
    ],
    ...failed.map(([name, n]) => [name, thousands(n)] as const),
    [
      'latency',
      `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} from when each was due (n ${thousands(countSamples(latency))})`,
    ],
    [
      'k6’s own',
      k6Times && `p95 ${k6Time(k6Times['p(95)'])}, p99 ${k6Time(k6Times['p(99)'])} from when each was sent`,
    ],
    [
      'judged',
      `${thousands(judged)} answers, ${thousands(breached)} wrong; right under load: ${run.rightUnderLoad}`,
    ],
    ['wrong from', wrongFrom && formatStageRate(wrongFrom)],
    ['breakpoint', breakpoint && `${breakpoint.by}, ${formatStageRate(breakpoint)}`],
    ['key', quota && `${thousands(quota.remaining)} of ${thousands(quota.limit)} left`],
    ['generator', cpu.length > 0 && `${cpu.join(' %, ')} % of the cores at most`],
    ['grant', trial.grant],
  ];
  const head = `${verdicts[run.verdict]}${openQuestion(run)} · load ${trial.scenario} · ${makeVisible(trial.target.name)}`;
  return [
    head,
    ...run.reasons.map((reason) => `  ${reason}`),
    ...lines.flatMap(([name, text]) => (text ? [`${name.padEnd(12)}${text}`] : [])),
    '',
  ].join('\n');
}

/** Words, for the verdict's line, that too few answers were judged. */
function openQuestion({ verdict, rightUnderLoad, figures: { judged } }: LoadRun): string {
  if (verdict !== 'conformant' || rightUnderLoad !== 'unexercised') return '';
  return `, right under load not decided (${thousands(judged)} of ${thousands(fewestJudged)} answers judged)`;
}

function formatStageRate({ perSecond, atSeconds }: { perSecond: number; atSeconds: number }): string {
  return `${formatRate(perSecond)} requests/s, at ${Math.round(atSeconds)} s`;
}
