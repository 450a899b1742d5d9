import type { Command } from 'commander';
import { budgetFor, makePlan } from '../../conformance/plan.ts';
import type { TargetFacts } from '../../contract/exchange.ts';
import { planMonitoring } from '../../monitors/plan.ts';
import type { Account } from '../../planning/allowance.ts';
import { SIMULATED_POOLS } from '../../service/market/pools.ts';
import { type Config, openConfig } from '../config/config.ts';
import { definitionOf, keyFactsOf } from '../config/monitoring.ts';
import { refuseOverspent } from '../config/overspent.ts';
import { monitorPlanInWords } from '../monitor-plan-words.ts';
import { lastAccounts } from '../monitoring/last-account.ts';
import { exampleMonth, type KnownMonth, planInWords } from '../plan-words.ts';
import { addRunFlags, chosenCatalogue, type RunFlags } from '../run-flags.ts';
import { say } from '../say.ts';
import { addTargetFlags, readTarget, type Target } from '../target-flags.ts';
import type { TargetFlags } from '../target-words.ts';
import { withTier } from '../tier.ts';

/** A key's month as the last answer told it, by the key's name. */
export type LastAccount = (key: string) => Account | undefined;

export function registerPlan(program: Command, _exit?: (code: number) => void, told?: LastAccount): void {
  const command = program
    .command('plan [target]')
    .description('what a check and the monitors would cost against the monthly quota; sends nothing');
  addRunFlags(addTargetFlags(command)).action((name: string | undefined, given: TargetFlags & RunFlags) => {
    const flags = withTier(given);
    const target = readTarget(
      name ?? (flags.baseUrl === undefined ? 'local' : undefined),
      flags,
      process.env,
      {
        needsKey: false,
      },
    );
    const isConfigured = name !== 'local' && flags.baseUrl === undefined;
    const config = isConfigured ? openConfig(flags.config) : undefined;
    const lastAccount = told ?? (config ? lastAccounts(config, process.env) : () => undefined);
    say(checkInWords(target, flags, lastAccount));
    if (config && hasMonitors(config)) planMonitors(config, name, lastAccount);
  });
}

function checkInWords(target: Target, flags: RunFlags, lastAccount: LastAccount): string {
  if (flags.tier === 'pr' && target.kind === 'remote')
    return `A check of --tier pr sends ${target.facts.name} nothing: it judges its recording.\n`;
  const budget = flags.budget === 'auto' ? undefined : flags.budget;
  const { planned } = budgetFor(budget);
  const pinned = target.kind === 'remote' ? target.configured?.edition : undefined;
  const law = chosenCatalogue(flags.only, flags.edition ?? pinned);
  const plan = makePlan(law, factsOf(target), planned, {
    seed: flags.seed ?? 1,
    thorough: flags.thorough === true,
    exposeKey: flags.exposeKey === true,
    hasOtherKey: flags.otherKeyFile !== undefined,
  });
  return planInWords(plan, budget, monthOf(target, lastAccount));
}

function factsOf(target: Target): TargetFacts {
  if (target.kind === 'remote') return target.facts;
  const pools = (generation: string): number[] =>
    SIMULATED_POOLS.flatMap((each) => (each.generation === generation ? [each.id] : []));
  const known = { poolsV1: pools('v1'), poolsV2: pools('v2'), keyless: false, soleUser: true };
  return { name: 'local', baseUrl: 'https://127.0.0.1', ...known };
}

function monthOf(target: Target, lastAccount: LastAccount): KnownMonth {
  const key = target.kind === 'remote' ? target.configured?.key : undefined;
  if (!key) return exampleMonth;
  const told = lastAccount(key.name)?.limit;
  const limit = told !== undefined && told > 0 ? told : key.limit;
  return { limit: limit ?? exampleMonth.limit, isKnown: limit !== undefined, shares: key.shares };
}

/** A config that only names targets is one for checks. */
function hasMonitors({ monitoring }: Config): boolean {
  return Object.values(monitoring).some((part) => part !== undefined);
}

/** Targets that share a key share its month: none of them can be planned alone. */
function planMonitors(config: Config, name: string | undefined, lastAccount: LastAccount): void {
  const key = name === undefined ? undefined : config.targets[name]?.key;
  const targets = Object.keys(config.targets).filter(
    (each) => name === undefined || each === name || (key !== undefined && config.targets[each]?.key === key),
  );
  const definition = definitionOf(config, undefined, targets);
  const plan = planMonitoring({ definition, keys: keyFactsOf(config, lastAccount), now: Date.now() });
  say(monitorPlanInWords(plan, definition.location));
  refuseOverspent(plan, config);
}
