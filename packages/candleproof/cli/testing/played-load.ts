import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { ourQuotaHeaders } from '@candleproof/law/worlds/our-quota';
import { computeBill, type Load } from '@candleproof/load/bill';
import type { LoadPlan, LoadRun } from '@candleproof/load/load-run';
import type { K6 } from '@candleproof/load/running/find-k6';
import type { GeneratorRun } from '@candleproof/load/running/generator';
import { runEmbedded } from '@candleproof/load/running/run-embedded';
import { runK6 } from '@candleproof/load/running/run-k6';
import { sampleTrial } from '@candleproof/load/testing/runs';

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
    ...change,
  };
}

/** Sends a plan by the embedded engine or k6, without the command around it; `startedAt` is the instant its load began, in ms. */
export async function play(
  plan: LoadPlan,
  { k6, ...given }: Pick<GeneratorRun, 'apiKey' | 'ca' | 'segment'> & { k6?: K6 | undefined } = {},
): Promise<LoadRun & { startedAt: number }> {
  let startedAt = Number.NaN;
  const generated: GeneratorRun = {
    ...{ plan, ...given },
    stop: new AbortController().signal,
    onMessage: (message) => {
      if (message.kind === 'begun') startedAt = message.startedAt;
    },
  };
  const { run, code, complaints } = await (k6 ? runK6({ ...generated, k6 }) : runEmbedded(generated));
  if (!run) throw new Error(`the generator ended with ${code}: ${complaints.join('; ')}`);
  return { ...run, startedAt };
}
