import type { PoolsBySpace } from '@candleproof/document/spec/spec';
import type { Shares } from '@candleproof/law/planning/allowance';
import type { MonitoringForm } from '@candleproof/monitors/config/monitoring-form';
import type { DatabaseName } from '../database/read-database.ts';

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

/** The content of candleproof.yaml, as its schema allows it. */
export type ConfigForm = MonitoringForm &
  Readonly<Partial<Record<DatabaseName, string>>> & {
    readonly targets: Readonly<Record<string, ConfiguredTarget>>;
    readonly spec?: string;
    readonly seed?: number;
    readonly overlays?: readonly string[];
    readonly keys?: Readonly<Record<string, Omit<ConfiguredKey, 'shares'> & { readonly shares?: Shares }>>;
  };
