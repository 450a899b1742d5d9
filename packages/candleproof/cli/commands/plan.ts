import type { Plan } from '@candleproof/check/plan/plan';
import { isKeyed } from '@candleproof/check/plan/planned-request';
import { readSpec } from '@candleproof/check/target/accepted-spec';
import {
  type CheckedTarget,
  listMethods,
  type PlannedMethods,
  planCheck,
} from '@candleproof/check/target/plan-check';
import type { TargetDescription } from '@candleproof/check/target/target-description';
import { type MonthAccount, usualShares } from '@candleproof/law/planning/allowance';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { defaultDefinition, readDefinition } from '@candleproof/monitors/config/definition';
import { monitorPlanInWords } from '@candleproof/monitors/page/plan-words';
import type { Definition } from '@candleproof/monitors/plan/definition';
import { type KeyFacts, type MonitorPlan, planMonitoring } from '@candleproof/monitors/plan/plan';
import { SIMULATED_POOLS } from '@candleproof/reference-service/market/pools';
import type { Command } from 'commander';
import { chooseLaw } from '../../library/choose-law.ts';
import { type Config, openConfig } from '../config/config.ts';
import { refuseOverspent } from '../config/overspent.ts';
import { lastAccounts, readKeyFacts, readLastAccount } from '../monitoring/last-account.ts';
import { hideFlags } from '../running/options.ts';
import { addRunFlags, chooseNight, type RunFlags } from '../running/run-flags.ts';
import { findRecorded, withTier } from '../running/tier.ts';
import { withServer } from '../target/document-server.ts';
import { type NamedTarget, readTarget } from '../target/read-target.ts';
import { addTargetFlags } from '../target/target-flags.ts';
import { printJson, printText } from '../words/output.ts';
import {
  assumedMonth,
  type KnownMonth,
  methodsInWords,
  planInWords,
  requestsToAskAgain,
} from '../words/plan-words.ts';

/** A key's month as the last answer reported it, by the key's name. */
export type LastAccount = (key: string) => Promise<MonthAccount | undefined>;

/** Adds the command `plan` to the program. */
export function registerPlan(program: Command, _exit?: (code: number) => void, last?: LastAccount): void {
  const command = program
    .command('plan [target]')
    .description('what a check and the monitors would cost against the monthly quota; sends nothing');
  addRunFlags(addTargetFlags(command));
  hideFlags(
    command,
    '--baseline --write-baseline --rate --allow-overage --timeout --max-body --deadline --out --strict --timings',
  );
  command.action(async (name: string | undefined, given: TargetDescription & RunFlags) => {
    const flags = withServer(name, withTier(given));
    const isConfigured = name !== 'local' && flags.baseUrl === undefined;
    const config = isConfigured ? openConfig(flags.config) : undefined;
    const names = name === undefined && config ? Object.keys(config.targets) : [name];
    const targets = names.map((name) => readTarget(name, flags, process.env, { needsKey: false }));
    const watch = config
      ? await readWatch(config, name, last ?? lastAccounts(config, process.env))
      : planWatch(targets, await readLastAccount(name, flags, process.env));
    const monitors = planMonitoring({ ...watch, now: Date.now() });
    const checks = targets.map((target) => makeCheck(target, flags, findMonth(target, monitors)));
    for (const check of checks) printText(checkInWords(check), flags);
    const { slots, location } = watch.definition;
    printText(
      monitorPlanInWords(monitors, slots ? 'of all locations together' : `at location "${location}"`),
      flags,
    );
    printJson(flags, { checks: checks.map(checkFacts), monitors });
    for (const line of config ? ambiguousDays(config) : []) process.stderr.write(`candleproof: ${line}\n`);
    if (config && hasMonitors(config)) refuseOverspent(monitors, config);
  });
}

/** The planned check of a target; `plan` is absent if it sends nothing. */
type PlannedCheck = {
  readonly target: string;
  readonly month: KnownMonth | undefined;
  readonly plan?: Plan & PlannedMethods;
  readonly budget: number | undefined;
};

function makeCheck(target: NamedTarget, flags: RunFlags, month: KnownMonth | undefined): PlannedCheck {
  const checked = describeChecked(target);
  const { name } = checked.facts;
  const budget = flags.budget === 'auto' ? undefined : flags.budget;
  if (findRecorded(target, flags)) return { target: name, month, budget };
  const night = chooseNight(flags, { usual: target.configured?.seed });
  const plan = planCheck(checked, { ...flags, law: chooseLaw(flags.only), ...night });
  return { target: name, month, budget, plan: { ...plan, ...listMethods(checked.spec, plan) } };
}

function checkFacts({ target, month, plan, budget }: PlannedCheck): object {
  const { requests, left, methods, posts } = plan ?? { requests: [], left: 0, methods: [], posts: [] };
  const operations = Object.entries(Object.groupBy(requests, ({ operation }) => operation)).map(
    ([operation, all = []]) => [operation, all.length],
  );
  const again = plan ? requestsToAskAgain(plan, budget) : 0;
  return {
    target,
    ...(posts.length > 0 && { methods, posts }),
    requests: requests.length,
    keyed: requests.filter(isKeyed).length,
    operations: Object.fromEntries(operations),
    again,
    left,
    month,
  };
}

function checkInWords({ target, month, plan, budget }: PlannedCheck): string {
  return plan
    ? planInWords(plan, budget, month, target) + methodsInWords(target, plan)
    : `A check of --tier pr sends ${target} nothing: it judges its recording.\n`;
}

/** Returns a target as a check of it is planned; the embedded service is not started for that. */
export function describeChecked(target: NamedTarget): CheckedTarget {
  return {
    spec: target.spec ?? readSpec(),
    facts: target.facts ?? localFacts(),
  };
}

function localFacts(): TargetFacts {
  const pools = (generation: string): number[] =>
    SIMULATED_POOLS.flatMap((poolProfile) => (poolProfile.generation === generation ? [poolProfile.id] : []));
  const known = { pools: { v1: pools('v1'), v2: pools('v2') }, keyless: false, soleUser: true };
  return { name: 'local', baseUrl: 'https://127.0.0.1', ...known };
}

/** The month that the monitors are planned for: a check spends of the same. */
function findMonth(target: NamedTarget, { keys }: MonitorPlan): KnownMonth | undefined {
  const { facts, spec } = describeChecked(target);
  const plan = keys.find((key) => key.targets.includes(facts.name));
  const shares = target.terms?.shares;
  if (plan?.known === 'config' && !Number.isFinite(plan.limit)) return undefined;
  if (!plan || !Number.isFinite(plan.limit) || plan.known === 'document') return assumedMonth(spec);
  return { limit: plan.limit, isKnown: plan.known !== 'none', shares };
}

/** Warns of cron expressions that name days of the month and of the week: crontab takes either, we take both. */
function ambiguousDays({ file, monitoring, pathLine }: Config): string[] {
  return Object.entries(monitoring.probes ?? {}).flatMap(([name, { schedule = '' }]) => {
    const fields = schedule.trim().split(/\s+/);
    if ([fields.at(-3), fields.at(-1)].some((field) => field === undefined || /^[*?]$/.test(field)))
      return [];
    const place = `${file}:${pathLine(['probes', name, 'schedule'])}`;
    return [
      `--config: ${place}: probe "${name}" (${schedule}) runs on days that suit both its day of month and its day of week; crontab would take either`,
    ];
  });
}

/** Returns whether a config names monitors: the usual ones never prevent a check. */
function hasMonitors({ monitoring }: Config): boolean {
  return Object.values(monitoring).some((part) => part !== undefined);
}

const local: NamedTarget = { kind: 'local' };

type Watch = { readonly definition: Definition; readonly keys: readonly KeyFacts[] };

/** Targets that share a key share its month: none of them can be planned alone. */
async function readWatch(config: Config, name: string | undefined, lastAccount: LastAccount): Promise<Watch> {
  const key = name === undefined ? undefined : config.targets[name]?.key;
  const targets = Object.keys(config.targets).filter(
    (target) =>
      name === undefined || target === name || (key !== undefined && config.targets[target]?.key === key),
  );
  return {
    definition: readDefinition(config, undefined, targets),
    keys: await readKeyFacts(config, lastAccount),
  };
}

/** Returns what `monitor` runs by default, without a config. */
function planWatch([target = local]: readonly NamedTarget[], account: MonthAccount | undefined): Watch {
  const { facts, spec } = describeChecked(target);
  const key = { name: facts.name, shares: usualShares, targets: [facts.name], account };
  return { definition: defaultDefinition(spec, facts), keys: facts.keyless ? [] : [key] };
}
