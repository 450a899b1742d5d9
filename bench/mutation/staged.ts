import * as cases from '../../contract/worlds/breach-case.ts';
import type { NamedRecording } from '../../contract/worlds/recorded.ts';
import { stages } from './switchboard.ts';

export * from '../../contract/worlds/breach-case.ts';

/** Returns the run of a case, which does not depend on the judge. */
export function stage(setting: cases.Setting): NamedRecording {
  const staged = stages.get(setting) ?? cases.stage(setting);
  stages.set(setting, staged);
  return staged;
}
