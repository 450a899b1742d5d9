import { hostname } from 'node:os';
import type { Command } from 'commander';
import { UsageError } from '../../files/usage-error.ts';
import { send } from '../../monitors/alerting/send.ts';
import { makeVisible } from '../../reports/words/escape.ts';
import { openConfig } from '../config/config.ts';
import { alertEnvironment, readAlerting } from '../config/sinks.ts';
import { stopping } from '../running/stopping.ts';
import { say } from '../words/output.ts';

/** Longest time (s) for all sinks together. */
const deadline = 120;

/** Adds the command `alerts` to the program. */
export function registerAlerts(program: Command, exit: (code: number) => void): void {
  const alerts = program.command('alerts').description('the sinks that alerts are sent to');
  alerts
    .command('test [sink]')
    .description('send one test message through the configured sinks')
    .option('--config <file>', 'the config with the sinks (candleproof.yaml)')
    .action(async (sink: string | undefined, flags: { readonly config?: string }) =>
      exit(await testSinks(sink, flags.config)),
    );
}

async function testSinks(wanted: string | undefined, file: string | undefined): Promise<number> {
  const config = openConfig(file);
  if (!config) throw new UsageError('alerts: there is no candleproof.yaml: name one with --config');
  const { sinks } = readAlerting(config, process.env);
  const chosen = sinks.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    const known = sinks.map(({ name }) => name).join(', ') || 'none: add one under alerts.sinks';
    const which = wanted === undefined ? 'no sink' : `no sink "${wanted}"`;
    throw new UsageError(`alerts: ${config.file} has ${which}; it has ${known}`);
  }
  const stop = stopping(deadline);
  const environment = alertEnvironment(process.env, config);
  const location = config.monitoring.monitor?.location ?? 'here';
  const now = Date.now();
  const at = new Date(now).toISOString();
  const text = `a test from ${hostname()}: alerts of ${location} reach this place`;
  const message = {
    id: `test/${encodeURIComponent(location)}/${now}`,
    kind: 'test',
    at,
    location,
    text,
  } as const;
  const failures = await Promise.all(
    chosen.map(async (sink) => {
      const reason = await send(sink, message, { now, signal: stop.signal, environment });
      say(`${sink.name}  ${reason === undefined ? 'took the message' : `failed: ${makeVisible(reason)}`}\n`);
      return reason !== undefined;
    }),
  );
  stop.dispose();
  return failures.includes(true) ? 1 : 0;
}
