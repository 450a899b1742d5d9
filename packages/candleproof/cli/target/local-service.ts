import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import { describeEmbedded, type Target } from '@candleproof/check/target/target';
import { startEmbedded } from '@candleproof/reference-service/embedded';
import type { NamedTarget, RemoteTarget } from './read-target.ts';

type LocalOptions = {
  readonly seed?: number | undefined;
  readonly faults?: readonly string[];
  /** The caller handles signals itself, and closes. */
  readonly handlesSignals?: true;
  /** Called when the document is read, and when the embedded service listens. */
  readonly onStage?: (stage: 'document' | 'service') => void;
};

/** Starts the embedded service and returns it as a target. */
export async function openLocal(
  options: LocalOptions = {},
): Promise<{ readonly target: Target; close(): Promise<void> }> {
  const restore = options.handlesSignals ? (): void => undefined : exitOnSignals();
  try {
    const spec = await acceptSpec();
    options.onStage?.('document');
    const service = await startEmbedded(options);
    options.onStage?.('service');
    return {
      target: describeEmbedded(service, spec),
      close: () => service.close().finally(restore),
    };
  } catch (error) {
    restore();
    throw error;
  }
}

/** Runs work on a target whose document the linters accept; the embedded service is started for it and stopped after it. The caller handles signals. */
export async function withTarget<Result>(
  target: NamedTarget,
  options: Omit<LocalOptions, 'handlesSignals'>,
  work: (target: Target, remote?: RemoteTarget) => Promise<Result>,
): Promise<Result> {
  if (target.kind === 'remote') {
    await acceptSpec(target.spec);
    options.onStage?.('document');
    return work(target, target);
  }
  const local = await openLocal({ ...options, handlesSignals: true });
  try {
    return await work(local.target);
  } finally {
    await local.close();
  }
}

/** The end of the process removes what the service left behind; returns a function that undoes this. */
function exitOnSignals(): () => void {
  const exit = (): never => process.exit(130);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}
