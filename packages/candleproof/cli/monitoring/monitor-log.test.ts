import { expect, test } from '@playwright/test';
import { logLine } from './monitor-log.ts';

const at = Date.UTC(2026, 2, 11, 15, 32, 20);

test('a line for people has time, event, place and facts, and no braces', () => {
  const failure = { phase: 'status', class: '503' };
  const facts = { target: 'shop', probe: 'tokens', slot: '2026-03-11T15:32:20.000Z', tookMs: 12, failure };
  expect(logLine(at, 'warn', 'failed', facts)).toBe(
    '15:32:20Z ! failed  shop/tokens  tookMs 12, failure status 503\n',
  );
  expect(logLine(at, 'info', 'stopping', {})).toBe('15:32:20Z   stopping\n');
});

test('a line for people shows what steers a terminal by its code', () => {
  expect(logLine(at, 'info', 'ok', { reason: '\u001b[2J' })).toContain('reason \\u001b[2J');
});
