// Goes on ten times a second, whatever comes back.
import { get, pause, target } from './double.mjs';

for (let at = 0; ; ) {
  const { ok } = await get(target(at)).catch(() => ({ ok: false }));
  if (ok) at += 1;
  await pause(ok ? 300 : 100);
}
