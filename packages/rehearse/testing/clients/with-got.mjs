// got as its documentation sets it up.
import got from 'got';
import { base, headers, makePauses, pause, target } from './double.mjs';

const client = got.extend({ headers, retry: { limit: 6 } });
const next = makePauses();
for (let at = 0; ; at += 1) {
  await client.get(base + target(at)).text();
  await pause(next());
}
