import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { judgeIt, spec } from '@candleproof/law/worlds/breach-case';
import { record } from '@candleproof/law/worlds/recorded';
import { usualWorld } from '@candleproof/law/worlds/world';
import { expect, test } from '@playwright/test';
import { takeFirstLook } from './first-look.ts';
import { replay } from './replay.ts';

const { recording } = record(usualWorld);
const { target } = recording;
const why = 'the deadline of 3 s passed';

/** A target that never answers, and a run that is ended as soon as its first request was sent. */
function silent() {
  const controller = new AbortController();
  const sent: string[] = [];
  const send = ({ path }: { readonly path: string }): Promise<Exchange> => {
    sent.push(path);
    queueMicrotask(() => controller.abort(why));
    return new Promise(() => {});
  };
  return { client: { send }, sent, stop: controller.signal };
}

test('a first look ends where it is stopped, and says so', async () => {
  const { client, sent, stop } = silent();
  const look = await takeFirstLook({ spec, target, client, hasKey: true, stop });
  expect(look).toMatchObject({ sent: 0, trouble: `stopped after 0 requests: ${why}` });
  expect(sent).toHaveLength(1);
});

test('a first look at a document without tokens goes on past a pool that is refused, but not past a refused key', async () => {
  const [answer] = recording.exchanges;
  const first = async (statuses: readonly number[]) => {
    const left = [...statuses];
    const send = async ({ path }: { readonly path: string }): Promise<Exchange> => {
      const [request, response] = [answer?.request, answer?.response];
      const url = target.baseUrl + path;
      return {
        ...answer,
        request: { ...request, url },
        response: { ...response, status: left.shift() },
      } as Exchange;
    };
    const [binance, facts] = [
      loadSpec('gallery/binance/openapi.yaml'),
      { ...target, pools: { pools: ['A', 'B'] } },
    ];
    const look = await takeFirstLook({ spec: binance, target: facts, client: { send }, hasKey: false });
    return [look.sent, look.trouble];
  };
  expect(await first([400, 404])).toEqual([2, undefined]);
  expect(await first([403, 200])).toEqual([1, 'the key was refused (403)']);
  expect(await first([500, 200])).toEqual([1, 'the target answers 500']);
});

test('a replay that is stopped cannot tell, and sends nothing more', async () => {
  const { client, sent, stop } = silent();
  const rule = judgeIt({ recording }).rules.find(({ outcome }) => outcome === 'passed');
  const [law] = catalogue.rules.filter(({ id }) => id === rule?.id);
  const replayed = await replay({
    ...{ spec, recording, target, client, stop, hasKey: true, budget: 48 },
    fingerprint: `${law?.id} listTokens`,
    law: { rules: law ? [law] : [], questions: [] },
  });
  expect(replayed).toMatchObject({ outcome: 'cannot tell', reason: `stopped after 0 requests: ${why}` });
  expect(sent).toHaveLength(1);
});
