import { test } from '@playwright/test';
import { startBuilt } from '../../service/testing/built-market.ts';
import { expect } from '../../testing/expect.ts';
import type { ShownMarket, UnseenFault } from './fault.ts';
import { type ProxyUpstream, startProxy } from './proxy.ts';
import { unseenSets } from './sets.ts';

/** Soon after a change of clocks, and early in a minute. */
const now = () => Date.UTC(2026, 10, 15, 12, 20, 10);

function readMarket(issued: string): ShownMarket {
  return {
    now: now() / 1000,
    issued,
    history: (interval, from, to, more = '', pool = 1) =>
      `/v2/pools/conversionRates/${pool}?from=${from}&to=${to}&interval=${interval}${more}`,
    latest: (interval) => `/pools/conversionRates/latest/0?interval=${interval}`,
  };
}

async function countShown(fault: UnseenFault, upstream: ProxyUpstream): Promise<number> {
  const proxy = await startProxy(upstream, fault.make(), { compares: true, now });
  for (const { path, method = 'GET', headers, key = upstream.key, times = 1 } of fault.shows(
    readMarket(upstream.key),
  ))
    for (let time = 0; time < times; time++)
      await fetch(proxy.url + path, {
        method,
        headers: { ...headers, ...(key && { 'x-api-key': key }) },
      }).then((answer) => answer.arrayBuffer());
  await proxy.close();
  return proxy.shown();
}

for (const [name, { faults }] of Object.entries(unseenSets)) {
  test(`each of the forty faults of the ${name} set changes an answer`, { tag: '@endurance' }, async () => {
    const service = await startBuilt({ seed: 1, now });
    const upstream = { url: service.url, key: service.apiKey, ca: service.caPem };
    const unchanged: string[] = [];
    for (const fault of faults) if (!(await countShown(fault, upstream))) unchanged.push(fault.title);
    await service.close();
    expect(unchanged).toEqual([]);
    expect(faults.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });
}
