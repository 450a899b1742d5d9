// Stops at the first refusal, and runs on as if nothing had happened.
import { get, pause, target } from './double.mjs';

for (let at = 0; (await get(target(at))).ok; at += 1) await pause(400);
setInterval(() => {}, 1000);
