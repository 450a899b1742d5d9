import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import type { LoadRun } from '@candleproof/load/load-run';
import { type ScenarioId, scenarios } from '@candleproof/load/scenarios';
import { expect, test } from '@playwright/test';

/** Requests a second and seconds in which each scenario is run whole against the embedded service. */
const rehearsed: Readonly<Record<ScenarioId, { readonly rate: number; readonly seconds: number }>> = {
  smoke: { rate: 5, seconds: 10 },
  average: { rate: 20, seconds: 26 },
  stress: { rate: 40, seconds: 22 },
  spike: { rate: 60, seconds: 20 },
  soak: { rate: 5, seconds: 60 },
  breakpoint: { rate: 80, seconds: 15 },
};

test.skip(
  process.env.CANDLEPROOF_THOROUGH === undefined,
  'scenarios take three minutes: set CANDLEPROOF_THOROUGH=1 to run all six',
);

for (const scenario of Object.keys(scenarios) as ScenarioId[]) {
  test(`${scenario} is run whole, counted and judged`, async () => {
    test.setTimeout(180_000);
    const { rate, seconds } = rehearsed[scenario];
    const out = test.info().outputPath('load');
    const { code, stdout, stderr } = await candleproof([
      ...['load', scenario, 'local', '--rate', String(rate), '--duration', String(seconds), '--out', out],
    ]);
    expect(stderr).toBe('');
    // A busy machine may be too slow for it, and says so; wrong answers would be 1.
    expect([0, 3], stdout).toContain(code);
    const { figures, trial } = JSON.parse(readFileSync(join(out, 'load.json'), 'utf8')) as LoadRun;
    expect(trial.scenario).toBe(scenario);
    expect(figures.sent).toBeLessThanOrEqual(trial.bill);
    expect(figures).toMatchObject({ breached: 0, crashed: 0 });
    if (code === 0) {
      expect(figures.sent).toBe(trial.bill);
      expect(figures.checked).toBe(figures.sent);
    }
    expect(figures.judged).toBeGreaterThan(0);
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(scenario);
    test.info().annotations.push({
      type: 'load',
      description: `${figures.sent} of ${trial.bill} requests, ${figures.judged} judged, exit ${code}`,
    });
  });
}
