// Sends ten requests a second, whatever the answers.
import { get, pause, target } from './double.mjs';

for (let at = 0; ; ) {
  const { ok } = await get(target(at)).catch(() => ({ ok: false }));
  if (ok) at += 1;
  await pause(ok ? 300 : 100);
}
