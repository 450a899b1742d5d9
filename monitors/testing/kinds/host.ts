import type { TargetReply } from '../scripted-target.ts';
import { minute } from '../watching.ts';
import { type EpisodeScript, planSettings } from './kind.ts';

const both = ['mainnet', 'testnet'] as const;
const down: TargetReply = { status: 503 };

/** Our store, our network and our process. */
export const host: readonly EpisodeScript[] = [
  {
    name: 'a disk that is full for a minute',
    acts: planSettings({ 60: { isFull: true }, 61: { isFull: false } }),
    says: [
      '60 fired page: the monitor at here: its disk is full since 2026-10-25 00:15:00 UTC: it writes nothing, and looks at no target',
      '61 resolved page: the monitor at here: its disk has room again after 1 min',
    ],
  },
  {
    name: 'a disk that is full for half an hour',
    acts: planSettings({ 60: { isFull: true }, 90: { isFull: false } }),
    says: [
      '60 fired page: the monitor at here: its disk is full since 2026-10-25 00:15:00 UTC: it writes nothing, and looks at no target',
      '90 resolved page: the monitor at here: its disk has room again after 30 min',
    ],
  },
  {
    name: 'a disk that is full while the target is down',
    answer: ({ minute: at }) => (at >= 60 && at < 100 ? down : undefined),
    acts: planSettings({ 72: { isFull: true }, 90: { isFull: false } }),
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '72 fired page: the monitor at here: its disk is full since 2026-10-25 00:27:00 UTC: it writes nothing, and looks at no target',
      '90 resolved page: the monitor at here: its disk has room again after 18 min',
      '95 reminder page: availability of mainnet',
      '100 resolved page: availability of mainnet: up again after 40 min',
    ],
  },
  {
    name: 'a data folder that is moved away and put back',
    acts: { 60: (stage) => stage.moveFolder(true), 90: (stage) => stage.moveFolder(false) },
    says: [
      '60 fired page: the monitor at here: its data folder is moved away or replaced since 2026-10-25 00:15 UTC: what is written now will not be found again',
      '90 resolved page: the monitor at here: its data folder is in its place again after 30 min',
    ],
  },
  {
    name: 'a disk that takes half a minute for a write',
    acts: planSettings({ 60: { writeMs: 30_000 }, 90: { writeMs: 0 } }),
    says: [
      '61 fired ticket: the monitor at here: its disk takes 12.0 s for a write since 2026-10-25 00:15 UTC: slots come late',
      '93 resolved ticket: the monitor at here: its disk is fast again after 32 min',
    ],
  },
  {
    name: 'our network is lost',
    answer: ({ minute: at }) => (at >= 60 && at < 90 ? { failure: 'timeout', phase: 'connect' } : undefined),
    acts: planSettings({
      60: { doubt: 'the monitor reaches 192.0.2.1:443 as little as the target' },
      90: { doubt: undefined },
    }),
    says: [
      '70 fired page: mainnet: not judged since 2026-10-25 00:15 UTC, 3 slots: the monitor reaches 192.0.2.1:443 as little as the target (timeout at connect)',
      '91 resolved page: mainnet: judged again after 30 min',
    ],
  },
  {
    name: 'our process stands still',
    targets: both,
    answer: ({ minute: at }) => (at >= 60 && at < 90 ? { failure: 'timeout', phase: 'wait' } : undefined),
    acts: planSettings({
      60: { doubt: 'the monitor itself stood still for 900 ms' },
      90: { doubt: undefined },
    }),
    says: [
      '71 fired page: mainnet: not judged since 2026-10-25 00:15 UTC, 3 slots: the monitor itself stood still for 900 ms (timeout at wait)',
      '86 changed page: the monitor at here, changed after 26 min: 1 more: testnet',
      '94 resolved page: the monitor at here: judged again after 33 min',
    ],
  },
  {
    name: 'our network is lost during an outage',
    answer: ({ minute: at }) =>
      at < 60 || at >= 120
        ? undefined
        : at < 80 || at >= 100
          ? down
          : { failure: 'timeout', phase: 'connect' },
    acts: planSettings({
      80: { doubt: 'the monitor reaches 192.0.2.1:443 as little as the target' },
      100: { doubt: undefined },
    }),
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '90 fired page: mainnet: not judged since 2026-10-25 00:35 UTC, 3 slots: the monitor reaches 192.0.2.1:443 as little as the target (timeout at connect)',
      '101 reminder page: availability of mainnet',
      '101 resolved page: mainnet: judged again after 20 min',
      '120 resolved page: availability of mainnet: up again after 1 h',
    ],
  },
  {
    name: 'an answer that takes four slots',
    answer: async ({ minute: at }, { waits }) => {
      if (at < 60 || at >= 120) return undefined;
      await waits.pass(21 * minute);
      return { status: 200, body: '[]' };
    },
    says: [],
  },
  { name: 'a monitor that is suspended for an hour', acts: { 60: (stage) => stage.suspend(60) }, says: [] },
  { name: 'a monitor that is killed and begins again', acts: { 60: (stage) => stage.restart(3) }, says: [] },
  {
    name: 'a monitor that was gone for two hours',
    hours: 5,
    acts: { 60: (stage) => stage.restart(120) },
    says: [],
  },
  {
    name: 'a target that is taken out while it is down',
    targets: both,
    answer: ({ minute: at, target }) => (target === 'testnet' && at >= 60 ? down : undefined),
    acts: { 90: (stage) => stage.restart(0, { probes: stage.probesOf(['mainnet']) }) },
    says: [
      '69 fired page: availability of testnet: status 503 since 2026-10-25 00:18 UTC, and it lasts',
      '90 resolved page: availability of testnet is not watched any more; the alert had stood for 27 min',
    ],
  },
  {
    name: 'an objective that is taken out while it is missed',
    answer: ({ minute: at }) => (at >= 60 ? down : undefined),
    acts: {
      90: (stage) =>
        stage.restart(0, { objectives: [{ indicator: 'latency', objective: 0.95, under: 1000 }] }),
    },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '90 resolved page: availability of mainnet is not watched any more; the alert had stood for 30 min',
    ],
  },
  {
    name: 'a sink that takes nothing while a page is due',
    sinks: ['pager', 'chat'],
    answer: ({ minute: at }) => (at >= 60 && at < 100 ? down : undefined),
    acts: {
      55: ({ deafSinks }) => {
        deafSinks.add('pager');
      },
      90: ({ deafSinks }) => {
        deafSinks.delete('pager');
      },
    },
    says: [
      '65 fired page: availability of mainnet: status 503 since 2026-10-25 00:15 UTC, and it lasts',
      '76 fired page: sink pager of here: it takes no messages since 2026-10-25 00:21 UTC: exit code 1',
      '95 reminder page: availability of mainnet',
      '96 resolved page: sink pager of here: it takes messages again after 30 min',
      '100 resolved page: availability of mainnet: up again after 40 min',
    ],
  },
];
