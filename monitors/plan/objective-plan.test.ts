import { expect, test } from '@playwright/test';
import { type Firing, updateAlert, usualSlo } from '../alerting/burn-rate.ts';
import { BurnWindow } from '../alerting/burn-window.ts';
import type { LightProbe } from './definition.ts';
import { planObjectives } from './objective-plan.ts';

const minute = 60_000;
const day = 1440 * minute;
const month = 31 * day;

/** Returns light probes at these periods (ms). */
function makeProbes(periods: readonly number[]): { readonly probe: LightProbe; readonly slots: number }[] {
  return periods.map((period, n) => ({
    probe: {
      ...{
        kind: 'light',
        name: `p${n}`,
        target: 'mainnet',
        operation: 'listTokens',
        role: 'tokens',
        pools: [],
      },
      rhythm: { every: period },
    },
    slots: month / period,
  }));
}

/** Plays four days of good slots and then bad ones of the first probe alone; returns the ms until a pair fires. */
function playUntilFired(periods: readonly number[], objective: number): number | undefined {
  const slo = { ...usualSlo, objective, cadence: 1 / periods.reduce((sum, period) => sum + 1 / period, 0) };
  const window = new BurnWindow(slo);
  const begin = 4 * day;
  const slots = periods.flatMap((period, n) =>
    Array.from({ length: Math.ceil((2 * begin) / period) }, (_, k) => ({ at: k * period + n * 1000 + 1, n })),
  );
  let firing: readonly Firing[] = [];
  for (const { at, n } of slots.toSorted((one, other) => one.at - other.at)) {
    const good = at < begin || n > 0;
    window.add({ at, good });
    if (at < begin) continue;
    firing = updateAlert(window.viewBefore(at), slo, { firing }, at).firing;
    if (firing.length > 0) return at - begin;
  }
  return undefined;
}

const plans: readonly (readonly [periods: readonly number[], objective: number])[] = [
  [[5 * minute, 5 * minute, 5 * minute], 0.995],
  [[15 * minute, 5 * minute], 0.99],
  [[minute, minute, minute, minute], 0.995],
  [[10 * minute, 10 * minute, 10 * minute, 10 * minute], 0.999],
];

for (const [periods, objective] of plans) {
  test(`the time to a message of one of ${periods.length} operations at ${periods.map((ms) => ms / minute).join(', ')} min and ${objective} is what slots show`, () => {
    const [plan] = planObjectives([{ indicator: 'availability', objective }], makeProbes(periods), month);
    const [first = 0] = periods;
    const played = playUntilFired(periods, objective) ?? Number.NaN;
    const planned = plan?.alone[0]?.outage ?? Number.NaN;
    // An outage that begins just after a slot is seen one period later; one that begins with a slot is not.
    expect(played).toBeLessThanOrEqual(planned);
    expect(played).toBeGreaterThan(planned - 2 * first);
    expect(plan?.outage).toBeLessThan(planned);
  });
}

test('one probe that is so rare that it burns no budget alone has no time, unless failures in a row are an alert', () => {
  const probes = makeProbes([day, minute]);
  const objectives = [{ indicator: 'availability', objective: 0.99 }] as const;
  expect(planObjectives(objectives, probes, month)[0]?.alone[0]).toEqual({ probe: 'p0' });
  expect(planObjectives(objectives, probes, month, undefined, 2)[0]?.alone[0]?.outage).toBe(2 * day);
});
