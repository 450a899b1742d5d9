import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import { cachingService, strictServices } from './strict-services.ts';

/** A healthy service, as its document allows it to be. */
export type SoundVariant = {
  readonly title: string;
  readonly choices?: ServiceOptions['choices'];
  /** Makes its distortion with fresh state. */
  readonly distort?: () => Distortion;
  readonly gaps?: 'idle' | undefined;
};

const day = 86_400;

/** Services that differ in what the document leaves open. */
const chosen: readonly SoundVariant[] = [
  { title: 'as the document has it' },
  {
    title: 'with weeks from Sunday, newest rows first',
    choices: { weekAnchor: 3 * day, order: 'descending' },
  },
  {
    title: 'whose ranges hold what starts in them, and whose open rows end with their interval',
    choices: { membership: 'start-in-range', openEnd: 'interval-end' },
  },
  { title: 'without open rows, with further fields', choices: { openInHistory: false, extraFields: true } },
  {
    title: 'that refuses by 403 and a message, and counts the months of another zone',
    choices: { missingKeyStatus: 403, errorBody: 'message', quotaZone: 'Etc/GMT+4', overLimit: 'refused' },
  },
];

/** Words of the titles of those strict services that are taken too. */
const strict = /^(of at most 300|of at most two days of five|of whole prices|without rows .* price$)/;

/** Ten healthy services. */
export const soundVariants: readonly SoundVariant[] = [
  ...chosen,
  ...strictServices
    .filter(({ title }) => strict.test(title))
    .map(({ title, distortion, gaps }) => ({ title, distort: () => distortion, gaps })),
  { title: cachingService().title, distort: () => cachingService().distortion },
];
