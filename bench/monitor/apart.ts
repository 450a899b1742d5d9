import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../files/make-folder.ts';
import type { RunningService } from '../../service/start.ts';

export type Apart = Pick<RunningService, 'url' | 'apiKey' | 'caPem' | 'poolsV1' | 'poolsV2'> & {
  close(): Promise<void>;
};

/** The reference service in a process of its own. */
export async function servedApart(dataDir: string): Promise<Apart> {
  makeFolder(dataDir);
  const child = fork(fileURLToPath(new URL('./served.ts', import.meta.url)), [dataDir]);
  const [facts] = (await once(child, 'message')) as [Omit<Apart, 'close'>];
  return {
    ...facts,
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** CPU time in ms of one bare request over a new TLS connection, its body read; the best of three rounds. */
export async function bareRequests(service: Apart, count: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage();
    for (let each = 0; each < count; each++) await bareRequest(service);
    const { user, system } = process.cpuUsage(begun);
    best = Math.min(best, (user + system) / 1000 / count);
  }
  return best;
}

function bareRequest({ url, caPem, apiKey }: Apart): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { ca: caPem, agent: false as const, headers: { 'x-api-key': apiKey } };
    const sent = request(`${url}/tokens`, options, (answer) => {
      answer.resume();
      answer.once('end', resolve);
    });
    sent.once('error', reject).end();
  });
}
