import type { Example, Finding } from '../../contract/judge/verdict.ts';
import type { Breach } from '../../contract/law/breach.ts';
import type { CountedPlaces } from './counted-places.ts';
import type { Found } from './report.ts';
import type { Entry } from './window.ts';

/** Returns the new part of a finding in these exchanges; undefined if all of it was counted already. */
export function foundIn(
  finding: Finding,
  breaches: readonly Breach[],
  entries: readonly Entry[],
  places: CountedPlaces,
): Found | undefined {
  const { fingerprint } = finding;
  const ordinalAt = (index: number): number => entries[index]?.ordinal ?? 0;
  const byOrdinal = Map.groupBy(breaches, ({ answer }) => ordinalAt(answer.index));
  const fresh = places.count(fingerprint, byOrdinal.keys());
  if (fresh === undefined || fresh.length === 0) return undefined;
  const isShown = ({ exchange }: Example): boolean =>
    fresh.includes(ordinalAt(exchange)) && places.wantsExamples(fingerprint);
  const shown = finding.examples.filter(isShown);
  const times = fresh.map(
    (place) => entries.find(({ ordinal }) => ordinal === place)?.exchange.startedAt ?? '',
  );
  return {
    finding: {
      ...finding,
      exchange: ordinalAt(finding.exchange),
      examples: shown.map((example) => ({ ...example, exchange: ordinalAt(example.exchange) })),
    },
    count: fresh
      .flatMap((ordinal) => byOrdinal.get(ordinal) ?? [])
      .reduce((sum, { times = 1 }) => sum + times, 0),
    first: times.toSorted()[0] ?? '',
    last: times.toSorted().at(-1) ?? '',
    entries: entries.filter((_, index) => shown.some(({ exchange }) => exchange === index)),
  };
}
