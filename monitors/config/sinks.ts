import { dirname, resolve } from 'node:path';
import { readNamedFile } from '@candleproof/files/read-file';
import { readDuration } from '@candleproof/files/read-numbers';
import { UsageError } from '@candleproof/files/usage-error';
import type { Environment } from '@candleproof/files/user-folders';
import type { Alerting, Sink } from '../plan/definition.ts';
import {
  addressMistake,
  type ConfiguredSink,
  type MonitoringForm,
  type PlacedForm,
} from './monitoring-form.ts';
import { usualBeat, usualReminders } from './usual-monitoring.ts';

/** Addresses and secrets are a line each. */
const mostBytes = 1 << 16;

/**
 * The alerts of a config with their secrets from the environment or files; without an environment nothing secret is
 * read and there are no sinks. Throws a UsageError for what is missing there or cannot be used; no message repeats it.
 */
export function readAlerting(config: PlacedForm, env: Environment | undefined): Alerting {
  const { alerts } = config.monitoring;
  const reminder = readReminders(alerts?.reminder);
  const failures = alerts?.after === undefined ? {} : { failures: alerts.after };
  if (!alerts || !env) return { sinks: [], reminder, ...failures };
  const { heartbeat, sinks, page, then } = alerts;
  return {
    sinks: Object.entries(sinks).map(([name, sink]) => ({
      ...readSink(name, sink, config, env),
      ...(sink.severity && { severity: sink.severity }),
      ...(sink.targets && { targets: sink.targets }),
      ...(page !== undefined && { page }),
    })),
    reminder,
    ...failures,
    ...(then && { escalation: { sink: then.sink, after: readDuration(then.after) } }),
    ...(heartbeat && {
      heartbeat: { sink: heartbeat.sink, every: readDuration(heartbeat.every ?? usualBeat) },
    }),
  };
}

/** Reads how long until an open alert is reported again, by its severity. */
export function readReminders(
  reminder: NonNullable<MonitoringForm['alerts']>['reminder'] = {},
): Alerting['reminder'] {
  const { page, ticket } = { ...usualReminders, ...reminder };
  return { page: readDuration(page), ticket: readDuration(ticket) };
}

function readSink(name: string, sink: ConfiguredSink, config: PlacedForm, env: Environment): Sink {
  const resolveFile = (file: string): string => resolve(dirname(config.file), file);
  const { command, webhook, webhookFile, secret, secretFile, form = 'plain' } = sink;
  if (command) {
    const [program = '', ...rest] = command;
    return {
      name,
      kind: 'command',
      command: [/^\.\.?\//.test(program) ? resolveFile(program) : program, ...rest],
    };
  }
  const read = (
    field: string,
    reference: string | undefined,
    file: string | undefined,
  ): string | undefined =>
    file === undefined
      ? readVariable(reference, env, place(config, name, field))
      : readSecretFile(resolveFile(file), place(config, name, field));
  const url = read(webhookFile === undefined ? 'webhook' : 'webhookFile', webhook, webhookFile) ?? '';
  const mistake = addressMistake(url);
  if (mistake !== undefined)
    throw new UsageError(`${place(config, name, 'webhook')}: the address ${mistake}`);
  const key = read(secretFile === undefined ? 'secret' : 'secretFile', secret, secretFile);
  if (key !== undefined && !isUsableSecret(key))
    throw new UsageError(
      `${place(config, name, 'secret')}: the secret begins with whsec_, but no base64 of 24 bytes or more follows: generate another one`,
    );
  return { name, kind: 'webhook', url, form, secret: key };
}

/** Returns whether a secret that begins with `whsec_` has the key that Standard Webhooks expect; any other is itself. */
function isUsableSecret(secret: string): boolean {
  const [, encoded] = /^whsec_(.*)$/s.exec(secret) ?? [];
  return encoded === undefined || /^(?:[\w+/-]{4}){8,}(?:[\w+/-]{2,3}={0,2})?$/.test(encoded);
}

function place(config: PlacedForm, name: string, field: string): string {
  return `--config: ${config.file}:${config.pathLine(['alerts', 'sinks', name, field])}: sink "${name}"`;
}

/** Text that is no reference is itself. */
function readVariable(text: string | undefined, env: Environment, place: string): string | undefined {
  const name = /^\$\{(\w+)\}$/.exec(text ?? '')?.[1];
  if (name === undefined) return text;
  const value = env[name]?.trim();
  if (value) return value;
  throw new UsageError(`${place} needs ${text}: set it in the environment`);
}

function readSecretFile(file: string, place: string): string {
  const text = readNamedFile(file, place, mostBytes).trim();
  if (text === '') throw new UsageError(`${place}: ${file} is empty: put the text into it`);
  return text;
}
