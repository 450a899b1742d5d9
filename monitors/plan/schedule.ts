import { schedule } from 'node-cron';

/**
 * Calls the work at every whole second of UTC; a second that begins while the work of the one before is still going is
 * left out. The result ends it.
 */
export function everySecond(work: () => Promise<void>): () => Promise<void> {
  const task = schedule('* * * * * *', work, {
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
    logger: silent,
  });
  return async () => {
    await task.destroy();
  };
}

const nothing = (): void => undefined;
const silent = { info: nothing, warn: nothing, error: nothing, debug: nothing };
