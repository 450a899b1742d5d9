// Repeats at once what was refused.
import { get, pause, target } from './double.mjs';

for (let at = 0; ; ) {
  const { ok } = await get(target(at));
  if (ok) at += 1;
  await pause(ok ? 300 : 50);
}
