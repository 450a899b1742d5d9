import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { parseConfig } from './config.ts';

const folder = 'packages/candleproof/cli/config/testing';
const whole = readFileSync(join(folder, 'whole.yaml'), 'utf8');

type Wrong = { readonly from: string; readonly to: string; readonly says: string };
const mistakes: readonly Wrong[] = parse(readFileSync(join(folder, 'mistakes.yaml'), 'utf8'));

test('a config with everything in it is read', () => {
  expect(parseConfig(whole, 'c.yaml').monitoring.probes).toHaveProperty('deep.deep', 24);
});

for (const { from, to, says } of mistakes) {
  test(`${to === '' ? `without ${from}` : to} the config is refused with line, value and mend`, () => {
    expect(whole).toContain(from);
    const text = whole.replace(from, () => to);
    expect(() => parseConfig(text, 'c.yaml')).toThrow(new Error(`--config: c.yaml:${says}`));
  });
}

test('what may be a secret is never repeated', () => {
  const words = ['hunter2', 'T0/B0', 'token=x', 'user:pass'];
  for (const [field, word] of [
    ['OPS_SECRET', 'hunter2'],
    ['OPS_WEBHOOK', 'https://user:pass@hooks.example/T0/B0?token=x'],
    ['MAIN_KEY', 'hunter2'],
  ] as const) {
    const text = whole.replace(`\${${field}}`, () => word);
    const said = messageOf(() => parseConfig(text, 'c.yaml'));
    expect(said).toMatch(/^--config: c\.yaml:\d+: /);
    for (const word of words) expect(said).not.toContain(word);
  }
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}
