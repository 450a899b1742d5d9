import type { Mistake } from '../../conformance/forms/form-file.ts';
import { readDuration } from './duration.ts';
import { addressMistake, type ConfiguredSink, type MonitoringForm } from './monitoring-form.ts';

/** Seconds between two signs of life, at least. */
const shortestBeat = 10_000;

/** Finds the mistakes in the alerts that the schema cannot express. */
export function alertMistakes({ heartbeat, sinks }: NonNullable<MonitoringForm['alerts']>): Mistake[] {
  const ofSinks = Object.entries(sinks).flatMap(([name, sink]) =>
    sinkMistakes(name, sink).map(({ path, message }) => ({
      path: ['alerts', 'sinks', name, ...path],
      message,
    })),
  );
  if (!heartbeat) return ofSinks;
  const path = ['alerts', 'heartbeat'];
  const { sink, every } = heartbeat;
  return [
    ...ofSinks,
    ...(Object.hasOwn(sinks, sink)
      ? []
      : [
          {
            path: [...path, 'sink'],
            message: `no sink is called "${sink}": use ${Object.keys(sinks).join(', ')}`,
          },
        ]),
    ...(every !== undefined && readDuration(every) < shortestBeat
      ? [{ path: [...path, 'every'], message: `every ${every} is too often: give at least 10s` }]
      : []),
  ];
}

function sinkMistakes(name: string, sink: ConfiguredSink): Mistake[] {
  const { webhook, webhookFile, command, form, secret, secretFile } = sink;
  const kinds = [webhook, webhookFile, command].filter((way) => way !== undefined);
  if (kinds.length !== 1) {
    return [{ path: [], message: `sink "${name}" needs one of webhook, webhookFile and command` }];
  }
  if (command) {
    const strays = Object.entries({ form, secret, secretFile });
    return strays.flatMap(([field, value]) =>
      value === undefined
        ? []
        : [{ path: [field], message: `a command takes no ${field}: leave "${field}" out` }],
    );
  }
  const message = webhook === undefined ? undefined : literalMistake(webhook, form);
  return [
    ...(message === undefined ? [] : [{ path: ['webhook'], message }]),
    ...(secret !== undefined && secretFile !== undefined
      ? [{ path: ['secretFile'], message: `sink "${name}" takes secret or secretFile, and not both` }]
      : []),
  ];
}

/** An address that lets anyone who reads it post is a secret: it is not repeated here either. */
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
