import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { acceptSpec } from '@candleproof/check/target/accepted-spec';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { isLoopback } from '@candleproof/client/send/base-url';
import type { Spec } from '@candleproof/document/spec/spec';
import { readCertificatePair } from '@candleproof/files/certificate';
import type { NamedFile } from '@candleproof/files/named-file';
import { UsageError } from '@candleproof/files/usage-error';
import { type Environment, ledgerFileBelow } from '@candleproof/files/user-folders';
import { makeFolder, makeOutputFolder } from '@candleproof/files/write-files';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import { isPostgresUrl } from '@candleproof/postgres/address';
import type { ProxyLimits } from '@candleproof/proxy/forwarding/limits';
import type { LedgerPlan } from '@candleproof/proxy/keeping/counter-booking';
import { userCertificate } from '@candleproof/reference-service/embedded';
import { chooseLaw } from '../../library/choose-law.ts';
import { resultFolder } from '../../library/write-run.ts';
import { databaseVariables, readAddressFlag } from '../database/read-database.ts';
import { readLedger } from '../database/read-ledger.ts';
import { type RemoteTarget, readTarget } from '../target/read-target.ts';

export type ProxyFlags = Pick<
  TargetDescription,
  'caFile' | 'spec' | 'overlay' | 'pools' | 'poolsV1' | 'poolsV2' | 'keyless'
> & {
  readonly upstream: string;
  readonly port: number;
  readonly host?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly http?: boolean;
  readonly only?: readonly string[];
  readonly timeout: number;
  readonly maxClients: number;
  readonly maxClientRequests: number;
  readonly maxRequests: number;
  readonly maxUpstream: number;
  readonly idleTimeout: number;
  readonly headerTimeout: number;
  readonly metricsPort?: number;
  readonly every?: number;
  readonly out?: string;
  readonly readyFile?: NamedFile;
  /** True if no place is named: the ledger is then that of the other commands. */
  readonly ledger?: string | true;
};

/** Reads the limits of a proxy from its flags. */
export function readLimits(flags: ProxyFlags): ProxyLimits {
  return {
    clients: flags.maxClients,
    clientRequests: flags.maxClientRequests,
    requests: flags.maxRequests,
    upstream: flags.maxUpstream,
    idleMs: flags.idleTimeout,
    headerMs: flags.headerTimeout,
  };
}

/** The job of a proxy, with everything read that can be read before it listens. */
export type ProxyJob = {
  readonly flags: ProxyFlags;
  readonly facts: TargetFacts;
  readonly spec: Spec;
  readonly law: Catalogue;
  readonly out: string;
  readonly host: string;
  /** PEM of an authority for the upstream. */
  readonly ca?: string | undefined;
  /** Absent for plain HTTP; has `caPem` if Candleproof made the certificate. */
  readonly certificate?: { readonly certPem: string; readonly keyPem: string; readonly caPem?: string };
  readonly proxyEnv: Environment;
  /** Books the counters of keys. */
  readonly ledger?: LedgerPlan;
};

/** Throws a UsageError for flags that cannot work. */
export async function readProxyJob(flags: ProxyFlags, env: Environment): Promise<ProxyJob> {
  const { out, only, host = '127.0.0.1' } = flags;
  const { facts, ca, spec: read } = readUpstream(flags, env);
  const law = chooseLaw(only);
  const spec = await acceptSpec(read);
  const certificate = await readListenCertificate(flags, host);
  const folder = resultFolder(out, `proxy-${facts.name}`);
  makeOutputFolder(folder);
  const ledger = flags.ledger === undefined ? undefined : readLedgerPlan(flags.ledger, env);
  return {
    ...{ flags, facts, spec, law, host, out: folder, ca, proxyEnv: env },
    certificate,
    ledger,
  };
}

/** Reads the upstream as `--base-url` describes a target. Whose requests pass is not known. */
function readUpstream(flags: ProxyFlags, env: Environment): RemoteTarget {
  const { upstream: baseUrl, caFile, spec, overlay, pools, poolsV1, poolsV2, keyless } = flags;
  const target = readTarget(
    undefined,
    { baseUrl, caFile, spec, overlay, pools, poolsV1, poolsV2, keyless },
    env,
    { needsKey: false, addressFlag: '--upstream' },
  );
  if (target.kind !== 'remote') throw new UsageError(`--upstream: "${baseUrl}" is no URL`);
  return { ...target, facts: { ...target.facts, soleUser: false } };
}

async function readListenCertificate(
  { http, ...given }: ProxyFlags,
  host: string,
): Promise<ProxyJob['certificate']> {
  if (isIP(host) === 0) throw new UsageError(`--host: "${host}" is no address: give one such as 127.0.0.1`);
  const { certificate } = readCertificatePair(given);
  const isLocal = isLoopback(`http://${isIP(host) === 6 ? `[${host}]` : host}`);
  if (http) {
    if (certificate) throw new UsageError('--http: not beside --cert: leave one of them out');
    if (!isLocal)
      throw new UsageError(
        `--http: ${host} is not loopback, and keys would pass in the clear: give --cert and --key`,
      );
    return undefined;
  }
  if (certificate) return certificate;
  if (!isLocal)
    throw new UsageError(
      `--host: for ${host} give --cert and --key: the certificate that is made is for loopback alone`,
    );
  return userCertificate();
}

/** Throws a UsageError. */
function readLedgerPlan(named: string | true, env: Environment): LedgerPlan {
  if (named === true) {
    const place = readLedger(undefined, env);
    return typeof place === 'string' ? { file: place } : { url: place.secretUrl };
  }
  const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() === true;
  if (isPostgresUrl(named) || isFile)
    return { url: readAddressFlag('--ledger', named, databaseVariables.ledger).secretUrl };
  if (named.includes('://')) throw new UsageError('--ledger: give a folder, or a URL such as postgres://');
  makeFolder(named);
  return { file: ledgerFileBelow(named) };
}
