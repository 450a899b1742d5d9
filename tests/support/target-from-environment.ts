import { readGaps, readPools } from '../../cli/target/target-flags.ts';
import type { TargetFlags } from '../../cli/target/target-words.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The suite's target: what the flags of `candleproof check` say, given by variables. */
export function targetFlags(env: Environment): { name: string | undefined; flags: TargetFlags } {
  const pools = (variable: string): number[] | undefined => {
    const text = env[variable];
    return text === undefined ? undefined : readPools(text, variable);
  };
  const flags = {
    baseUrl: env.CANDLEPROOF_BASE_URL,
    apiKeyFile: env.CANDLEPROOF_API_KEY_FILE,
    caFile: env.CANDLEPROOF_CA_FILE,
    poolsV1: pools('CANDLEPROOF_POOLS_V1'),
    poolsV2: pools('CANDLEPROOF_POOLS_V2'),
    keyless: isSet(env.CANDLEPROOF_KEYLESS),
    gaps: readGaps(env.CANDLEPROOF_GAPS, 'CANDLEPROOF_GAPS'),
    sharedKey: isSet(env.CANDLEPROOF_SHARED_KEY),
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return { name: env.CANDLEPROOF_TARGET, flags: Object.fromEntries(given) };
}

function isSet(text: string | undefined): true | undefined {
  return text === undefined || text === '' || text === 'false' || text === '0' ? undefined : true;
}
