import type { Outcome } from '../../../contract/judge/verdict.ts';
import { type Markup, markup, unit } from '../../words/markup.ts';
import type { RunRecord } from '../records.ts';
import type { Story } from '../story.ts';

/** Days on the axis that every strip of a site shares. */
const axisDays = 30;
const day = 86_400_000;

/** Runs of a target by their day (YYYY-MM-DD, UTC), for the days of the axis. */
export type DayRuns = ReadonlyMap<string, readonly RunRecord[]>;

/** Groups the runs of a target by the days up to `now` (ISO 8601); a day without a run has none. */
export function groupByDay({ target }: Story, now: string): DayRuns {
  const runs = Map.groupBy(target.runs, ({ startedAt }) => startedAt.slice(0, 10));
  const last = Date.parse(now.slice(0, 10));
  const axis = Array.from({ length: axisDays }, (_, index) => last - (axisDays - 1 - index) * day);
  return new Map(
    axis.map((at) => {
      const name = new Date(at).toISOString().slice(0, 10);
      return [name, runs.get(name) ?? []];
    }),
  );
}

/** The worst first; what was not judged is as good as not run. */
const ranked: readonly Outcome[] = ['failed', 'known', 'surprised', 'inconclusive', 'passed'];

const [pitch, width, height] = [6, 4.6, 26];
/** Tops of a bar: outcomes differ by height as well as by color. */
const tops: Readonly<Record<Outcome, number>> = {
  ...{ failed: 0, known: 0, surprised: 6, inconclusive: 14, passed: 6, unexercised: 6 },
};

type OutcomeOf = (run: RunRecord) => Outcome | undefined;

/** Renders a bar for each day with its worst outcome, which a pointer over it names; a day without one is dashed. */
export function dayStrip(days: DayRuns, outcomeOf: OutcomeOf, name: string): Markup {
  const outcomes = [...days].map(([date, runs]) => ({ date, worst: worstOutcome(runs, outcomeOf) }));
  const bars = outcomes.map(({ date, worst }, index) =>
    worst === undefined
      ? markup`<path class="none" d="M${unit(index * pitch + width / 2)} ${height}V${tops.unexercised}"/>`
      : markup`<path class="${worst}" d="M${unit(index * pitch)} ${height}h${width}V${tops[worst]}h${-width}z"><title>${date}: ${worst}</title></path>`,
  );
  const counts = [...Map.groupBy(outcomes, ({ worst }) => worst ?? 'not judged')];
  const [first = '', last = ''] = [outcomes[0]?.date, outcomes.at(-1)?.date];
  return markup`<svg class="day-strip" viewBox="0 0 ${axisDays * pitch} ${height + 12}" role="img" aria-label="${name}, ${first} to ${last}: ${counts.map(([outcome, days]) => `${days.length} ${outcome}`).join(', ')}">${bars}<text x="0" y="${height + 10}">${first.slice(5)}</text><text x="${axisDays * pitch - 1}" y="${height + 10}" text-anchor="end">${last.slice(5)}</text></svg>`;
}

function worstOutcome(runs: readonly RunRecord[], outcomeOf: OutcomeOf): Outcome | undefined {
  const found = new Set(runs.map(outcomeOf));
  return ranked.find((outcome) => found.has(outcome));
}
