import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mistake, readForm, toMistakes } from '@candleproof/check/forms/form-file';
import { readSpec } from '@candleproof/check/target/accepted-spec';
import { isLoopback } from '@candleproof/client/send/base-url';
import { isPool, listSpaces } from '@candleproof/document/spec/operation';
import type { DocumentFiles, PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { findDocument, specFile } from '@candleproof/files/package-files';
import { readNamedFile } from '@candleproof/files/read-file';
import { UsageError } from '@candleproof/files/usage-error';
import { type Shares, usualShares } from '@candleproof/law/planning/allowance';
import type { MonitoringForm } from '@candleproof/monitors/config/monitoring-form';
import { monitoringMistakes } from '@candleproof/monitors/config/monitoring-mistakes';
import { clip } from '@candleproof/reports/words/escape';
import { type ConfiguredDatabase, type DatabaseName, databaseMistake } from '../database/read-database.ts';
import { findConfigFile } from './find-config.ts';

/** An API key by reference: the environment variable or the file that holds it, never the key itself. */
type ConfiguredKeyPlace = { readonly env?: string; readonly file?: string };

export type ConfiguredKey = ConfiguredKeyPlace & {
  /** The keys that the document requires besides this one, by their security schemes. */
  readonly further?: Readonly<Record<string, ConfiguredKeyPlace>>;
  /** Requests per month, if configured. */
  readonly limit?: number;
  readonly shared?: boolean;
  readonly shares: Shares;
  /** The share that is the reserve, if the shares are declared. */
  readonly reserve?: number | undefined;
};

export type ConfiguredTarget = {
  readonly baseUrl: string;
  readonly key?: string;
  readonly keyless?: boolean;
  /** Requests per month without a key; `none` if nothing counts them. */
  readonly limit?: number | 'none';
  /** `idle` if unobserved intervals may be missing. */
  readonly gaps?: 'none' | 'idle';
  /** If undeclared, it counts as mainnet whenever that is the careful choice. */
  readonly network?: 'mainnet' | 'testnet';
  readonly caFile?: string;
  readonly pools: PoolsBySpace;
  readonly baseline?: string;
  /** The group of targets whose failures at one time are one alert, and the target that it hangs on. */
  readonly group?: string;
  readonly dependsOn?: string;
  /** The address of what to do when it is down. */
  readonly runbook?: string;
  /** Recorded traffic to judge if nothing may be requested. */
  readonly recording?: string;
};

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

type Content = MonitoringForm &
  Pick<Config, 'targets'> &
  Readonly<Partial<Record<DatabaseName, string>>> & {
    readonly spec?: string;
    readonly seed?: number;
    readonly overlays?: readonly string[];
    readonly keys?: Readonly<Record<string, Omit<ConfiguredKey, 'shares'> & { readonly shares?: Shares }>>;
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
  } = form.content as Content;
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

function databaseMistakes(name: DatabaseName, text: string | undefined): Mistake[] {
  const message = text === undefined ? undefined : databaseMistake(name, text);
  return toMistakes([name], message && `${name}: ${message}`);
}

function keyMistakes(keys: NonNullable<Content['keys']>): Mistake[] {
  return Object.entries(keys).flatMap(([name, { further = {}, shares = usualShares, ...key }]) => {
    const path = ['keys', name];
    const places = [
      { at: path, called: name, ...key },
      ...Object.entries(further).map(([scheme, place]) => ({
        ...{ at: [...path, 'further', scheme], called: scheme },
        ...place,
      })),
    ];
    const sum = Object.values(shares).reduce((total, share) => total + share, 0);
    return [
      ...places.flatMap(({ at, called, env, file }) =>
        toMistakes(
          at,
          (env === undefined) === (file === undefined) && `key "${called}" needs env or file, and not both`,
        ),
      ),
      ...toMistakes(
        [...path, 'shares'],
        Math.abs(sum - 100) > 1e-9 && `the shares of "${name}" make ${sum} percent: make them 100`,
      ),
    ];
  });
}

function targetMistakes(targets: Content['targets'], keys: object, spec: Spec): Mistake[] {
  return Object.entries(targets).flatMap(([name, { baseUrl, key, keyless, limit, pools, dependsOn }]) => {
    const path = ['targets', name];
    const hasKey = key !== undefined;
    const mistake = (field: string, isWrong: boolean, message: string): Mistake[] =>
      toMistakes([...path, field], isWrong && message);
    return [
      ...toMistakes(path, name === 'local' && 'local is the embedded service: take another name'),
      ...toMistakes([...path, 'baseUrl'], addressMistake(name, baseUrl)),
      ...toMistakes(path, !hasKey && keyless !== true && `target "${name}" needs key, or keyless: true`),
      ...mistake(
        'limit',
        hasKey && limit !== undefined,
        `target "${name}" is requested with a key, which has the limit: write it under keys.${key}`,
      ),
      ...mistake('key', hasKey && !Object.hasOwn(keys, key), `there is no key "${key}": add it under keys`),
      ...poolsMistakes(pools, [...path, 'pools'], spec),
      ...mistake(
        'dependsOn',
        dependsOn !== undefined && (dependsOn === name || !Object.hasOwn(targets, dependsOn)),
        `"${name}" cannot depend on "${dependsOn}": name another one of the targets`,
      ),
      ...mistake(
        'pools',
        Object.values(pools).flat().length === 0,
        `target "${name}" has no pool: name at least one`,
      ),
    ];
  });
}

function poolsMistakes(pools: PoolsBySpace, path: readonly string[], spec: Spec): Mistake[] {
  const spaces = listSpaces(spec);
  return Object.entries(pools).flatMap(([space, ids]): Mistake[] => {
    const place = [...path, space];
    if (!spaces.includes(space))
      return toMistakes(place, `"${space}" is no space of pools in the document: use ${spaces.join(' or ')}`);
    const wrong = ids.find((id) => !isPool(spec, space, id));
    return toMistakes(
      place,
      wrong !== undefined && `"${clip(String(wrong), 60)}" is no pool id as the document has them`,
    );
  });
}

/** Returns the mistake in a target's name or its literal address; undefined for proper ones. */
function addressMistake(name: string, baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (name === 'previewnet' || url?.hostname.includes('previewnet')) {
    return `target "${name}" is previewnet, which the service does not support (§1): use mainnet or testnet`;
  }
  if (baseUrl.startsWith('$')) return undefined;
  if (!url) return `"${baseUrl}" is no URL: give one such as https://host, or a variable as \${NAME}`;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(baseUrl))
    ? undefined
    : `${url.protocol}//${url.host} is not https: the service answers over HTTPS only (§5); http is for loopback alone`;
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
