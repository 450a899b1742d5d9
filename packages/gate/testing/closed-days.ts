import { closureTexts } from '../judging/closures.ts';

/** Returns the days, since 1970-01-01, on which an exchange such as `New York` is closed. */
export function listClosedDays(wanted: string): ReadonlySet<number> {
  const [, first = 0, , text = ''] = closureTexts.find(([name]) => name === wanted) ?? [];
  let date = first;
  const steps = text.match(/-[^-]+-|[^-]/g) ?? [];
  return new Set(steps.map((step) => (date += Number.parseInt(step.replaceAll('-', ''), 36))));
}
