import { join, resolve } from 'node:path';
import { writeNamedFiles } from '@candleproof/files/write-files';
import { ProxyNotOpened, type WatchedTraffic, watchTraffic } from '@candleproof/proxy/running/watch-traffic';
import { writeReports } from '../../library/write-run.ts';
import { isStdout } from '../running/file-option.ts';
import { withdraw } from '../serving/announcement.ts';
import { startTrouble } from '../serving/start-trouble.ts';
import { wordStream, writeText } from '../words/output.ts';
import { type ProxyJob, readLimits } from './proxy-job.ts';
import { TrafficLog } from './traffic-log.ts';

/** Passes and judges traffic until a signal ends it; then writes the reports into its folder. Throws a UsageError. */
export async function proxyUntilStopped(job: ProxyJob): Promise<void> {
  const { flags, facts, out } = job;
  const log = new TrafficLog(facts.name);
  const stopped = waitForSignal();
  const traffic = await begin(job, log);
  const report = (): void => void writeReports(traffic.outcome(), out);
  let every: NodeJS.Timeout | undefined;
  try {
    announce(job, traffic.url, traffic.metricsUrl);
    if (flags.every !== undefined)
      every = setInterval(() => void traffic.settle().then(() => log.guard(report)), flags.every * 60_000);
    await stopped;
    log.say('stopping');
  } finally {
    clearInterval(every);
    withdraw(flags.readyFile);
    await traffic.close();
  }
  report();
  log.end(traffic.seen(), traffic.counts(), join(out, 'index.html'));
}

async function begin(job: ProxyJob, log: TrafficLog): Promise<WatchedTraffic> {
  const { flags, host } = job;
  const { port, timeout: patienceMs, metricsPort, only } = flags;
  const options = {
    ...{ ...job, port, patienceMs, certificate: job.certificate, limits: readLimits(flags) },
    metricsPort,
    only,
  };
  try {
    return await watchTraffic(options, {
      onFound: (openFinding, before) => log.find(openFinding, before),
      onMinuteLost: (minute) => log.loseMinute(minute),
      onLost: (reason) => log.lose(reason),
      onNotPassed: (reason, count) => log.refuse(reason, count),
    });
  } catch (error) {
    throw error instanceof ProxyNotOpened ? startTrouble(error.cause, { port, host }) : error;
  }
}

/** Announces the proxy on stdout, and in a ready file if requested; paths are absolute. */
function announce({ certificate, facts, flags, out }: ProxyJob, url: string, metricsUrl?: string): void {
  const caFile = certificate?.caPem === undefined ? undefined : join(out, 'ca.pem');
  if (certificate?.caPem !== undefined) writeNamedFiles('--out', out, { 'ca.pem': certificate.caPem });
  const lines = [
    `passing ${url} on to ${facts.baseUrl}`,
    ...(caFile === undefined ? [] : [`clients trust it by ${caFile}`]),
    ...(metricsUrl === undefined ? [] : [`metrics: ${metricsUrl}/metrics`]),
  ];
  wordStream({ json: isStdout(flags.readyFile) }).write(`${lines.join('\n')}\n`);
  if (flags.readyFile === undefined) return;
  const ready = {
    ...{ url, upstream: facts.baseUrl, pid: process.pid },
    caFile: caFile && resolve(caFile),
    metricsUrl,
  };
  writeText(flags.readyFile, `${JSON.stringify(ready)}\n`);
}

/** Resolves on a signal; called before the announcement. Its handlers stay: a second signal cuts no report short. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}
