import { type Mistake, toMistakes } from '@candleproof/check/forms/form-file';
import { isLoopback } from '@candleproof/client/send/base-url';
import { isPool, listSpaces } from '@candleproof/document/spec/operation';
import type { PoolsBySpace, Spec } from '@candleproof/document/spec/spec';
import { usualShares } from '@candleproof/law/planning/allowance';
import { clip } from '@candleproof/reports/words/escape';
import { type DatabaseName, databaseMistake } from '../database/read-database.ts';
import type { ConfigForm } from './config-form.ts';

/** Lists the mistake in the address of a database, if there is one. */
export function databaseMistakes(name: DatabaseName, text: string | undefined): Mistake[] {
  const message = text === undefined ? undefined : databaseMistake(name, text);
  return toMistakes([name], message && `${name}: ${message}`);
}

/** Lists the mistakes in the places and shares of keys. */
export function keyMistakes(keys: NonNullable<ConfigForm['keys']>): Mistake[] {
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

/** Lists the mistakes in targets that only their keys, each other and the document show. */
export function targetMistakes(targets: ConfigForm['targets'], keys: object, spec: Spec): Mistake[] {
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
