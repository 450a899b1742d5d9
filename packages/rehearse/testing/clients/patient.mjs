// Node's fetch with a backoff by hand: heeds Retry-After, doubles its wait else, and stays within its month.
import { get, makePauses, pause, target } from './double.mjs';

const next = makePauses();
let failures = 0;
for (let at = 0; ; ) {
  const { ok, status, headers } = await get(target(at)).catch(() => ({
    ok: false,
    status: 0,
    headers: new Headers(),
  }));
  if (status === 401) process.exit(1);
  failures = ok ? 0 : failures + 1;
  if (ok) at += 1;
  await pause(ok ? spent(headers) || next() : refused(headers) || 300 * 2 ** failures);
}

function refused(headers) {
  return Number(headers.get('retry-after') ?? 0) * 1000;
}

/** Until the month's reset, where nothing is left of it. */
function spent(headers) {
  if (headers.get('x-ratelimit-remaining') !== '0') return 0;
  return Math.max(0, Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date')) + 1000);
}
