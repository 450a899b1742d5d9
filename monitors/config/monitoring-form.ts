import { isLoopback } from '@candleproof/client/send/base-url';
import type { DocumentFiles, PoolsBySpace } from '@candleproof/document/spec/spec';
import type { DatedWindow, WeeklyWindow } from '../plan/maintenance.ts';
import type { Indicator } from '../results/probe-record.ts';
import type { ConfiguredProbe } from './probes.ts';

/** In percent. */
type ConfiguredObjective = { readonly objective: number; readonly under?: string };

export type ConfiguredMaintenance = (WeeklyWindow | DatedWindow) & { readonly target: string };

/** Secrets by reference only, to the environment or a file. */
export type ConfiguredSink = {
  readonly webhook?: string;
  readonly webhookFile?: string;
  readonly form?: 'plain' | 'slack';
  readonly secret?: string;
  readonly secretFile?: string;
  readonly command?: readonly string[];
  readonly severity?: 'page' | 'ticket';
  readonly targets?: readonly string[];
};

/** The monitors of candleproof.yaml, as read. */
export type MonitoringForm = {
  readonly monitor?:
    | {
        readonly location?: string;
        /** Such as `2 of 3`. */
        readonly slots?: string;
        readonly control?: string;
        readonly listen?: string;
        readonly keep?: { readonly raw?: string; readonly hours?: string };
      }
    | undefined;
  readonly probes?: Readonly<Record<string, ConfiguredProbe>> | undefined;
  readonly slos?: Readonly<Partial<Record<Indicator, ConfiguredObjective>>> | undefined;
  readonly maintenance?: readonly ConfiguredMaintenance[] | undefined;
  readonly alerts?:
    | {
        readonly reminder?: { readonly page?: string; readonly ticket?: string };
        readonly after?: number;
        readonly then?: { readonly sink: string; readonly after: string };
        readonly page?: string;
        readonly heartbeat?: { readonly sink: string; readonly every?: string };
        readonly sinks: Readonly<Record<string, ConfiguredSink>>;
      }
    | undefined;
};

/** The facts of a target of a config that monitors need. */
export type WatchedForm = {
  readonly pools: PoolsBySpace;
  /** Requests per month without a key; `none` if nothing counts them. */
  readonly limit?: number | 'none';
  readonly group?: string;
  readonly dependsOn?: string;
  readonly runbook?: string;
};

/** The monitors' part of a config with its targets, and where it stands. */
export type PlacedForm = {
  readonly file: string;
  readonly document: DocumentFiles;
  readonly targets: Readonly<Record<string, WatchedForm>>;
  readonly monitoring: MonitoringForm;
  /** The environment variables that the config names anywhere. */
  readonly variables: ReadonlySet<string>;
  /** Line of a place in the file, or of the part around it. */
  pathLine(path: readonly string[]): number;
};

/** Returns the mistake in a sink's address, which is https, or plain HTTP to this machine; undefined for a proper one. */
export function addressMistake(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'is no URL: give one such as https://host/path';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(text))) return undefined;
  return `begins with ${url.protocol}//${url.host}: alerts leave this machine over https only`;
}
