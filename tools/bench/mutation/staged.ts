import * as cases from '@candleproof/law/worlds/breach-case';
import type { NamedRecording } from '@candleproof/law/worlds/recorded';
import { stages } from './switchboard.ts';

export * from '@candleproof/law/worlds/breach-case';

/** Returns the run of a case, which does not depend on the judge. */
export function stage(setting: cases.Setting): NamedRecording {
  const staged = stages.get(setting) ?? cases.stage(setting);
  stages.set(setting, staged);
  return staged;
}
