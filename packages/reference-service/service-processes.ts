import { UnwritableFile } from '@candleproof/files/usage-error';
import type { PostgresAddress } from '@candleproof/postgres/address';
import { PostgresTrouble } from '@candleproof/postgres/trouble';
import { startOnCachedMarket } from './embedded.ts';
import { createClock, UnreadableInstant } from './instant.ts';
import { QuotaBeyondLimit } from './service-key.ts';
import type { ServingOptions, ServingService } from './serving.ts';
import { startService } from './start.ts';
import { startServiceOnPostgres } from './start-on-postgres.ts';
import { FullStore, UnreadableDatabase } from './store/sqlite/database.ts';
import { type ListeningService, reportReady, Workers, workerRole } from './workers.ts';

/** Settings of a service that is started as a command of its own. */
export type ProcessOptions = ServingOptions & {
  /** Folder of the certificate and the key, and of the store without a database. */
  readonly dataDir: string;
  readonly database?: PostgresAddress | undefined;
  /** Processes on one port, which share the database; each is started with the arguments of this one. */
  readonly workers?: number | undefined;
};

/** A service whose processes listen, or will once they have begun. */
export type ServiceProcesses = {
  /**
   * Reports the service once all processes listen, and again when the one with the operator port was replaced; a worker
   * reports to the process that started it instead. Throws UnstartedWorker.
   */
  begin(onReady: (service: ListeningService) => void): Promise<void>;
  /** Ends all processes after the answers that are under way, for which this one waits `graceMs` at most. */
  stop(graceMs: number): Promise<void>;
};

/** Thrown if a worker ends before it listens; it has reported why. */
export class UnstartedWorker extends Error {
  override readonly name = 'UnstartedWorker';
}

/** Starts a service in this process, or prepares several workers. Throws what startService and startServiceOnPostgres throw. */
export async function openProcesses(options: ProcessOptions): Promise<ServiceProcesses> {
  const { workers: count, now } = options;
  const role = workerRole(process.env);
  if (count !== undefined && !role) return openWorkers(count, now);
  const service = await startOne(options, role);
  if (!role) return { begin: async (onReady) => onReady(service), stop: (graceMs) => service.close(graceMs) };
  return {
    begin: async () => reportReady(service),
    stop: async (graceMs) => {
      await service.close(graceMs);
      // Its channel to the command would keep a worker from its end.
      process.disconnect();
    },
  };
}

function openWorkers(count: number, now: ProcessOptions['now']): ServiceProcesses {
  const aheadMs = now === undefined ? undefined : createClock(now)() - Date.now();
  let workers: Workers | undefined;
  return {
    begin: async (onReady) => {
      workers = new Workers(aheadMs, onReady);
      if (!(await workers.start(count))) throw new UnstartedWorker('a worker ended before it listened');
    },
    stop: async () => workers?.stop(),
  };
}

function startOne(
  { database, workers: _, ...options }: ProcessOptions,
  role: ReturnType<typeof workerRole>,
): Promise<ServingService> {
  const { operatorPort, ...rest } = options;
  const { aheadMs, isFirst = true } = role ?? {};
  const given = {
    ...rest,
    ...(aheadMs !== undefined && { now: () => Date.now() + aheadMs }),
    ...(operatorPort !== undefined && isFirst && { operatorPort }),
  };
  if (database) return startServiceOnPostgres({ ...given, database });
  // Another clock or network has another market.
  const isUsual = given.seed === undefined && given.now === undefined && given.profile === undefined;
  return isUsual ? startOnCachedMarket(given) : startService(given);
}

/** Returns the option that kept a service from starting; undefined if it was none of these. */
export function findTroubledOption(error: unknown): 'now' | 'database' | 'quota' | 'dataDir' | undefined {
  if (error instanceof UnreadableInstant) return 'now';
  if (error instanceof PostgresTrouble) return 'database';
  if (error instanceof QuotaBeyondLimit) return 'quota';
  const isPlace = [UnwritableFile, UnreadableDatabase, FullStore].some((kind) => error instanceof kind);
  return isPlace ? 'dataDir' : undefined;
}
