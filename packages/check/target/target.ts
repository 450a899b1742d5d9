import type { ProxyEnvironment } from '@candleproof/client/send/agents';
import { isLoopback } from '@candleproof/client/send/base-url';
import type { DocumentFiles, Spec } from '@candleproof/document/spec/spec';
import { findDocument, specFile } from '@candleproof/files/package-files';
import { UsageError } from '@candleproof/files/usage-error';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { readSuccessQuota, type WholeQuota } from '@candleproof/law/reading/quota';
import { readSpec } from './accepted-spec.ts';
import { formatTarget, readPoolsBySpace, type TargetDescription } from './target-description.ts';

export type Target = {
  readonly facts: TargetFacts;
  /** The document that it has to conform to. */
  readonly spec: Spec;
  readonly apiKey?: string;
  /** The keys of the document's further schemes, in their order. */
  readonly furtherKeys?: readonly string[];
  /** PEM of an authority to trust besides the public ones. */
  readonly ca?: string;
  readonly isLoopback: boolean;
  /** The variables that may name a proxy to it; a target on loopback needs none. */
  readonly proxyEnv?: ProxyEnvironment;
  /** The command-line words that name the target again. */
  readonly words: string;
  /** The agreed terms of its key, if they were declared. */
  readonly terms?: KeyTerms;
  /** The declared network; the careful choice takes an undeclared one for mainnet. */
  readonly network?: 'mainnet' | 'testnet';
};

/** The terms of a key; `limit` in requests a month. */
export type KeyTerms = {
  readonly name: string;
  readonly shares: Shares;
  /** The percent of the month that no command spends, if the shares were declared. */
  readonly reserve?: number;
  readonly limit?: number;
  readonly isShared: boolean;
};

/** Reads of a target's secrets, which happen only once its address is known to be proper. */
export type TargetAccess = {
  readonly apiKey: () => string | undefined;
  /** Reads the key of a further security scheme, by its name. */
  readonly furtherKey: (scheme: string) => string;
  readonly ca: () => string | undefined;
  readonly proxyEnv: ProxyEnvironment;
  /** The flag that gave the address, for messages. */
  readonly addressFlag?: string;
};

/**
 * Returns the target of a description; reads its document.
 * @throws UsageError for an address or a pool that cannot be used
 */
export function describeTarget(
  name: string | undefined,
  description: TargetDescription,
  access: TargetAccess,
): Target {
  const url = readBaseUrl(description.baseUrl ?? '', access.addressFlag ?? '--base-url');
  const spec = readDescribedSpec(description);
  const isKeyed =
    description.isUnnamed !== true && (spec.roles.includes('key') || description.apiKeyFile !== undefined);
  const apiKey = isKeyed ? access.apiKey() : undefined;
  const further = apiKey === undefined ? [] : (spec.keyPlaces ?? []).slice(1);
  const furtherKeys = further.map(({ scheme }) => access.furtherKey(scheme));
  const isLocal = isLoopback(url.href);
  const facts: TargetFacts = {
    name: name ?? url.hostname,
    baseUrl: url.href.replace(/\/+$/, ''),
    pools: readPoolsBySpace(description, spec),
    keyless: description.keyless === true || !spec.roles.includes('key'),
    soleUser: isLocal && description.sharedKey !== true,
    ...(description.gaps === 'idle' && { gaps: description.gaps }),
  };
  const ca = access.ca();
  return {
    facts,
    spec,
    isLoopback: isLocal,
    proxyEnv: isLocal ? undefined : access.proxyEnv,
    words: formatTarget(name, description),
    apiKey,
    ...(furtherKeys.length > 0 && { furtherKeys }),
    ca,
  };
}

/** Returns the document that a description names: ours if it names none. */
export function readDescribedSpec({ spec, overlay }: TargetDescription): Spec {
  return readSpec(documentFiles(spec, overlay));
}

/** Returns the files of a document that is named as by `--spec` and `--overlay`; ours if nothing is named. */
export function documentFiles(spec: string | undefined, overlays: readonly string[] = []): DocumentFiles {
  return { file: spec === undefined ? specFile : findDocument(spec), overlays };
}

/** Returns the embedded service as a target; its key belongs to this run alone. */
export function describeEmbedded(
  service: {
    readonly url: string;
    readonly apiKey: string;
    readonly caPem: string;
    readonly poolsV1: readonly number[];
    readonly poolsV2: readonly number[];
  },
  spec: Spec,
): Target {
  const { url, apiKey, caPem, poolsV1, poolsV2 } = service;
  const pools = { v1: poolsV1, v2: poolsV2 };
  return {
    facts: { name: 'local', baseUrl: url, pools, keyless: false, soleUser: true },
    ...{ spec, apiKey, ca: caPem, isLoopback: true, words: 'local' },
  };
}

/** Returns a reader of the month that an answer of the target reports for its key. */
export function quotaReader({ spec }: Target): (exchange: Exchange) => WholeQuota | undefined {
  return (exchange) => readSuccessQuota(spec.quota, exchange);
}

/**
 * Refuses a target without a pool: two of three operations would not be requested at all, a green that says next to
 * nothing. Throws a UsageError.
 */
export function requirePools(
  { facts, spec }: Target,
  purpose: 'check' | 'explore' | 'watch' | 'look at' | 'load',
): void {
  if (Object.values(facts.pools).flat().length > 0) return;
  const mend =
    spec.file === specFile
      ? '--pools-v1 and --pools-v2; no operation lists them, their ids stand where you trade (docs/the-api.md); for an API other than SaucerSwap’s, give its document with --spec, or draft one with `candleproof look URL`'
      : '--pools, or in the document as info.x-sample-pools';
  throw new UsageError(`no pool to ${purpose}: name some with ${mend}`);
}

function readBaseUrl(text: string, flag: string): URL {
  if (!URL.canParse(text))
    throw new UsageError(`${flag}: "${text}" is no URL: give one such as https://host`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(text))) {
    throw new UsageError(
      `${flag}: ${url.protocol}//${url.host} is not https: the service answers over HTTPS only (§5), and a key is never sent in the clear; http is for loopback alone`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError(`${flag}: leave out user, password, query and fragment`);
  }
  if (url.hostname.includes('previewnet')) {
    throw new UsageError(
      `${flag}: previewnet is not supported by the service (§1): check mainnet or testnet`,
    );
  }
  return url;
}
