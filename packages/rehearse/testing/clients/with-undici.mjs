// undici's RetryAgent as its documentation sets it up.
import { Agent, RetryAgent } from 'undici';
import { base, headers, makePauses, pause, target } from './double.mjs';

const agent = new RetryAgent(new Agent(), { maxRetries: 6 });
const next = makePauses();
for (let at = 0; ; at += 1) {
  const path = target(at);
  const { body } = await agent.request({ origin: base, path, method: 'GET', headers });
  await body.text();
  await pause(next());
}
