// Tries a key that is refused ten times a second.
import { get, pause, target } from './double.mjs';

for (;;) {
  const { ok } = await get(target(0));
  await pause(ok ? 1000 : 100);
}
