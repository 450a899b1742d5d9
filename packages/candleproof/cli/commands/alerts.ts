import { UsageError } from '@candleproof/files/usage-error';
import { sendTest } from '@candleproof/monitors/alerting/send';
import { readDefinition, readSettings } from '@candleproof/monitors/config/definition';
import { makeVisible } from '@candleproof/reports/words/escape';
import type { Command } from 'commander';
import { openConfig } from '../config/config.ts';
import { runStoppable } from '../running/stopping.ts';
import { printText } from '../words/output.ts';

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
  const { alerting, location } = readDefinition(config, process.env);
  const { sinks } = alerting;
  const chosen = sinks.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    const known = sinks.map(({ name }) => name).join(', ') || 'none: add one under alerts.sinks';
    const which = wanted === undefined ? 'no sink' : `no sink "${wanted}"`;
    throw new UsageError(`alerts: ${config.file} has ${which}; it has ${known}`);
  }
  const { environment } = readSettings(config, process.env);
  const isSent = await runStoppable(deadline, (signal) =>
    sendTest(chosen, location, { now: Date.now(), signal, environment }, ({ name }, reason) =>
      printText(`${name}  ${reason === undefined ? 'delivered' : `failed: ${makeVisible(reason)}`}\n`),
    ),
  );
  return isSent ? 0 : 1;
}
