// Ignores what is left of its month.
import { get, pause, target } from './double.mjs';

for (let at = 0; ; at += 1) {
  await get(target(at));
  await pause(200);
}
