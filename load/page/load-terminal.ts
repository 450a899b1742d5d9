import { countSamples } from '@candleproof/law/planning/histogram';
import type { WholeQuota } from '@candleproof/law/reading/quota';
import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { makeVisible } from '@candleproof/reports/words/escape';
import { formatMilliseconds, formatRate } from '@candleproof/reports/words/format';
import { peakRate, totalSeconds } from '../bill.ts';
import { computePercentile } from '../histogram.ts';
import type { LoadRun, LoadTrial } from '../load-run.ts';
import { describeSustained, openQuestion } from './outcome-words.ts';

/** Formats the bill before anything is sent. */
export function formatBill(
  { scenario, engine, load, bill, target }: Omit<LoadTrial, 'mix'>,
  month: WholeQuota | undefined,
): string {
  const share = month
    ? `: ${formatPercent((bill + 1) / month.limit)} of the key’s month of ${thousands(month.limit)}, of which ${thousands(month.remaining)} remain`
    : '; the answers tell no quota';
  const rate = formatRate(peakRate(load));
  return `${scenario} at ${makeVisible(target.name)}: ${thousands(bill)} requests over ${totalSeconds(load)} s, ${rate} a second at most, and one look ahead${share}; sent by ${engine === 'k6' ? 'k6' : 'the embedded engine'}\n`;
}

const verdicts = { conformant: 'CONFORMANT', nonconformant: 'NOT CONFORMANT', inconclusive: 'INCONCLUSIVE' };

/** Formats the result in a few lines. */
export function renderLoadTerminal(run: LoadRun): string {
  const { figures, trial, parts, breakpoint, wrongFrom, sustained } = run;
  const { sent, dropped, outcomes, quota, judged, breached, latency } = figures;
  const failed = Object.entries(outcomes).filter(([name, n]) => n > 0 && name !== 'ok');
  const at = (p: number): string => formatMilliseconds(computePercentile(latency, p));
  const own = (ms = Number.NaN): string => formatMilliseconds(1000 * ms);
  const ownTimes = parts.length === 1 ? parts[0]?.own : undefined;
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
      'once sent',
      ownTimes && `p95 ${own(ownTimes['p(95)'])}, p99 ${own(ownTimes['p(99)'])} from when each was sent`,
    ],
    [
      'judged',
      `${thousands(judged)} answers, ${thousands(breached)} wrong; right under load: ${run.rightUnderLoad}`,
    ],
    ['sustained', sustained && describeSustained(run, sustained.perSecond)],
    ['wrong from', wrongFrom && formatStageRate(wrongFrom)],
    ['breakpoint', breakpoint && `${breakpoint.by}, ${formatStageRate(breakpoint)}`],
    ['key', quota && `${thousands(quota.remaining)} of ${thousands(quota.limit)} left`],
    ['generator', parts.map(describeGenerator).join('; ')],
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

function describeGenerator({ engine, cpu, late }: LoadRun['parts'][number]): string {
  const cores = engine === 'embedded' ? 'its core' : 'the cores';
  return [
    engine,
    ...(cpu === undefined ? [] : [`${formatPercent(cpu)} of ${cores} at most`]),
    ...(late ? [`p99 ${formatMilliseconds(1000 * (late['p(99)'] ?? Number.NaN))} late`] : []),
  ].join(', ');
}

function formatStageRate({ perSecond, atSeconds }: { perSecond: number; atSeconds: number }): string {
  return `${formatRate(perSecond)} requests/s, at ${Math.round(atSeconds)} s`;
}
