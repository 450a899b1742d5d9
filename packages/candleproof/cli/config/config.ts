import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readForm } from '@candleproof/check/forms/form-file';
import { readSpec } from '@candleproof/check/target/accepted-spec';
import type { DocumentFiles } from '@candleproof/document/spec/spec';
import { findDocument, specFile } from '@candleproof/files/package-files';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import { usualShares } from '@candleproof/law/planning/allowance';
import type { MonitoringForm } from '@candleproof/monitors/config/monitoring-form';
import { monitoringMistakes } from '@candleproof/monitors/config/monitoring-mistakes';
import type { ConfiguredDatabase, DatabaseName } from '../database/read-database.ts';
import type { ConfigForm, ConfiguredKey, ConfiguredTarget } from './config-form.ts';
import { databaseMistakes, keyMistakes, targetMistakes } from './config-mistakes.ts';
import { findConfigFile } from './find-config.ts';

/** candleproof.yaml as it was read; file names in it are seen from its folder. */
export type Config = {
  readonly file: string;
  /** The document that its targets are held to. */
  readonly document: DocumentFiles;
  readonly keys: Readonly<Record<string, ConfiguredKey>>;
  readonly targets: Readonly<Record<string, ConfiguredTarget>>;
  /** The database of its keys' accounts: a URL without a password, the name of a file or, as `${NAME}`, of a variable that holds one. */
  readonly ledger?: ConfiguredDatabase;
  readonly monitoring: MonitoringForm;
  /** The seed of checks that name none. */
  readonly seed?: number | undefined;
  /** The database of several locations, in the same forms. */
  readonly results?: ConfiguredDatabase;
  /** The environment variables that it names anywhere, as `${NAME}`. */
  readonly variables: ReadonlySet<string>;
  /** Line of a target's name. */
  targetLine(target: string): number;
  /** Line of another place in the file, or of the part around it. */
  pathLine(path: readonly string[]): number;
};

export const configSchema = fileURLToPath(new URL('./candleproof.schema.json', import.meta.url));

/** A hundred times the size of a real config; reading a megabyte of YAML takes seconds. */
const mostBytes = 1 << 18;

/**
 * Returns the config in the named file, else the one that is found; undefined if there is none. Throws a UsageError
 * with file, line and remedy for an invalid one.
 */
export function openConfig(named: string | undefined): Config | undefined {
  if (named === '-')
    throw new UsageError(
      '--config: - is no file: a config is read from a file, whose folder its names are seen from',
    );
  const file = named ?? findConfigFile();
  if (file === undefined) return undefined;
  const text = readNamedFile(file, '--config', mostBytes);
  if (newest?.text !== text || newest.place !== resolve(file) || newest.config.file !== file)
    newest = { text, place: resolve(file), config: parseConfig(text, file) };
  return newest.config;
}

/** The config as it was last parsed: a command opens it for each of its targets, and a thousand take a fifth of a second. */
let newest: { readonly text: string; readonly place: string; readonly config: Config } | undefined;

/** Reads a config; throws as openConfig does. */
export function parseConfig(text: string, file: string): Config {
  const form = readForm(text, file, '--config', configSchema);
  const {
    keys = {},
    targets,
    ledger,
    spec,
    seed,
    overlays = [],
    monitor,
    probes,
    slos,
    maintenance,
    alerts,
    results,
  } = form.content as ConfigForm;
  const document = {
    file: spec === undefined ? specFile : findDocument(spec, dirname(file)),
    overlays: overlays.map((overlay) => resolve(dirname(file), overlay)),
  };
  const described = readSpec(document);
  const monitoring = { monitor, probes, slos, maintenance, alerts };
  const configured = (name: DatabaseName, text: string | undefined): ConfiguredDatabase | undefined =>
    text === undefined ? undefined : { text, file, line: form.pathLine([name]) };
  form.refuse([
    ...databaseMistakes('ledger', ledger),
    ...keyMistakes(keys),
    ...targetMistakes(targets, keys, described),
    ...monitoringMistakes(monitoring, targets, described),
    ...databaseMistakes('results', results),
  ]);
  return {
    file,
    document,
    ledger: configured('ledger', ledger),
    results: configured('results', results),
    keys: Object.fromEntries(
      Object.entries(keys).map(([name, { shares, ...key }]) => [
        name,
        { ...key, shares: shares ?? usualShares, reserve: shares?.reserve },
      ]),
    ),
    targets,
    monitoring,
    seed,
    variables: new Set(
      [...JSON.stringify(form.content).matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name),
    ),
    targetLine: (target) => form.pathLine(['targets', target]),
    pathLine: form.pathLine,
  };
}

/** The target of a name. Throws a UsageError that lists those there are. */
export function configuredTarget(config: Config, name: string): ConfiguredTarget {
  const target = Object.hasOwn(config.targets, name) ? config.targets[name] : undefined;
  if (target) return target;
  const known = Object.keys(config.targets).join(', ');
  throw new UsageError(
    `no target is called "${name}": ${config.file} has ${known}, and local is always there`,
  );
}
