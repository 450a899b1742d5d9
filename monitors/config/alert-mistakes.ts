import { type Mistake, toMistakes } from '@candleproof/check/forms/form-file';
import { readDuration } from '@candleproof/files/read-numbers';
import { addressMistake, type ConfiguredSink, type MonitoringForm } from './monitoring-form.ts';
import { unknownTargetMessage } from './probes.ts';

/** Seconds between two signs of life, at least. */
const shortestBeat = 10_000;

/** Finds the mistakes in the alerts that the schema cannot express. */
export function alertMistakes(
  { heartbeat, sinks, then }: NonNullable<MonitoringForm['alerts']>,
  targets: object,
): Mistake[] {
  const ofSinks = Object.entries(sinks).flatMap(([name, sink]) =>
    [...sinkMistakes(name, sink), ...unknownTargets(sink, targets)].map(({ path, message }) => ({
      path: ['alerts', 'sinks', name, ...path],
      message,
    })),
  );
  const ofThen = toMistakes(
    ['alerts', 'then', 'sink'],
    then !== undefined && !Object.hasOwn(sinks, then.sink) && unknownSink(then.sink, sinks),
  );
  if (!heartbeat) return [...ofSinks, ...ofThen];
  const path = ['alerts', 'heartbeat'];
  const { sink, every } = heartbeat;
  return [
    ...ofSinks,
    ...ofThen,
    ...toMistakes([...path, 'sink'], !Object.hasOwn(sinks, sink) && unknownSink(sink, sinks)),
    ...toMistakes(
      [...path, 'every'],
      every !== undefined &&
        readDuration(every) < shortestBeat &&
        `every ${every} is too often: give at least 10s`,
    ),
  ];
}

function unknownSink(sink: string, sinks: object): string {
  return `no sink is called "${sink}": use ${Object.keys(sinks).join(', ')}`;
}

function sinkMistakes(name: string, sink: ConfiguredSink): Mistake[] {
  const { webhook, webhookFile, command, form, secret, secretFile } = sink;
  const kinds = [webhook, webhookFile, command].filter((way) => way !== undefined);
  if (kinds.length !== 1)
    return toMistakes([], `sink "${name}" needs one of webhook, webhookFile and command`);
  if (command)
    return Object.entries({ form, secret, secretFile }).flatMap(([field, value]) =>
      toMistakes([field], value !== undefined && `a command takes no ${field}: leave "${field}" out`),
    );
  const isDouble = secret !== undefined && secretFile !== undefined;
  return [
    ...toMistakes(['webhook'], webhook === undefined ? undefined : literalMistake(webhook, form)),
    ...toMistakes(['secretFile'], isDouble && `sink "${name}" takes secret or secretFile, and not both`),
  ];
}

function unknownTargets({ targets = [] }: ConfiguredSink, known: object): Mistake[] {
  return targets.flatMap((name, index) =>
    toMistakes(['targets', String(index)], !Object.hasOwn(known, name) && unknownTargetMessage(name, known)),
  );
}

/** An address that allows posting is a secret, so the message does not repeat it. */
function literalMistake(webhook: string, form: ConfiguredSink['form']): string | undefined {
  if (/^\$\{[A-Za-z_]\w*\}$/.test(webhook)) return undefined;
  const mistake = addressMistake(webhook);
  if (mistake !== undefined) return `the webhook ${mistake}`;
  const url = new URL(webhook);
  const isHere = url.protocol === 'http:';
  const isSecret = url.username || url.password || url.search || url.hash || (form === 'slack' && !isHere);
  return isSecret || /(^|\.)slack\.com$/.test(url.hostname)
    ? `the webhook at ${url.hostname} is a secret: put it into the environment and write \${NAME}, or use webhookFile`
    : undefined;
}
