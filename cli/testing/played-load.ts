import type { TargetFacts } from '../../contract/reading/exchange.ts';
import { ourQuotaHeaders } from '../../contract/worlds/our-quota.ts';
import { computeBill, type Load } from '../../load/bill.ts';
import type { LoadPlan, LoadRun } from '../../load/load-run.ts';
import { requireK6 } from '../../load/running/find-k6.ts';
import { type K6Run, runK6 } from '../../load/running/run-k6.ts';
import { sampleTrial } from '../../load/testing/runs.ts';

/** Returns a steady load. */
export function steady(perSecond: number, seconds: number): Load {
  const perMinute = 60 * perSecond;
  return { startPerMinute: perMinute, stages: [{ perMinute, seconds }] };
}

/** Token lists, none of them judged, in place of what is changed. */
export function plainPlan(
  target: Pick<TargetFacts, 'baseUrl'> & Partial<TargetFacts>,
  load: Load,
  change: Partial<LoadPlan> = {},
): LoadPlan {
  return {
    trial: { ...sampleTrial, load, bill: computeBill(load), judgeShare: 0 },
    target: { name: 'test', pools: {}, keyless: false, soleUser: false, ...target },
    cap: computeBill(load),
    quota: ourQuotaHeaders,
    keyHeader: 'x-api-key',
    keyPrefix: '',
    mix: [{ operation: 'listTokens', kind: 'all', path: '/tokens' }],
    timeoutMs: 2000,
    vus: 12,
    userAgent: 'test',
    spec: '{}',
    ...change,
  };
}

/** k6 with a plan, without the command around it; `startedAt` is the instant its load began, in ms. */
export async function play(
  plan: LoadPlan,
  { apiKey, ca, segment }: Pick<K6Run, 'apiKey' | 'ca' | 'segment'>,
): Promise<LoadRun & { startedAt: number }> {
  let startedAt = Number.NaN;
  const { run, code, complaints } = await runK6({
    ...{ k6: requireK6(), plan, apiKey, ca, segment },
    stop: new AbortController().signal,
    onMessage: (message) => {
      if (message.kind === 'begun') startedAt = message.startedAt;
    },
  });
  if (!run) throw new Error(`k6 ended with ${code}: ${complaints.join('; ')}`);
  return { ...run, startedAt };
}
