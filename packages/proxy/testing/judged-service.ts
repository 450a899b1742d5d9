import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { openProxy, type RunningProxy } from '../forwarding/proxy.ts';
import { StreamingJudge, type StreamingJudgeOptions } from '../judging/streaming-judge.ts';
import { type ClientPlan, ordinaryTraffic } from './ordinary-clients.ts';

export type JudgedService = {
  readonly service: RunningService;
  readonly proxy: RunningProxy;
  readonly judge: StreamingJudge;
  send(plan: Pick<ClientPlan, 'seed' | 'requests' | 'atOnce' | 'pauseMs'>): Promise<number[]>;
  close(): Promise<void>;
};

/** Starts the reference service behind a proxy that judges passing traffic. */
export async function judgedService(
  faults: readonly string[],
  options: Pick<StreamingJudgeOptions, 'onFound' | 'onMinuteLost'> = {},
): Promise<JudgedService> {
  const service = await startBuilt({ seed: 1, faults });
  const { url, caPem, apiKey, poolsV1, poolsV2 } = service;
  const judge = new StreamingJudge({
    specFile: 'openapi.yaml',
    target: { name: 'traffic', baseUrl: url, pools: {}, keyless: false, soleUser: false },
    ...options,
  });
  const proxy = await openProxy({
    upstream: { baseUrl: url, ca: caPem },
    host: '127.0.0.1',
    port: 0,
    observer: judge,
    patienceMs: 10_000,
  });
  return {
    service,
    proxy,
    judge,
    send: (plan) => ordinaryTraffic({ url: proxy.url, apiKey, poolsV1, poolsV2, ...plan }),
    close: async () => {
      await proxy.close(0);
      await judge.close();
      await service.close();
    },
  };
}
