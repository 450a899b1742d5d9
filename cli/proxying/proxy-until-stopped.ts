import { basename, dirname, join, resolve } from 'node:path';
import { writeNamed } from '../../files/named-output.ts';
import { ownerOnly } from '../../files/owner-only.ts';
import { UsageError } from '../../files/usage-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import { type MonitorPort, openPort } from '../../monitors/slots/port.ts';
import { writeReports } from '../../reports/files/write-run.ts';
import { StreamingJudge } from '../../traffic/judging/streaming-judge.ts';
import {
  openProxy,
  type ProxyCounts,
  type ProxyOptions,
  type RunningProxy,
} from '../../traffic/proxy/proxy.ts';
import { withdraw } from '../serving/announcement.ts';
import { startTrouble } from '../serving/start-trouble.ts';
import { Keeper } from './keeping/keeper.ts';
import { limitsOf, type ProxyJob } from './proxy-job.ts';
import { TrafficLog } from './traffic-log.ts';
import { trafficRoutes } from './traffic-metrics.ts';
import { trafficRun } from './traffic-run.ts';

/** Longest wait in ms for answers that are under way when it has to stop, and for the judge of what passed. */
const graceMs = 5000;

/** Passes and judges traffic until a signal ends it; the reports are in its folder then. Throws a UsageError. */
export async function proxyUntilStopped(job: ProxyJob): Promise<void> {
  const { flags, facts, law, out } = job;
  const log = new TrafficLog(facts.name);
  const keeper = job.keeping && (await Keeper.open(job.keeping, (...lost) => log.lose(...lost)));
  const judge = new StreamingJudge({
    specFile: job.spec.file,
    target: facts,
    ...(flags.only && { only: [...law.rules, ...law.questions].map(({ id }) => id) }),
    ...(flags.edition !== undefined && { edition: flags.edition }),
    onFound: (standing, before) => log.find(standing, before),
    onMinute: (minute) => keeper?.take(minute),
    onMinuteLost: (begin) => log.loseMinute(begin),
    onQuota: (quota) => keeper?.see(quota),
  });
  const startedAt = new Date().toISOString();
  const report = (): void => void writeReports(trafficRun(job, judge.seen, startedAt), out);
  const stopped = signalled();
  let proxy: RunningProxy | undefined;
  let metrics: MonitorPort | undefined;
  let every: NodeJS.Timeout | undefined;
  try {
    metrics = await openMetrics(job, judge, () => proxy?.counts);
    proxy = await listen(job, judge, log);
    keeper?.begin({ upstream: facts.baseUrl, url: proxy.url });
    announce(job, proxy.url, metrics?.url);
    if (flags.every !== undefined)
      every = setInterval(
        () => void judge.settled(graceMs).then(() => log.guard(report)),
        flags.every * 60_000,
      );
    await stopped;
    log.say('stopping');
  } finally {
    clearInterval(every);
    withdraw(flags.readyFile);
    await proxy?.close(graceMs);
    if (proxy) await judge.finished(graceMs);
    await judge.close();
    await keeper?.close(graceMs);
    await metrics?.close();
  }
  report();
  log.end(judge.seen, proxy?.counts, join(out, 'index.html'));
}

async function listen(job: ProxyJob, onlooker: StreamingJudge, log: TrafficLog): Promise<RunningProxy> {
  const { facts, ca, certificate, host, proxyEnv, flags } = job;
  const { port, timeout: patienceMs } = flags;
  const upstream = { baseUrl: facts.baseUrl, ca, proxyEnv };
  const guarded: Pick<ProxyOptions, 'limits' | 'onNotPassed'> = {
    limits: limitsOf(flags),
    onNotPassed: (reason, count) => log.refuse(reason, count),
  };
  try {
    return await openProxy({ upstream, host, port, certificate, onlooker, patienceMs, ...guarded });
  } catch (error) {
    throw startTrouble(error, { port, host });
  }
}

async function openMetrics(
  { flags: { metricsPort: port } }: ProxyJob,
  judge: StreamingJudge,
  counts: () => ProxyCounts | undefined,
): Promise<MonitorPort | undefined> {
  if (port === undefined) return undefined;
  try {
    return await openPort({ port, routes: trafficRoutes(() => judge.seen, counts) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'it is in use: give another, 0 for any that is free' : message;
    throw new UsageError(`--metrics-port: ${port}: ${why}`);
  }
}

/** On stdout, and in a ready file where one is wanted; paths are absolute. */
function announce({ certificate, facts, flags, out }: ProxyJob, url: string, metricsUrl?: string): void {
  const caFile = certificate?.caPem === undefined ? undefined : join(out, 'ca.pem');
  if (certificate?.caPem !== undefined) {
    const files = { 'ca.pem': certificate.caPem };
    writeNamed('--out', () => writeFiles(out, files));
  }
  const lines = [
    `passing ${url} on to ${facts.baseUrl}`,
    ...(caFile === undefined ? [] : [`clients trust it by ${caFile}`]),
    ...(metricsUrl === undefined ? [] : [`metrics: ${metricsUrl}/metrics`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (flags.readyFile === undefined) return;
  const ready = {
    ...{ url, upstream: facts.baseUrl, pid: process.pid },
    ...(caFile !== undefined && { caFile: resolve(caFile) }),
    ...(metricsUrl !== undefined && { metricsUrl }),
  };
  const { readyFile } = flags;
  const files = { [basename(readyFile)]: `${JSON.stringify(ready)}\n` };
  writeNamed('--ready-file', () => writeFiles(dirname(readyFile), files, ownerOnly));
}

/** Heard before anybody learns that it listens, and until the process ends: a second signal cuts no report short. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}
