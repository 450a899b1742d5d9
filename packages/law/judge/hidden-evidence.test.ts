import { expect, test } from '@playwright/test';
import { judgeIt } from '../worlds/breach-case.ts';
import { type Distort, damageExchange, everyRow, fields, header, text } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';

const none = 'not testable by these answers';
const healthy = record(usualWorld);

/** The run in which every answer of a successful history is damaged. */
function inHistories(damage: Distort, recorded: NamedRecording = healthy): NamedRecording {
  const names = recorded.names.filter((_, at) => {
    const { request, response } = recorded.recording.exchanges[at] ?? {};
    return request?.url.includes('/v2/') && response?.status === 200 && response.body?.text.startsWith('[{');
  });
  return names.reduce((changed, name) => damageExchange(changed, name, damage), recorded);
}

function findReason(id: string, recorded: NamedRecording): string | undefined {
  const rule = judgeIt(recorded).rules.find((ruleResult) => ruleResult.id === id);
  expect(rule?.outcome).toBe('unexercised');
  const [, hiding] = /^the answers that it needs break (.+)$/.exec(rule?.reason ?? '') ?? [];
  expect(rule?.hiddenBy).toBe(hiding);
  return rule?.reason;
}

test('a rule whose answers all break another one names it', () => {
  const without = inHistories(everyRow(() => ({ startTimestampSeconds: undefined })));
  expect(findReason('rollup/volume-is-summed', without)).toBe(
    'the answers that it needs break candle/all-fields-present',
  );
  const undivided = inHistories(everyRow(({ avg }) => ({ avg: Number(avg) * 1000 })));
  expect(findReason('rollup/average-is-the-mean', undivided)).toBe(
    'the answers that it needs break candle/average-is-within-range',
  );
});

test('answers that are no JSON hide what they would hold', () => {
  expect(findReason('rollup/volume-is-summed', inHistories(text((body) => `${body}]`)))).toBe(
    'the answers that it needs break transport/strict-json',
  );
});

test('one broken row in each answer is not said to hide a rule', () => {
  const young = record({ ...usualWorld, ages: [7200] });
  const few = damageExchange(young, 'recent HOUR of 2', fields(0, { volume: 5 }));
  expect(findReason('rollup/average-is-the-mean', few)).toBe(none);
});

test('broken bodies hide nothing from rules about headers, and other headers nothing from rules about bodies', () => {
  const alone = record({ ...usualWorld, bursts: false });
  const without = inHistories(
    everyRow(() => ({ avg: undefined })),
    alone,
  );
  expect(findReason('quota/counts-in-parallel', without)).toBe(none);
  const young = record({ ...usualWorld, ages: [7200] });
  expect(
    findReason('rollup/average-is-the-mean', inHistories(header('content-type', 'text/html'), young)),
  ).toBe(none);
});

test('what a run seldom sees is reported as such', () => {
  expect(findReason('quota/resets-at-its-time', healthy)).toBe('no reset passed between two answers');
  const alone = record({ ...usualWorld, otherKey: false });
  expect(findReason('quota/keys-are-counted-apart', alone)).toBe('it takes a second key (--other-key-file)');
});
