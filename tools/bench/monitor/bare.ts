import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** The requests to send, with their number per minute, each over a new connection. */
export type BareRequests = {
  readonly url: string;
  readonly key: string;
  readonly ca: string;
  readonly paths: readonly string[];
  readonly perMinute: number;
};

/** Sends the due requests every full second, like a monitor; `sent` counts the answered ones. */
const { url, key, ca, paths, perMinute }: BareRequests = JSON.parse(process.argv[2] ?? '');
let sent = 0;
process.on('message', () => process.send?.({ ...process.cpuUsage(), sent }));
process.once('disconnect', () => process.exit());
const begun = Date.now();
for (let due = 0, next = 0; ; due = ((Date.now() - begun) * perMinute) / 60_000) {
  for (; next < due; next++) bareRequest(paths[next % paths.length] ?? '');
  await sleep(1000 - (Date.now() % 1000));
}

function bareRequest(path: string): void {
  const options = { ca, agent: false as const, headers: { 'x-api-key': key } };
  const leaving = request(url + path, options, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`${path} was refused with ${answer.statusCode}`);
    answer.resume().once('end', () => {
      sent += 1;
    });
  });
  leaving.end();
}
