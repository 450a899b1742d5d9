import type { Exchange } from '@candleproof/law/reading/exchange';
import { gatherEvidence } from '@candleproof/law/relations/evidence';
import { rules } from '@candleproof/law/rules/catalogue';
import { worlds } from '@candleproof/law/worlds/arbitraries';
import { spec } from '@candleproof/law/worlds/breach-case';
import { record } from '@candleproof/law/worlds/recorded';
import { usualWorld, type World } from '@candleproof/law/worlds/world';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { judgeAlone, singleAnswerRules } from './judge-wrong.ts';

function listSuccesses(world: World) {
  const { recording } = record(world);
  const target = { ...recording.target, soleUser: false };
  const successes = recording.exchanges.filter(
    ({ request, response }) => response?.status === 200 && request.credential === 'api-key',
  );
  return { target, successes };
}

test('a single answer of a healthy service breaks nothing', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const { target, successes } = listSuccesses(world);
      const accused = successes.flatMap((success) => {
        const { broken, crashed } = judgeAlone(spec, target, success);
        expect(crashed).toBe(0);
        return broken.map((at) => `${singleAnswerRules[at]?.id} ${success.request.url}`);
      });
      expect(accused).toEqual([]);
    }),
    { numRuns: process.env.CANDLEPROOF_THOROUGH ? 100 : 15 },
  );
});

test('the rules of a load include all that can judge a single success', () => {
  const { target, successes } = listSuccesses(usualWorld);
  const judging = rules.filter(({ check }) =>
    successes.some((success) =>
      [...check(gatherEvidence(spec, { target, seed: 0, exchanges: [success] }))].some(
        (outcome) => 'judged' in outcome,
      ),
    ),
  );
  const left = judging.filter((rule) => !singleAnswerRules.includes(rule)).map(({ id }) => id);
  // No answer is searched for the key before it is in a recording.
  expect(left).toEqual(['authentication/no-answer-tells-the-key']);
  expect(judging.length).toBeGreaterThan(40);
});

test('an impossible average is found in a single answer', () => {
  const { target, successes } = listSuccesses(usualWorld);
  const found = successes.flatMap((success) => {
    const { response } = success;
    if (!response?.body?.text.includes('"avg"')) return [];
    const text = response.body.text.replace(/"avg":[^,}]+/, '"avg":1e99');
    const broken = { ...success, response: { ...response, body: { ...response.body, text } } };
    return [judgeAlone(spec, target, broken).broken.map((at) => singleAnswerRules[at]?.id)];
  });
  expect(found.length).toBeGreaterThan(5);
  for (const broken of found) expect(broken).toContain('candle/average-is-within-range');
});

test('a broken should does not make an answer wrong', () => {
  const { target, successes } = listSuccesses(usualWorld);
  const worthless = successes.flatMap((success) => {
    const { response } = success;
    if (!response?.body?.text.includes('"volumeUsd"')) return [];
    const text = response.body.text.replace(/"volume":"[^"]*"/, '"volume":"0"');
    const odd = text.replace(/"volumeUsd":"[^"]*"/, '"volumeUsd":"5.00"');
    return [
      judgeAlone(spec, target, {
        ...success,
        response: { ...response, body: { ...response.body, text: odd } },
      }),
    ];
  });
  const broken = worthless.map((judged) => [
    judged.broken.map((at) => singleAnswerRules[at]?.id),
    judged.isWrong,
  ]);
  expect(broken[0]).toEqual([['candle/usd-agrees-with-tinybars'], false]);
});

test('an answer without a candle or token does not count as judged', () => {
  const { target, successes } = listSuccesses(usualWorld);
  const listed = successes.filter(({ response }) => /^\[./.test(response?.body?.text ?? ''));
  expect(listed.length).toBeGreaterThan(5);
  for (const { response, ...rest } of listed) {
    const withText = (text: string): Exchange => ({
      ...rest,
      ...(response && { response: { ...response, body: { text, encoding: 'utf8' } } }),
    });
    const holds = (text: string) => judgeAlone(spec, target, withText(text)).holdsRecord;
    expect([holds(response?.body?.text ?? ''), holds('[]')], rest.request.url).toEqual([
      response?.body?.text !== '[]',
      false,
    ]);
  }
});
