import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';

const rulesFile = join('deploy', 'prometheus', 'rules.yaml');
const dashboard = JSON.parse(readFileSync(join('deploy', 'grafana', 'dashboard.json'), 'utf8'));
const rules: { alert: string; expr: string }[] = parse(readFileSync(rulesFile, 'utf8')).groups[0].rules;

type Panel = { targets: { expr: string }[]; gridPos: { x: number; y: number; w: number; h: number } };

/** Lists the metric names of the monitor's modules, without the suffixes of metric types. */
const source = globSync('monitors/metrics/*.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('');

function unknownMetrics(expression: string): string[] {
  const named = expression.match(/\b(candleproof|probe)_\w+/g) ?? [];
  return named.filter((metric) => {
    const name = metric.replace(/^candleproof_/, '').replace(/_(total|bucket|sum|count)$/, '');
    return !source.includes(`'${name}'`);
  });
}

for (const { alert, expr } of rules) {
  test(`${alert} queries metrics that a monitor exports`, () => {
    expect(unknownMetrics(expr)).toEqual([]);
  });
}

test('every panel of the dashboard queries metrics that a monitor exports', () => {
  const panels: Panel[] = dashboard.panels;
  const expressions = panels.flatMap((panel) => panel.targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(panels.length - 1);
  expect(expressions.flatMap(unknownMetrics)).toEqual([]);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('an unknown metric is noticed', () => {
  expect(unknownMetrics('rate(candleproof_nonsense_total[5m]) > 0')).toEqual(['candleproof_nonsense_total']);
});

test('promtool accepts the rules and they fire as expected', () => {
  const promtool = process.env.PROMTOOL ?? 'promtool';
  const { error, status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', 'rules.test.yaml'], {
    cwd: join('deploy', 'prometheus'),
    encoding: 'utf8',
  });
  test.skip(error !== undefined, 'no promtool here: Debian has it in the package prometheus');
  expect(status, stdout + stderr).toBe(0);
});
