import { expect, test } from '@playwright/test';
import { catalogue } from '../../contract/law/catalogue.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import { judgeIt, spec } from '../../contract/worlds/breach-case.ts';
import { record } from '../../contract/worlds/recorded.ts';
import { usualWorld } from '../../contract/worlds/world.ts';
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
